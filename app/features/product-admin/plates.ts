import { type Plate, roundShare, type TONES } from "~/domain/engraving-plate";

/** Names of the fields of a plate in a form without a script; each is sent once for every image. */
export const PLATE_INPUTS = [
  "plateX",
  "plateY",
  "plateWidth",
  "plateHeight",
  "plateAngle",
  "plateTone",
  "plateLines",
] as const;
export type PlateInput = (typeof PLATE_INPUTS)[number];
/** Names of the fields by the values of a plate. */
export const PLATE_FIELDS: Record<keyof Plate, PlateInput> = {
  x: "plateX",
  y: "plateY",
  width: "plateWidth",
  height: "plateHeight",
  angle: "plateAngle",
  tone: "plateTone",
  lines: "plateLines",
};
/** Texts of the fields of a plate; the sides are percentages. */
export type PlateTexts = Record<PlateInput, string>;

/** Plate that a seller begins with, in the middle of the picture. */
export const FIRST_PLATE: Plate = {
  x: 0.3,
  y: 0.45,
  width: 0.4,
  height: 0.1,
  angle: 0,
  tone: "burnt",
  lines: [14],
};

/** Writes the fields of a plate; without one they are empty, except what a first plate has. */
export function plateTexts(plate: Plate | undefined): PlateTexts {
  const { angle, tone, lines } = plate ?? FIRST_PLATE;
  const percent = (share: number | undefined) => (share === undefined ? "" : String(roundShare(share * 100)));
  return {
    plateX: percent(plate?.x),
    plateY: percent(plate?.y),
    plateWidth: percent(plate?.width),
    plateHeight: percent(plate?.height),
    plateAngle: String(angle),
    plateTone: tone,
    plateLines: lines.join(", "),
  };
}

/** Reads the fields of a plate, which are checked later; undefined without any side. */
export function readPlate(texts: PlateTexts): Record<keyof Plate, unknown> | undefined {
  const { plateX, plateY, plateWidth, plateHeight, plateAngle, plateTone, plateLines } = texts;
  if ([plateX, plateY, plateWidth, plateHeight].every((text) => text.trim() === "")) return undefined;
  const share = (text: string) => (text.trim() === "" ? null : roundShare(decimal(text) / 100));
  return {
    x: share(plateX),
    y: share(plateY),
    width: share(plateWidth),
    height: share(plateHeight),
    angle: plateAngle.trim() === "" ? 0 : decimal(plateAngle),
    tone: plateTone,
    lines: plateLines
      .split(/[\s,;]+/)
      .filter(Boolean)
      .map(Number),
  };
}

const decimal = (text: string) => Number(text.trim().replace(",", "."));

/** Reads the plates of a form without a script, by the entry of their image. */
export function typedPlates(
  tiles: readonly unknown[],
  inputs: Record<PlateInput, readonly unknown[]>,
): Record<string, unknown> {
  return Object.fromEntries(
    tiles.flatMap((entry, i) => {
      const texts = PLATE_INPUTS.map((name) => [name, String(inputs[name][i] ?? "")]);
      const plate = readPlate(Object.fromEntries(texts) as PlateTexts);
      return plate && typeof entry === "string" ? [[entry, plate]] : [];
    }),
  );
}

/** Puts plates into the order of their images, and their values into one order, for comparison. */
export function platesInOrder(images: string[], plates: Record<string, Plate>): Record<string, Plate> {
  return Object.fromEntries(
    images.flatMap((entry) => {
      const plate = plates[entry];
      if (!plate) return [];
      const { x, y, width, height, angle, tone, lines } = plate;
      const sides = {
        x: roundShare(x),
        y: roundShare(y),
        width: roundShare(width),
        height: roundShare(height),
      };
      return [[entry, { ...sides, angle, tone, lines }]];
    }),
  );
}

/** Smallest side of a plate that is drawn. */
const SMALLEST = 0.02;
const within = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max);

/** Moves a plate by shares of the picture, within it. */
export function movedPlate(plate: Plate, dx: number, dy: number): Plate {
  return {
    ...plate,
    x: roundShare(within(plate.x + dx, 0, 1 - plate.width)),
    y: roundShare(within(plate.y + dy, 0, 1 - plate.height)),
  };
}

/** Resizes a plate from its right lower corner, within the picture. */
export function resizedPlate(plate: Plate, dx: number, dy: number): Plate {
  return {
    ...plate,
    width: roundShare(within(plate.width + dx, SMALLEST, 1 - plate.x)),
    height: roundShare(within(plate.height + dy, SMALLEST, 1 - plate.y)),
  };
}

/** Spans a plate between two points of the picture. */
export function spannedPlate(plate: Plate, from: [number, number], to: [number, number]): Plate {
  const x = roundShare(within(Math.min(from[0], to[0]), 0, 1 - SMALLEST));
  const y = roundShare(within(Math.min(from[1], to[1]), 0, 1 - SMALLEST));
  const [right, bottom] = [Math.max(from[0], to[0]), Math.max(from[1], to[1])];
  return {
    ...plate,
    x,
    y,
    width: roundShare(within(right - x, SMALLEST, 1 - x)),
    height: roundShare(within(bottom - y, SMALLEST, 1 - y)),
  };
}

export const TONE_NAMES: Record<(typeof TONES)[number], string> = {
  burnt: "Burnt (wood, leather)",
  cut: "Cut (metal)",
  dark: "Dark (enamel)",
  light: "Light (slate, glass, coats)",
};
