import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const APP = join(import.meta.dirname, "../../app");
const MAX_SHEETS = 20;

const sheets = readdirSync(APP, { recursive: true })
  .map(String)
  .filter((path) => path.endsWith(".css"));
const read = (path: string) => readFileSync(join(APP, path), "utf8");

/** A sheet and all that it imports. */
function withImports(path: string): string[] {
  const imported = [...read(path).matchAll(/@import "([^"]+)"/g)];
  return [
    path,
    ...imported.flatMap(([, name = ""]) => withImports(relative(APP, join(APP, dirname(path), name)))),
  ];
}

/** Classes that a sheet styles on their own, outside media queries: `.name {`. */
function definedIn(path: string): string[] {
  const rules = read(path)
    .replaceAll(/\/\*.*?\*\//gs, "")
    .matchAll(/^ {2}((?:[^\s{}@].*,\n {2})*[^\s{}@].*) \{$/gm);
  const selectors = [...rules].flatMap(([, list = ""]) => list.split(/,\n\s*/));
  return [...new Set(selectors.flatMap((selector) => /^\.([\w-]+)$/.exec(selector)?.[1] ?? []))];
}

describe("style sheets", () => {
  it(`are ≤ ${MAX_SHEETS}, each beside its feature`, () => {
    expect(sheets.length).toBeLessThanOrEqual(MAX_SHEETS);
  });

  // Shop and back office size the same controls differently; no page loads both.
  it.each(["layouts/shop/shop.css", "layouts/admin/admin.css"])("of %s define each class once", (entry) => {
    const homes = new Map<string, string[]>();
    for (const path of withImports(entry))
      for (const name of definedIn(path)) homes.set(name, [...(homes.get(name) ?? []), path]);
    expect([...homes].filter(([, paths]) => paths.length > 1)).toEqual([]);
    expect(homes.size).toBeGreaterThan(100);
  });
});
