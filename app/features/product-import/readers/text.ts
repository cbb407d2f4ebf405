import type { ChosenEncoding, Encoding } from "../sheet";
import { type CodePage, guessCodePage, redecode } from "./code-pages";

/** Stands before a letter whose byte did not fit the encoding, or alone for one that was cut off. No text contains it. */
const ODD_MARK = "\ufffe";
const ODD_MARKS = /\ufffe(.?)/gu;
/** Odd bytes of a row that its note quotes. */
const MAX_QUOTED = 3;
/** Odd bytes of a file whose rows are noted; a file with more is no UTF-8. */
const MAX_ODD_BYTES = 10_000;
/** Letters of UTF-8 beyond which they are none by chance. */
const MAX_CHANCE_LETTERS = 10_000;

export interface DecodedText {
  /** Without its BOM. Letters that did not fit follow a mark, which `takeOddLetters` removes. */
  text: string;
  encoding: Encoding;
  /** The bytes alone don't determine the encoding. */
  isGuessed: boolean;
  /** Code pages that read the text differently and nearly as well as a guessed one. */
  rivals: CodePage[];
  hasOddLetters: boolean;
}

/**
 * Decodes a text file as its BOM says, as UTF-8 where all but a few bytes fit, else in the code page that suits it.
 *
 * @param chosen encoding that staff chose
 * @returns null for a binary file
 */
export function decodeText(bytes: Uint8Array, chosen: ChosenEncoding | null): DecodedText | null {
  const decoded = chosen ? decodeAs(bytes, chosen) : decodeByContent(bytes);
  return isBinary(decoded.text) ? null : decoded;
}

function decodeAs(bytes: Uint8Array, encoding: ChosenEncoding): DecodedText {
  if (encoding === "utf-8") return decodeUtf8(bytes, findOddBytes(bytes));
  const text = new TextDecoder(encoding).decode(bytes);
  return { text, encoding, isGuessed: false, rivals: [], hasOddLetters: false };
}

function decodeByContent(bytes: Uint8Array): DecodedText {
  const utf16 = utf16Encoding(bytes);
  if (utf16) {
    const text = new TextDecoder(utf16).decode(bytes);
    return { text, encoding: utf16, isGuessed: false, rivals: [], hasOddLetters: false };
  }
  const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const found = findOddBytes(bytes);
  if (hasBom || isUtf8(bytes, found)) return decodeUtf8(bytes, found);
  const { page, rivals } = guessCodePage(bytes);
  return { ...decodeAs(bytes, page), isGuessed: true, rivals };
}

/**
 * Letters of UTF-8 by chance: Mac Roman’s quotation marks before a letter, such as “’é”, are the bytes of Armenian letters
 * and rare Cyrillic ones, which no word joins to Latin letters.
 */
const CHANCE_LETTERS = /(?<=[a-z])[\u0480-\u058f]|[\u0480-\u058f](?=[a-z])/giu;

/** Judges that all but a few bytes of a text fit UTF-8. */
function isUtf8(bytes: Uint8Array, found: OddBytes): boolean {
  if (found.count > Math.min(found.letters, MAX_ODD_BYTES)) return false;
  if (found.letters > MAX_CHANCE_LETTERS) return true;
  const chance = new TextDecoder().decode(bytes).match(CHANCE_LETTERS)?.length ?? 0;
  return found.count + chance <= found.letters - chance;
}

/** Bytes of a text that are no part of UTF-8. */
interface OddBytes {
  /** Letters of two bytes and more that fit. */
  letters: number;
  count: number;
  /** The first positions. */
  odd: number[];
  /** Position of a letter that the end of the file cuts off. */
  cutAt: number | null;
}

function findOddBytes(bytes: Uint8Array): OddBytes {
  const found: OddBytes = { letters: 0, count: 0, odd: [], cutAt: null };
  for (let at = 0; at < bytes.length; at++) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    const { length, fits } = sequenceAt(bytes, at);
    const isWhole = length > 0 && fits === length;
    const isCut = length > 0 && !isWhole && at + fits === bytes.length;
    if (isWhole) found.letters++;
    else if (isCut) found.cutAt = at;
    else if (++found.count <= MAX_ODD_BYTES) found.odd.push(at);
    if (isWhole || isCut) at += fits - 1;
  }
  return found;
}

/** Measures the sequence that begins here: its length, 0 for none, and how many of its bytes fit. */
function sequenceAt(bytes: Uint8Array, at: number): { length: number; fits: number } {
  const length = sequenceLength(bytes[at] ?? 0);
  let fits = 1;
  while (fits < length && isContinuation(bytes, at, fits)) fits++;
  return { length, fits };
}

