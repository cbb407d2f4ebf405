/** Colours of common names, and of the materials that products are made of. */
const SWATCHES = new Map(
  `black #26282a, white #f7f6f2, grey #8b8f90, gray #8b8f90, silver #c3c8ca, red #b93a32, orange #d87a34,
  yellow #ecc842, green #3f7a54, blue #3e6ea6, navy #25355a, purple #6d4f91, violet #6d4f91, pink #d98ea0,
  brown #70492f, beige #d9c8a9, turquoise #46a5a0, teal #2f7475, burgundy #6f2638, olive #72753f, moss #33503f,
  sand #d2b98f, clay #a65d40, ink #354250, rose #c47f84, tan #bb855a, cream #f1e7d0, ivory #f3ecdb,
  oat #dbcbb0, honey #d99a35, sage #98aa8c, mint #a9d4bd, fir #2f4d3d, eucalyptus #7d9a8c, jade #5d9c7d,
  celadon #afc4ae, leaf #5d8a4c, terracotta #bb6647, ochre #c48c34, slate #545e63, graphite #44484b,
  charcoal #393c3f, steel #9aa3a8, gold #cfa64c, brass #b8944a, copper #b3704a, walnut #664830, oak #bf9766,
  beech #d9b98d, leather #93613c, rose gold #d0a08c, rose quartz #e3bfbe, slate blue #5b6f8b, coral #e07f69`
    .split(/,\s+/)
    .map((pair): [string, string] => [pair.slice(0, -8), pair.slice(-7)]),
);

/** Reads one colour: a known name, or one with light, pale or dark before it. */
function readColor(name: string): { base: string; shade?: string | undefined } | undefined {
  const known = SWATCHES.get(name);
  if (known) return { base: known };
  const [, shade, rest = ""] = /^(light|pale|dark) (.+)$/.exec(name) ?? [];
  const base = SWATCHES.get(rest);
  return base ? { base, shade } : undefined;
}

/** Returns the background of one colour. */
function plainSwatch(name: string): string | undefined {
  const color = readColor(name);
  if (!color?.shade) return color?.base;
  return `color-mix(in oklab,${color.base},${color.shade === "dark" ? "black 35%" : "white 45%"})`;
}

/** Returns the lightness of one colour, 0 to 1: the cube root of its relative luminance. */
export function lightnessOf(name: string): number | undefined {
  const color = readColor(name);
  if (!color) return undefined;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.base.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const lightness = Math.cbrt(0.2126 * red + 0.7152 * green + 0.0722 * blue);
  if (!color.shade) return lightness;
  return color.shade === "dark" ? 0.65 * lightness : 0.55 * lightness + 0.45;
}

/** Returns the CSS background of a colour, halved for `A and B`; null for an unknown name. */
export function swatchOf(color: string | null | undefined): string | null {
  const parts = (color ?? "")
    .trim()
    .toLowerCase()
    .split(/ (?:and|on) /);
  const swatches = parts.map(plainSwatch);
  if (parts.length > 2 || !swatches.every((swatch) => swatch !== undefined)) return null;
  const [first = null, second] = swatches;
  return second ? `linear-gradient(135deg,${first} 50%,${second} 50%)` : first;
}
