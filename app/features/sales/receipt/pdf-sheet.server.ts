import { type EmbeddedFont, grayscale, type PDF, type PDFImage, type PDFPage } from "@libpdf/core";

/** A4 in points; positions are measured from its upper left corner. */
const PAGE = { width: 595.28, height: 841.89 };
export const MARGIN = { left: 56.7, right: 51, top: 51, bottom: 51 };
/** Right edge of the text. */
export const RIGHT = PAGE.width - MARGIN.right;
/** Lower edge of the text, above the footer. */
const BOTTOM = PAGE.height - MARGIN.bottom - 44;
const BLACK = grayscale(0);
const SOFT = grayscale(0.25);
/** Height of a line of the footer. */
const FOOTER_LINE = 12;
/** Distance from a line's top to its base line, of its size. */
const ASCENT = 0.95;

export interface Fonts {
  regular: EmbeddedFont;
  bold: EmbeddedFont;
}

interface TextStyle {
  size?: number;
  isBold?: boolean;
  isSoft?: boolean;
  /** The text ends at `x` instead of beginning there. */
  alignRight?: boolean;
}

/** Pages of one document, filled from top to bottom; `y` is where the next line begins. */
export class Sheet {
  readonly pages: PDFPage[] = [];
  y = MARGIN.top;
  #page: PDFPage;

  /** Begins the first page. @param drawHeading draws the heading of every page after the first */
  constructor(
    private readonly pdf: PDF,
    private readonly fonts: Fonts,
    private readonly drawHeading: (sheet: Sheet) => void,
  ) {
    this.#page = this.#addPage();
  }

  /** Begins a new page unless `height` fits on this one, or no page would hold it. */
  ensure(height: number): void {
    if (this.y + Math.min(height, BOTTOM - 200) <= BOTTOM) return;
    this.#page = this.#addPage();
    this.y = MARGIN.top;
    this.drawHeading(this);
  }

  /** Draws one line of text at `y`, without moving it. */
  text(text: string, x: number, style: TextStyle = {}, y = this.y): void {
    const { size = 10.5, isSoft = false, alignRight = false } = style;
    const font = this.#font(style);
    const drawn = printable(text, font);
    if (drawn === "") return;
    this.#page.drawText(drawn, {
      x: alignRight ? x - font.widthOfTextAtSize(drawn, size) : x,
      y: PAGE.height - y - size * ASCENT,
      size,
      font,
      color: isSoft ? SOFT : BLACK,
    });
  }

  /** Breaks text into lines of a width. */
  lines(text: string, width: number, style: TextStyle = {}): string[] {
    const font = this.#font(style);
    return wrap(printable(text, font), width, style.size ?? 10.5, font);
  }

  width(text: string, style: TextStyle = {}): number {
    const font = this.#font(style);
    return font.widthOfTextAtSize(printable(text, font), style.size ?? 10.5);
  }

  /** Draws a horizontal rule at `y`. */
  rule(from: number, to: number, thickness: number, isSoft = false): void {
    const y = PAGE.height - this.y;
    const color = grayscale(isSoft ? 0.72 : 0);
    this.#page.drawLine({ start: { x: from, y }, end: { x: to, y }, thickness, color });
  }

  /** Fills an SVG path, black or white. @param scale points per unit of the path */
  fill(path: string, x: number, scale: number, isWhite = false): void {
    const color = grayscale(isWhite ? 1 : 0);
    this.#page.drawSvgPath(path, { x, y: PAGE.height - this.y, scale, color, windingRule: "evenodd" });
  }

  /** Draws a picture at `y` within a size, with its own proportions. @returns its width */
  image(image: PDFImage, x: number, most: { width: number; height: number }): number {
    const scale = Math.min(most.width / image.width, most.height / image.height);
    const [width, height] = [image.width * scale, image.height * scale];
    this.#page.drawImage(image, { x, y: PAGE.height - this.y - height, width, height });
    return width;
  }

  /** Strokes an SVG path. @param scale points per unit of the path */
  stroke(path: string, x: number, y: number, scale: number): void {
    this.#page.drawSvgPath(path, {
      x,
      y: PAGE.height - y,
      scale,
      borderColor: BLACK,
      borderWidth: 1,
    });
  }

  /** Draws the footer at the end of the last page, or of one more where it does not fit, and the numbers of several pages. */
  finish(footer: string): void {
    const style = { size: 9, isSoft: true };
    const end = PAGE.height - MARGIN.bottom;
    const top = end - 9;
    const width = RIGHT - MARGIN.left - 80;
    const lines = footer.split("\n").flatMap((line) => (line ? this.lines(line, width, style) : []));
    if (this.y + lines.length * FOOTER_LINE > end) this.#page = this.#addPage();
    lines.forEach((line, i) => {
      this.text(line, MARGIN.left, style, top - (lines.length - 1 - i) * FOOTER_LINE);
    });
    if (this.pages.length === 1) return;
    this.pages.forEach((page, i) => {
      this.#page = page;
      this.text(`Page ${i + 1} of ${this.pages.length}`, RIGHT, { ...style, alignRight: true }, top);
    });
  }

  #font({ isBold = false }: TextStyle): EmbeddedFont {
    return isBold ? this.fonts.bold : this.fonts.regular;
  }

  #addPage(): PDFPage {
    const page = this.pdf.addPage(PAGE);
    this.pages.push(page);
    return page;
  }
}

/** Glyphs of a font; the PDF library leaves out silently what the font lacks. */
export interface Glyphs {
  canEncode(text: string): boolean;
  /** Returns the width in points. */
  widthOfTextAtSize(text: string, size: number): number;
}

/** Stands for a letter that the font lacks. */
const REPLACEMENT = "\uFFFD";
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Prepares text for a font: white space and control characters become single spaces, invisible characters are left out,
 * a letter with marks keeps those that the font has, and each letter or emoji that the font lacks becomes U+FFFD.
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
    font.canEncode(segment) ? segment : nearest(segment, font),
  ).join("");
}

/** Builds a letter from what it stands for, or from its base and those of its marks for which the font has a composed glyph. */
function nearest(letter: string, font: Glyphs): string {
  // A ligature such as ﬁ and a full-width letter are written as what they stand for.
  const parts = letter.normalize("NFKC");
  if (font.canEncode(parts)) return parts;
  const [base = "", ...marks] = letter.normalize("NFD");
  if (!font.canEncode(base)) return REPLACEMENT;
  return marks.reduce((known, mark) => {
    const composed = (known + mark).normalize("NFC");
    return font.canEncode(composed) ? composed : known;
  }, base);
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