/** Returns the bytes of a sequence by its first one; 0 for a byte that begins none. */
function sequenceLength(first: number): number {
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

/** Checks a byte of a sequence, whose second one excludes overlong forms, surrogates and numbers beyond Unicode. */
function isContinuation(bytes: Uint8Array, start: number, place: number): boolean {
  const byte = bytes[start + place];
  if (byte === undefined || byte < 0x80 || byte > 0xbf) return false;
  if (place > 1) return true;
  const first = bytes[start];
  if (first === 0xe0) return byte >= 0xa0;
  if (first === 0xed) return byte <= 0x9f;
  if (first === 0xf0) return byte >= 0x90;
  return first !== 0xf4 || byte <= 0x8f;
}

/** Decodes UTF-8; an odd byte is read as Windows wrote it in the west. */
function decodeUtf8(bytes: Uint8Array, { odd, cutAt }: OddBytes): DecodedText {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const western = new TextDecoder("windows-1252");
  const parts: string[] = [];
  let from = 0;
  for (const at of odd) {
    parts.push(
      decoder.decode(bytes.subarray(from, at)),
      ODD_MARK,
      western.decode(bytes.subarray(at, at + 1)),
    );
    from = at + 1;
  }
  parts.push(decoder.decode(bytes.subarray(from, cutAt ?? bytes.length)));
  if (cutAt !== null) parts.push(ODD_MARK);
  const text = parts.join("").replace(/^\ufeff/, "");
  const hasOddLetters = odd.length > 0 || cutAt !== null;
  return { text, encoding: "utf-8", isGuessed: false, rivals: [], hasOddLetters };
}

/**
 * Removes the marks of odd letters from a row's cells.
 *
 * @returns a note on them; null for none
 */
export function takeOddLetters(cells: string[]): string | null {
  const letters: string[] = [];
  for (const [column, cell] of cells.entries()) {
    if (!cell.includes(ODD_MARK)) continue;
    cells[column] = cell.replace(ODD_MARKS, (_, letter: string) => {
      letters.push(letter);
      return letter;
    });
  }
  if (letters.length === 0) return null;
  const read = letters.filter(Boolean).slice(0, MAX_QUOTED);
  if (read.length === 0) return "The file ends within a letter: check this row";
  const quoted = read.map((letter) => `“${letter}”`).join(", ");
  return `A byte that is not UTF-8 was read as ${quoted}: check the text`;
}

/** NUL and others that text does not have; tabs and line breaks of any kind are none of them. */
const CONTROL = /(?![\t\n\v\f\r\x7f-\x9f])\p{Cc}/u;

/** Detects control characters among the headers, or many of them; a single one in a cell is an error in its row. */
function isBinary(text: string): boolean {
  const first = text.search(CONTROL);
  if (first === -1) return false;
  return !text.slice(0, first).trim().includes("\n") || text.split(CONTROL).length > 16 + text.length / 100;
}

function utf16Encoding(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  if (isLatinUtf16(bytes, 1)) return "utf-16le";
  if (isLatinUtf16(bytes, 0)) return "utf-16be";
  return null;
}

/** Detects UTF-16 without a BOM by the zero byte of each Latin letter. @param zeroAt its place in the pair */
function isLatinUtf16(bytes: Uint8Array, zeroAt: 0 | 1): boolean {
  const start = bytes.subarray(0, 200);
  const zeros = (place: number) => start.filter((byte, at) => at % 2 === place && byte === 0).length;
  return start.length >= 4 && zeros(zeroAt) > start.length / 4 && zeros(1 - zeroAt) === 0;
}

/** Texts of a file whose encoding is a guess, as each encoding reads them. */
interface GuessedTexts {
  samples: string[];
  /** The same texts in other code pages; empty for a guess that is certain. */
  rivals: { encoding: CodePage; samples: string[] }[];
}

/** Finds the first texts that a guess decides about, of an uncertain one those that its rivals read differently. */
export function guessedTexts(
  { encoding, isGuessed, rivals }: DecodedText,
  cells: () => Iterable<string>,
): GuessedTexts {
  if (!isGuessed) return { samples: [], rivals: [] };
  const as = (text: string, rival: CodePage) => redecode(text, encoding as CodePage, rival);
  const differing = encodedSamples(cells(), (cell) => rivals.some((rival) => as(cell, rival) !== cell));
  if (differing.length === 0) return { samples: encodedSamples(cells(), () => true), rivals: [] };
  return {
    samples: differing,
    rivals: rivals.map((rival) => ({
      encoding: rival,
      samples: differing.map((sample) => as(sample, rival)),
    })),
  };
}

/** Texts that show a guessed encoding. */
const MAX_SAMPLES = 3;
const MAX_SAMPLE_LENGTH = 60;

function encodedSamples(cells: Iterable<string>, isSample: (cell: string) => boolean): string[] {
  const samples = new Set<string>();
  for (const cell of cells) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: anything beyond ASCII
    if (!/[^\x00-\x7f]/.test(cell)) continue;
    const sample = cell.trim().slice(0, MAX_SAMPLE_LENGTH);
    if (isSample(sample)) samples.add(sample);
    if (samples.size === MAX_SAMPLES) break;
  }
  return [...samples];
}
