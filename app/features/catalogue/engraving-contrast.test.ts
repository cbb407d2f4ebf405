import { readFileSync } from "node:fs";
import sharp from "sharp";
import { expect, it } from "vitest";
import { type Plate, TONES, type Tone } from "~/domain/engraving-plate";
import catalogue from "../../../data/catalogue.json";
import { offeredOptions } from "./product-views.server";

/** Red, green and blue, 0 to 1. */
type Color = [number, number, number];

/** Least contrast of large letters. */
const MIN_CONTRAST = 3;
const LIGHT_GREY: Color = [0.82, 0.82, 0.8];

const css = readFileSync("app/styles/base.css", "utf8");

const hex = (text: string) =>
  [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16) / 255) as Color;

/** Reads a custom property of a tone, `oklch(l c h / alpha)`. */
function toneColor(tone: Tone, property: string): { color: Color; alpha: number } {
  const [, values = ""] =
    new RegExp(`\\.tone-${tone} \\{[^}]*${property}: oklch\\(([^)]+)\\)`).exec(css) ?? [];
  const [l = 0, c = 0, h = 0, alpha = 1] = values.split(/[\s/]+/).map(Number);
  const [a, b] = [c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)];
  const [x, y, z] = [
    (l + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (l - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (l - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ];
  const linear = [
    4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
    -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
    -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
  ].map((value) => Math.min(1, Math.max(0, value)));
  const color = linear.map((value) =>
    value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055,
  );
  return { color: color as Color, alpha };
}

function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Color, other: Color): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Averages the middle of a plate. */
async function plateColor(picture: string, { x, y, width, height }: Plate): Promise<Color> {
  const image = sharp(`data/pictures/${picture}`);
  const size = await image.metadata();
  const middle = {
    left: Math.round((x + width * 0.15) * size.width),
    top: Math.round((y + height * 0.15) * size.height),
    width: Math.round(width * 0.7 * size.width),
    height: Math.round(height * 0.7 * size.height),
  };
  const { channels } = await sharp(await image.extract(middle).toBuffer()).stats();
  return channels.slice(0, 3).map(({ mean }) => mean / 255) as Color;
}

const PLATES = catalogue.flatMap((product) =>
  Object.entries("plates" in product ? (product.plates as unknown as Record<string, Plate>) : {}),
);

const COLORS = catalogue.flatMap((product) => {
  if (!("hasEngraving" in product)) return [];
  const { colors } = offeredOptions({
    ...product,
    hasEngraving: true,
    imageUrls: product.pictures,
    imageAlts: product.alt,
    ...{ options: [], units: [], priceCents: 1000 },
    optionLabel: "",
    plates: "plates" in product ? (product.plates as unknown as Record<string, Plate>) : {},
  });
  return colors.map((color) => ({ slug: product.slug, ...color }));
});

it("knows the colours of every tone", () => {
  expect(TONES.map((tone) => luminance(toneColor(tone, "--tone").color) > 0.5)).toEqual([
    false,
    false,
    false,
    true,
  ]);
});

it("draws words on the plain plate of every colour of the demo so that they can be read", () => {
  const plain = COLORS.filter(({ swatch }) => !swatch?.startsWith("linear"));
  expect(plain.map(({ slug, name }) => `${slug} ${name}`)).toContain("monogram-leather-wallet Black");
  const unreadable = plain.filter(
    ({ swatch, tone }) =>
      !tone || contrast(toneColor(tone, "--tone").color, swatch ? hex(swatch) : LIGHT_GREY) < MIN_CONTRAST,
  );
  expect(unreadable).toEqual([]);
});

it.each(PLATES)("outlines words on %s so that they can be read", async (picture, plate) => {
  const edge = toneColor(plate.tone, "--tone-edge");
  const below = await plateColor(picture, plate);
  const outline = below.map(
    (value, i) => value * (1 - edge.alpha) + (edge.color[i] ?? 0) * edge.alpha,
  ) as Color;
  expect(contrast(toneColor(plate.tone, "--tone").color, outline)).toBeGreaterThan(MIN_CONTRAST);
});
