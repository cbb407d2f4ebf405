import type { ChosenEncoding } from "../sheet";
import { LANGUAGES, type Language } from "./languages";

export type CodePage = Exclude<ChosenEncoding, "utf-8">;

/** Code pages of older programs; the first of equal score wins. */
const CODE_PAGES: CodePage[] = ["windows-1252", "windows-1250", "windows-1251", "macintosh"];

/** Bytes before the first letter beyond ASCII, and after it, that decide. */
const BEFORE = 100;
const SAMPLE_BYTES = 16 * 1024;
/** Letters of a word that are looked at; patterns search each for all others. */
const MAX_WORD = 40;
const CR = 13;
const LF = 10;

/** Score of Mac Roman in a file with line ends of Windows or Unix; it is as likely as the others with its own. */
const MAC_HANDICAP = -1;
/** Lead over the next reading by which a guess is certain. */
const CERTAIN_LEAD = 3;

/** The likeliest code page of a text. */
interface GuessedPage {
  page: CodePage;
  /** Pages that read the text differently and nearly as well; none for Windows-1252, which is expected. */
  rivals: CodePage[];
}

/**
 * Guesses the code page of a text: the one in which its letters spell words, and its signs stand where signs stand.
 *
 * @param bytes text that is no UTF-8
 */
export function guessCodePage(bytes: Uint8Array): GuessedPage {
  const from = Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - BEFORE);
  const sample = bytes.subarray(from, from + SAMPLE_BYTES);
  // Programs of the old Mac end lines with a CR alone.
  const isMac = sample.includes(CR) && !sample.includes(LF);
  const pages = isMac ? CODE_PAGES.toReversed() : CODE_PAGES;
  const readings = pages
    .map((page) => {
      const text = new TextDecoder(page).decode(sample);
      const handicap = page === "macintosh" && !isMac ? MAC_HANDICAP : 0;
      return { page, text, score: plausibility(text, LANGUAGES[page]) + handicap };
    })
    .sort((a, b) => b.score - a.score);
  const [best, ...others] = readings;
  if (!best || best.page === "windows-1252") return { page: "windows-1252", rivals: [] };
  const rivals = others.filter(({ text, score }) => text !== best.text && best.score - score < CERTAIN_LEAD);
  return { page: best.page, rivals: rivals.map(({ page }) => page) };
}

/** Reads a text that was decoded in one code page as another one reads its bytes. */
export function redecode(text: string, from: CodePage, to: CodePage): string {
  const bytes = BYTES[from];
  return new TextDecoder(to).decode(Uint8Array.from(text, (letter) => bytes.get(letter) ?? 0));
}

const ALL_BYTES = Uint8Array.from({ length: 256 }, (_, byte) => byte);
/** Byte of each letter, by code page. */
const BYTES = Object.fromEntries(
  CODE_PAGES.map((page) => [
    page,
    new Map([...new TextDecoder(page).decode(ALL_BYTES)].map((letter, byte) => [letter, byte])),
  ]),
) as Record<CodePage, Map<string, number>>;

/** Rates a text by its signs, by the case and the script of its words, and by the one language that it fits best. */
function plausibility(text: string, languages: Language[]): number {
  const words = wordsOf(text);
  const shape = words.reduce((sum, word) => sum + shapeOf(word), 0);
  const spelling = languages.map((language) =>
    words.reduce((sum, word) => sum + spellingOf(word, language), 0),
  );
  return signsOf(text) + shape + Math.max(...spelling);
}
const BEYOND_ASCII = /\P{ASCII}/u;
const EACH_BEYOND_ASCII = /\P{ASCII}/gu;

/** Lists the words with letters beyond ASCII. */
function wordsOf(text: string): string[] {
  const words = (text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, MAX_WORD));
  return words.filter((word) => BEYOND_ASCII.test(word) && /\p{L}/u.test(word));
}

/** Capitals within words, as in “CafŽ”, letters beside digits, and two scripts in one word. */
const ODD_SHAPES = [
  /(?<=\p{Ll})(?!\p{ASCII})\p{Lu}|(?!\p{ASCII})\p{Ll}(?=\p{Lu}\p{Lu})|(?<=\p{Lu}\p{Lu})(?!\p{ASCII})\p{Ll}|(?<=^\p{Lu})(?!\p{ASCII})\p{Lu}(?=\p{Ll})/gu,
  /(?<=\d)(?!\p{ASCII})\p{L}|(?!\p{ASCII})\p{L}(?=\d)/gu,
  /(?<=\p{Script=Latin})[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}](?=\p{Script=Latin})/gu,
];

