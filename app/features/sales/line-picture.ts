import { picturesOf } from "~/features/catalogue/colour-pictures";
import { nameWithOptions } from "~/features/catalogue/options";

/** Pictures of the product of a line, and what the line says of it. */
export interface LinePictures {
  /** Entry of the unit's own picture; "" for none. */
  unit: string;
  name: string;
  text: string;
  colors: string[];
  images: string[];
  alts: string[];
}

/** Finds the picture of a line: that of its unit, else that of the colour which its text names after the product, else the first. */
export function storedLinePicture({ unit, name, text, colors, images, alts }: LinePictures): string | null {
  if (unit) return unit;
  const named = colors.findIndex((color) => isNamed(text, nameWithOptions(name, { color })));
  return images[picturesOf(colors, alts)[named] ?? 0] ?? null;
}

/** Tests for a text that names a choice, alone or before other choices: `Case (Clay)`, `Case (Clay, “Ines”)`. */
const isNamed = (text: string, choice: string): boolean =>
  text.startsWith(choice) || text.startsWith(`${choice.slice(0, -1)},`);
