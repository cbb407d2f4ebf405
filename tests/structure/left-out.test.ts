import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NO_PAGE } from "../../scripts/lean-manifest";

const APP = join(import.meta.dirname, "../../app");
const sources = readdirSync(APP, { recursive: true })
  .map((name) => String(name))
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(APP, name), "utf8") }));
const having = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name);

describe("what the browser has no code for (docs/decisions/0013-the-chats-widget.md)", () => {
  it("nothing is deferred", () => {
    expect(having(/import\s*\{[^}]*\b(?:defer|Await)\b[^}]*\}\s*from "@remix-run\//)).toEqual([]);
  });

  it("what the list of pages leaves out are no pages", () => {
    const routes = readdirSync(join(APP, "routes"));
    const leftOut = routes.filter((name) => NO_PAGE.test(`routes/${name}`));
    expect(leftOut.length).toBeGreaterThan(0);
    expect(leftOut.filter((name) => !name.endsWith(".ts"))).toEqual([]);
  });

  it("no link, form or fetcher of Remix asks the router for a route of the API", () => {
    expect(having(/<(?:Form|Link|NavLink|\w+\.Form)\b[^>]*\b(?:to|action)=\{?["'`]\/api\//)).toEqual([]);
    expect(having(/\.load\(\s*["'`]\/api\/|\bnavigate\(\s*["'`]\/api\//)).toEqual([]);
  });
});
