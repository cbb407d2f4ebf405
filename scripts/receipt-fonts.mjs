// Writes the fonts of receipts as PDF (docs/decisions/0026-receipts.md): subsets of Noto Sans from its npm package.
// Run after an update of the package: node scripts/receipt-fonts.mjs
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import subsetFont from "subset-font";

const PACKAGE = "node_modules/@expo-google-fonts/noto-sans";
const OUTPUT = "app/features/sales/receipt/fonts";
/** Unicode ranges of the scripts that receipts print; the fonts lack a few of these code points. */
const RANGES = [
  [0x0020, 0x007e], // Basic Latin
  [0x00a0, 0x017f], // Latin-1 Supplement, Latin Extended-A
  [0x01a0, 0x01a1], // Vietnamese
  [0x01af, 0x01b0], // Vietnamese
  [0x0218, 0x021b], // Romanian
  [0x02c6, 0x02dd], // Modifier letters
  [0x0370, 0x03ff], // Greek
  [0x0400, 0x045f], // Cyrillic
  [0x0490, 0x0493], // Ukrainian, Kazakh
  [0x1e9e, 0x1e9e], // Capital sharp s
  [0x1ea0, 0x1ef9], // Vietnamese
  [0x2010, 0x2027], // Dashes, quotation marks, bullet, ellipsis
  [0x2030, 0x203a], // Per mille, primes, angle quotation marks
  [0x20a0, 0x20bf], // Currency signs
  [0x2116, 0x2122], // Numero sign, trade mark
  [0x2212, 0x2212], // Minus
  [0xfffd, 0xfffd], // Replacement character
];

const text = RANGES.map(([from, to]) =>
  String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, i) => from + i)),
).join("");

for (const [folder, name] of [
  ["400Regular", "Regular"],
  ["600SemiBold", "SemiBold"],
]) {
  const font = readFileSync(join(PACKAGE, folder, `NotoSans_${folder}.ttf`));
  const subset = await subsetFont(font, text, {
    targetFormat: "truetype",
    noHinting: true,
    noLayoutClosure: true,
    // The PDF positions glyphs by their advance alone.
    dropTables: ["GSUB", "GPOS", "GDEF", "STAT"],
  });
  writeFileSync(join(OUTPUT, `NotoSans-${name}.ttf`), subset);
  console.log(`NotoSans-${name}.ttf: ${subset.length} bytes`);
}
copyFileSync(join(PACKAGE, "LICENSE_FONT"), join(OUTPUT, "OFL.txt"));