function shapeOf(word: string): number {
  return ODD_SHAPES.reduce((sum, shape) => sum - 3 * (word.match(shape)?.length ?? 0), 0);
}

const isCyrillic = (text: string) => /^\p{Script=Cyrillic}+$/u.test(text);

/** Rates a word: a point for each letter that a language has, less for others and for what it never spells. */
function spellingOf(word: string, { letters, words = "", never }: Language): number {
  const lower = word.toLowerCase();
  if (lower.length === 1) return words.includes(lower) ? 1 : isCyrillic(lower) ? 0 : -1;
  const special = lower.match(EACH_BEYOND_ASCII) ?? [];
  // Latin words have letters of ASCII among the others, Cyrillic ones have none of them.
  const isWhole = special.length === lower.length;
  const own = special.filter((letter) => letters.includes(letter)).length;
  if (isCyrillic(lower) && lower.length === 2) return own === 2 ? 0 : -2;
  const isStrange = isWhole && !isCyrillic(lower);
  const faults = never ? (lower.match(never)?.length ?? 0) : 0;
  return (isStrange ? -own : own) - 2 * (special.length - own) - 3 * faults;
}

/** Suffixes after an apostrophe, and words before one. */
const APOSTROPHE = new RegExp(
  [
    "(?<=\\p{L})’(?=(?:s|t|re|ll|d|m|ve|em|an|all|clock)(?!\\p{L}))",
    "(?<=s)’(?!\\p{L})",
    "(?<!\\p{L})’n’(?!\\p{L})|(?<=\\p{L})’n’(?=\\p{L})",
    "(?<=(?<!\\p{L})(?:[cdjlmnost]|qu|jusqu|lorsqu|puisqu|aujourd|presqu|quelqu|entr|un|(?:d|n|s)?(?:all|ell)|coll|bell|quell|quest|sant|grand)’?)’?(?<=’)(?=[aeiouyhàâéèêëîïôùûœæ])",
    "(?<=(?<!\\p{L})[OD])’(?=\\p{Lu})",
  ].join("|"),
  "giu",
);

/** Signs in their places: what they add to the score. */
const SIGNS: [RegExp, number][] = [
  [/[\p{Cc}\ufffd](?<![\t\n\v\f\r])/gu, -4],
  [APOSTROPHE, 1],
  [/(?<![\p{L}\p{N}])[“„][\p{L}\p{N}]/gu, 1],
  [/[\p{L}\p{N}.!?][”](?!\p{L})/gu, 1],
  [/(?<= )[–—](?= )/gu, 1],
  [/(?<=\d\s?)€|€(?=\s?\d)/gu, 1],
  [/(?<=\d\s?)°|(?<=\p{L})[™®](?!\p{L})|(?<=m)[²³](?!\p{L})|(?<=\b[nN]|\d)º(?!\p{L})/gu, 1],
  [/¿(?=\p{L}[^¿?\r\n]*\?)|¡(?=\p{L}[^¡!\r\n]*!)|«(?=[\s\p{L}])|(?<=[\s\p{L}])»/gu, 1],
  // Dashes without spaces part words, not syllables: “Ni–o”.
  [/(?<=(?<!\p{L})\p{L}{1,2})[–—](?=\p{Ll})|(?<=\p{Ll})[–—](?=\p{Ll}{1,2}(?!\p{L}))/gu, -2],
  [/(?<=\p{L})[^\p{L}\p{N}\p{Cc}\s\p{ASCII}’‘·‐‑–—](?=\p{L})/gu, -3],
  [/[†‡‰ˆ˜¤¦¨¯¸´¬√ƒ≈∆∂∑∏π∫Ω◊⁄ﬁﬂ˘˙˚˝˛ˇ≠∞≤≥ı]/gu, -1],
  [/[¡¿](?!\p{L})|(?<=\p{L})€|(?<=\p{L})[¾¼½¹ªº¶§](?!\p{L})|(?<!\p{L})[¾¼½€…](?=\p{L}{2})/gu, -1],
];

function signsOf(text: string): number {
  const score = SIGNS.reduce((sum, [sign, points]) => sum + points * (text.match(sign)?.length ?? 0), 0);
  const apostrophes = text.match(/(?<=\p{L})[’‘](?=\p{L})/gu)?.length ?? 0;
  return score - Math.max(0, apostrophes - (text.match(APOSTROPHE)?.length ?? 0));
}
