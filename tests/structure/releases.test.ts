import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../scripts/local-shop.mjs";
import { RELEASES } from "../support/releases";

const changelog = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8");
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
const listed = [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$/gm)].map(
  ([, name]) => name,
);

it("each version of the changelog is recorded, and the newest is the package's", () => {
  expect(RELEASES).toEqual(listed.toReversed());
  expect(listed[0]).toBe(version);
  for (const name of listed) expect(changelog, "its link").toContain(`\n[${name}]: #`);
});

it("the changelog keeps a place for what is unreleased, and names migrations that are", () => {
  const [, unreleased = ""] = /^## \[Unreleased\]\n(.*?)^## \[/ms.exec(changelog) ?? [];
  const lastReleased = Math.max(
    ...[...changelog.replace(unreleased, "").matchAll(/Migrations \d{4} to (\d{4})/g)].map(([, n]) =>
      Number(n),
    ),
  );
  const newest = Math.max(
    ...readdirSync(join(ROOT, "migrations")).map((name) => Number.parseInt(name, 10) || 0),
  );
  if (newest > lastReleased)
    expect(unreleased).toMatch(new RegExp(`Migrations? .*${String(newest).padStart(4, "0")}`));
});
