import type { ChosenEncoding } from "../sheet";

type CodePage = Exclude<ChosenEncoding, "utf-8">;

/** Code pages of older programs, the likeliest first. */
const CODE_PAGES: CodePage[] = ["windows-1252", "windows-1250", "windows-1251", "macintosh"];

/** Letters beyond ASCII, in lower case, of languages that each code page writes. */
const WESTERN = ["àâæçéèêëîïôœùûüÿ", "äöüß", "áéíñóúü", "áâãàçéêíóôõú", "àèéìíîòóùú", "åäöæøé", "áðéíóúýþæö"];
const LANGUAGES: Record<CodePage, string[]> = {
  "windows-1252": WESTERN,
  "windows-1250": ["ąćęłńóśźż", "áčďéěíňóřšťúůýžäĺľôŕ", "áéíóöőúüű", "ăâîşţ", "čćđšž"],
  "windows-1251": ["абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґўђјљњћџѓќѕ"],
  macintosh: WESTERN,
};

/** Bytes before the first letter beyond ASCII, and after it, that decide. */
const BEFORE = 100;
const SAMPLE_BYTES = 64 * 1024;
const CR = 13;
const LF = 10;

/**
 * Guesses the code page of a text: the one in which its letters stand where letters of a language stand.
 *
 * @param bytes text that is no UTF-8
 */
export function guessCodePage(bytes: Uint8Array): CodePage {
  const from = Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - BEFORE);
  const sample = bytes.subarray(from, from + SAMPLE_BYTES);
  // Programs of the old Mac end lines with a CR alone; equal scores go to the first.
  const isMac = sample.includes(CR) && !sample.includes(LF);
  const pages = isMac ? CODE_PAGES.toReversed() : CODE_PAGES;
  let best: CodePage = "windows-1252";
  let highest = Number.NEGATIVE_INFINITY;
  for (const page of pages) {
    const score = plausibility(new TextDecoder(page).decode(sample), LANGUAGES[page]);
    if (score > highest) [best, highest] = [page, score];
  }
  return best;
}

/** One or two Cyrillic letters on their own: no word, but a sign of another code page. */
const SHORT_CYRILLIC = /(?<!\p{Script=Cyrillic})\p{Script=Cyrillic}{1,2}(?!\p{Script=Cyrillic})/gu;

/** Rates a text by the places of its characters beyond ASCII, and by how many of its letters one language has. */
function plausibility(decoded: string, languages: string[]): number {
  let score = 0;
  const text = decoded.replace(SHORT_CYRILLIC, "\ufffd");
  const letters: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character < "\u0080") continue;
    const [before, after] = [text.charAt(at - 1), text.charAt(at + 1)];
    score += placeOf(character, before, after);
    if (isLetter(character) && (isLetter(before) || isLetter(after))) letters.push(character.toLowerCase());
  }
  const shared = languages.map((language) => letters.filter((letter) => language.includes(letter)).length);
  return score + 2 * Math.max(...shared) - letters.length;
}

function placeOf(character: string, before: string, after: string): number {
  if (/[\p{Cc}\ufffd]/u.test(character)) return -2;
  if (!isLetter(character))
    return isLetter(before) && isLetter(after) && !INSIDE_WORDS.test(character) ? -2 : 0;
  if (!isLetter(before) && !isLetter(after)) return 0;
  // A capital within a word, as in “CafŽ”.
  const isInside = isLetter(before) && /\p{Ll}/u.test(before + after);
  if (/\p{Lu}/u.test(character) && isInside) return -2;
  return isCyrillic(character) === isCyrillic(isLetter(before) ? before : after) ? 1 : -2;
}

/** Marks that stand within words. */
const INSIDE_WORDS = /[’‘·‐‑–—]/;
const isLetter = (text: string) => /\p{L}/u.test(text);
const isCyrillic = (text: string) => /\p{Script=Cyrillic}/u.test(text);
