import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../scripts/local-shop.mjs";

const STATIC_IMPORT = /^(?:import\s[^;]*?from\s+|import\s+|\}\s+from\s+)["']([^"']+)["']/gm;

/** Lists the packages that a script and its modules import before their first line runs. */
function packagesOf(path: string, seen = new Set<string>()): string[] {
  if (seen.has(path)) return [];
  seen.add(path);
  const names = [...readFileSync(path, "utf8").matchAll(STATIC_IMPORT)].map(([, name = ""]) => name);
  return names.flatMap((name) => {
    if (name.startsWith(".")) return packagesOf(join(dirname(path), name), seen);
    return name.startsWith("node:") ? [] : [`${path.slice(ROOT.length)}: ${name}`];
  });
}

it.each(["start.mjs", "test.mjs", "dev.mjs"])("scripts/%s runs before packages are installed", (script) => {
  expect(packagesOf(join(ROOT, "scripts", script)), "Import packages after install()").toEqual([]);
});

it("finds packages that modules of a script import", () => {
  expect(packagesOf(join(ROOT, "scripts/nightly.mjs")).join()).toMatch(/croner.*wrangler/);
});
