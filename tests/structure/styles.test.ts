import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const APP = join(import.meta.dirname, "../../app");
const MAX_SHEETS = 21;

const files = readdirSync(APP, { recursive: true }).map(String);
const sheets = files.filter((path) => path.endsWith(".css"));
const components = files.filter((path) => path.endsWith(".tsx"));
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

/** Every class that a selector of any sheet names. */
function knownClasses(): Set<string> {
  const css = sheets
    .map(read)
    .join("\n")
    .replaceAll(/\/\*.*?\*\//gs, "");
  return new Set([...css.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = ""]) => name));
}

/** Class lists written as text (`className="…"`, `className: "…"`), or as alternatives and templates in braces. */
function classesIn(source: string): string[] {
  const plain = [...source.matchAll(/\b(?:\w*[cC]lassName(?:=|: )|grid: )"([^"]*)"/g)];
  const braces = [...source.matchAll(/\bclassName=\{((?:[^{}]|\{[^{}]*\})*)\}/g)].flatMap(([, code = ""]) => [
    ...code.matchAll(/[?:] "([^"]*)"/g),
    // A name that is joined with a value, such as `badge-${kind}`, is not known here.
    ...code.replaceAll(/[\w-]*\$\{[^{}]*\}/g, " ").matchAll(/`([^`]*)`/g),
  ]);
  return [...plain, ...braces].flatMap(([, list = ""]) => list.split(/\s+/)).filter(Boolean);
}

describe("style sheets", () => {
  it("define every class that a component uses: style it, or leave the class out", () => {
    const known = knownClasses();
    const used = components.flatMap((path) => classesIn(read(path)).map((name) => ({ path, name })));
    expect(used.filter(({ name }) => !known.has(name))).toEqual([]);
    expect(used.length).toBeGreaterThan(500);
  });

  it(`are ≤ ${MAX_SHEETS}, each beside its feature`, () => {
    expect(sheets.length, "Add the rules to the sheet of a feature or a layout").toBeLessThanOrEqual(
      MAX_SHEETS,
    );
  });

  // Shop and back office size the same controls differently; no page loads both.
  it.each(["layouts/shop/shop.css", "layouts/admin/admin.css"])("of %s define each class once", (entry) => {
    const homes = new Map<string, string[]>();
    for (const path of withImports(entry))
      for (const name of definedIn(path)) homes.set(name, [...(homes.get(name) ?? []), path]);
    expect([...homes].filter(([, paths]) => paths.length > 1)).toEqual([]);
    expect(homes.size).toBeGreaterThan(80);
  });
});
