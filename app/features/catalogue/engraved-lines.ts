import type { Plate } from "~/domain/engraving-plate";

/** Frame of pictures, in units of a plate's drawing. */
export const FRAME = { width: 800, height: 1000 };
/** Width of an average character and height of a line, in font sizes. */
const CHARACTER = 0.56;
const LINE = 1.16;

/** Characters that are as wide as two. */
const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Extended_Pictographic}]/u;
const segmenter = new Intl.Segmenter();
const characters = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment);
const widthOf = (text: string) =>
  characters(text).reduce((width, character) => width + (WIDE.test(character) ? 2 : 1), 0);

/** Greatest widths of characters in the engraving's font, in font sizes; the first that matches holds. */
const WIDTHS: [RegExp, number][] = [
  [WIDE, 1.3],
  [/[iljI.,:;'’|!()[\] ]/, 0.36],
  [/[frt\-*"“”]/, 0.45],
  [/[mwMW@%…—]/, 1],
  [/[\p{Lu}\p{N}&€$]/u, 0.78],
  [/[\p{sc=Latin}\p{sc=Common}\p{M}]/u, 0.64],
];
const fontWidth = (text: string) =>
  characters(text).reduce(
    (width, character) => width + (WIDTHS.find(([kind]) => kind.test(character))?.[1] ?? 1),
    0,
  );

/** Breaks words into lines of at most `width`; a word that is longer is broken. */
function broken(words: string[], width: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(...pieces(word, width));
  }
  return lines;
}

function pieces(word: string, width: number): string[] {
  const parts = [""];
  for (const character of characters(word)) {
    const part = `${parts.at(-1)}${character}`;
    if (widthOf(part) > width && parts.at(-1) !== "") parts.push(character);
    else parts[parts.length - 1] = part;
  }
  return parts;
}

/** Words on a plate: its lines, in the largest size at which they fit. */
export interface EngravedLines {
  lines: string[];
  /** Units of `FRAME`. */
  size: number;
}

/**
 * Breaks words into as many lines as give the largest letters. Short words keep the size of the plate's own greatest
 * lengths, longer ones are smaller and may have more lines.
 */
export function engravedLines(text: string, plate: Pick<Plate, "width" | "height" | "lines">): EngravedLines {
  const words = text.split(/\s+/).filter(Boolean);
  const total = widthOf(words.join(" "));
  const [width, height] = [plate.width * FRAME.width, plate.height * FRAME.height];
  const fits = (lines: string[]) =>
    Math.min(
      height / (lines.length * LINE),
      width / Math.max((plate.lines[0] ?? 1) * CHARACTER, ...lines.map(fontWidth)),
    );
  // Another line needs letters that are clearly larger.
  const score = (lines: string[]) => fits(lines) * 0.88 ** lines.length;
  const isShort = total <= plate.lines.reduce((sum, length) => sum + length, 0);
  const most = isShort ? plate.lines.length : Math.max(plate.lines.length, Math.ceil(Math.sqrt(total)));
  const limits = Array.from({ length: total }, (_, i) => i + 1);
  const layouts = limits.map((limit) => broken(words, limit)).filter(({ length }) => length <= most);
  const best = layouts.reduce((one, other) => (score(other) > score(one) ? other : one), words);
  return { lines: best, size: fits(best) };
}

/** Finds out whether words fit on the lines of a plate, in order. */
function fitOn(text: string, lines: number[]): boolean {
  let line = 0;
  let used = 0;
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const length = widthOf(word);
    used += used > 0 ? 1 + length : length;
    while (used > (lines[line] ?? Number.POSITIVE_INFINITY)) {
      line++;
      used = length;
    }
  }
  return line < lines.length;
}

/** Cuts words that exceed a plate after the last character that fits, with an ellipsis. */
export function cutWords(text: string, { lines }: Pick<Plate, "lines">): string {
  if (fitOn(text, lines)) return text;
  const kept = characters(text);
  while (kept.length > 0 && !fitOn(`${kept.join("").trimEnd()}…`, lines)) kept.pop();
  return `${kept.join("").trimEnd()}…`;
}

/** Says how much a plate holds: `2 lines of 12 letters`, `lines of 9 and 12 letters`. */
export function roomOf({ lines }: Pick<Plate, "lines">): string {
  const [first] = lines;
  if (lines.some((length) => length !== first)) return `lines of ${lines.join(" and ")} letters`;
  return `${lines.length} ${lines.length === 1 ? "line" : "lines"} of ${first} letters`;
}

/** Says that words exceed a plate; they are accepted, since the seller may know a way. @returns null when they fit */
export const engravingNote = (text: string, plate: Pick<Plate, "lines">): string | null =>
  fitOn(text, plate.lines) ? null : `Too long for this piece: ${roomOf(plate)}. We'll ask in the chat.`;
