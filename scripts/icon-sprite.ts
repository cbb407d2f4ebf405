import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { BRAND_ICONS, LOGO, LUCIDE_ICONS } from "../app/ui/icons";

const { resolve } = createRequire(import.meta.url);
const FILE = fileURLToPath(new URL("../app/ui/icons.svg", import.meta.url));

/**
 * Writes the icons in use to one SVG file, which app/ui/Icon.tsx imports as an asset: the build gives it a hashed name.
 * The file is derived and not committed.
 */
export function iconSprite() {
  return { name: "icon-sprite", buildStart: writeSprite } satisfies Plugin;
}

/** Writes the file unless it is there already: a newer source would have the shop built again. */
function writeSprite(): void {
  const svg = spriteSvg();
  if (!existsSync(FILE) || readFileSync(FILE, "utf8") !== svg) writeFileSync(FILE, svg);
}

/** Returns an SVG document with one symbol per icon, and the logo. */
export function spriteSvg(): string {
  const icons: [string, string][] = [
    ...LUCIDE_ICONS.map((name): [string, string] => [name, lucideShapes(name)]),
    ...Object.entries(BRAND_ICONS),
  ];
  const symbols = icons.map(
    ([name, shapes]) => `<symbol id="${name}" viewBox="0 0 24 24">${shapes}</symbol>`,
  );
  symbols.push(`<symbol id="logo" viewBox="0 0 32 32">${LOGO}</symbol>`);
  return `<!-- Lucide icons, ISC License --><svg xmlns="http://www.w3.org/2000/svg">${symbols.join("\n")}</svg>\n`;
}

/** Contents of one of Lucide's files without its <svg>, whose stroke attributes the class `i` sets. */
function lucideShapes(name: string): string {
  const file = readFileSync(resolve(`lucide-static/icons/${name}.svg`), "utf8");
  return file
    .replace(/^[\s\S]*?<svg[^>]*>|<\/svg>/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
