import { describe, expect, it } from "vitest";
import { read, sourcesIn } from "./sources";

/** Files that define operations under another name, each with its reason: the list only becomes shorter. */
const OTHER_OPERATIONS: Record<string, string> = {
  "app/api/routes.server.ts": "the API's own document and its page, which are collected here",
  "app/features/sales/cards/read-cards.server.ts":
    "what cards show in every conversation, on no page of their own",
  "app/features/sales/record/hold-and-quote-pages.server.ts":
    "pages of holds and quotes with their forms, which share a draft",
};
const OPERATIONS = /\/operations\/|\/(?:operations|page|forms)\.server\.ts$/;
/** Names of files with SQL. */
const QUERIES = /\/queries\/[^/]+\.ts$|\/(?:[\w-]+\.)?queries\.server\.ts$/;
const features = sourcesIn("app/features");

describe("files of a feature (docs/architecture.md, Modules)", () => {
  it("operations stand in operations, and those of a page in its page.server.ts or forms.server.ts", () => {
    const others = sourcesIn("app")
      .filter((file) => !file.startsWith("app/http/") && !OPERATIONS.test(file))
      .filter((file) => /(?<![\w.])operation\(\{/.test(read(file)));
    expect(others, "Move the operation, or take a file off OTHER_OPERATIONS that has none").toEqual(
      Object.keys(OTHER_OPERATIONS).sort(),
    );
  });

  it("SQL stands in queries.server.ts, *.queries.server.ts or queries/", () => {
    const others = features.filter((file) => /from "drizzle-orm/.test(read(file)) && !QUERIES.test(file));
    expect(others).toEqual([]);
    expect(features.filter((file) => /queries/.test(file) && !QUERIES.test(file))).toEqual([]);
  });

  it("a feature with the folder queries has no SQL outside it", () => {
    const featureOf = (file: string) => file.split("/")[2];
    const inFolder = features.filter((file) => file.includes("/queries/"));
    const withFolder = new Set(inFolder.map(featureOf));
    expect([...withFolder]).toContain("sales");
    const outside = features.filter(
      (file) => /queries\.server\.ts$/.test(file) && withFolder.has(featureOf(file)),
    );
    expect(outside, "Move it into queries/, named by what it is about").toEqual([]);
  });
});
