/**
 * Ways in which the laser marks a material: `burnt` into wood and leather, `cut` into metal, `dark` by enamel, `light` on
 * slate, glass and coats.
 */
export const TONES = ["burnt", "cut", "dark", "light"] as const;
export type Tone = (typeof TONES)[number];

/** Place on a picture that words are engraved on. */
export interface Plate {
  /** Rectangle before it is turned, as shares of the 4:5 frame in which pictures are shown. */
  x: number;
  y: number;
  width: number;
  height: number;
  /** Clockwise, degrees. */
  angle: number;
  tone: Tone;
  /** Greatest length of each line, characters. */
  lines: number[];
}

/** Shares are rounded to a hundredth of a percent. */
const SHARE_STEPS = 10_000;
export const roundShare = (share: number) => Math.round(share * SHARE_STEPS) / SHARE_STEPS;
