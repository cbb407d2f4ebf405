/** Glyphs of a font; the PDF library leaves out silently what the font lacks. */
export interface Glyphs {
  canEncode(text: string): boolean;
  /** @returns points */
  widthOfTextAtSize(text: string, size: number): number;
}

/** Stands for a letter that the font lacks. */
const REPLACEMENT = "\uFFFD";
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Prepares text for a font: white space and control characters become single spaces, invisible characters are left out,
 * and each letter or emoji that the font lacks becomes U+FFFD.
 */
export function printable(text: string, font: Glyphs): string {
  const plain = text
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .replaceAll(/\p{Default_Ignorable_Code_Point}+/gu, (invisible) =>
      // Joins an emoji of several parts, which is one letter.
      invisible.includes("\u200D") ? "\u200D" : "",
    )
    .trim();
  if (font.canEncode(plain)) return plain;
  return Array.from(graphemes.segment(plain), ({ segment }) =>
    font.canEncode(segment) ? segment : REPLACEMENT,
  ).join("");
}

/**
 * Breaks text into lines between words, and within a word that is wider than a line.
 *
 * @param text of one line, as `printable` returns it
 * @param width points
 * @returns at least one line
 */
export function wrap(text: string, width: number, size: number, font: Glyphs): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (font.widthOfTextAtSize(joined, size) <= width) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    const parts = breakWord(word, width, size, font);
    line = parts.pop() ?? "";
    lines.push(...parts);
  }
  return [...lines, line];
}

/** Breaks a word into parts of a line's width; a part has at least one letter. */
function breakWord(word: string, width: number, size: number, font: Glyphs): string[] {
  const parts: string[] = [];
  let part = "";
  let partWidth = 0;
  for (const letter of word) {
    const letterWidth = font.widthOfTextAtSize(letter, size);
    if (part !== "" && partWidth + letterWidth > width) {
      parts.push(part);
      part = "";
      partWidth = 0;
    }
    part += letter;
    partWidth += letterWidth;
  }
  return [...parts, part];
}
