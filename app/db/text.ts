/**
 * Comparison of texts, the same for searches, names, sorting and the triggers of automatic answers: compatible forms (NFKC),
 * case, diacritics, forms of apostrophes and dashes, and invisible marks make no difference. The generated columns of
 * migrations/0072_search_forms.sql do the same for the full-text indexes of users, chats and products. Where SQL cannot,
 * `searchForm` does it. Names that identify something differ by their diacritics (`identityKey`).
 */

/** Letters that do not decompose into a letter and a mark. */
const LETTERS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ŧ: "t",
  ı: "i",
};
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");

/** Scripts that write words without spaces between them. */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const WORD_SEGMENTS = /* @__PURE__ */ new Intl.Segmenter(undefined, { granularity: "word" });

/** Apostrophes, quotation marks and dashes; some of them are a space and a mark in NFKC. */
const APOSTROPHES =
  /[\u2018-\u201b\u2032\u2035\u02b9-\u02bf\u02c8\u02ca\u02cb\u00b4`\u055a\u05f3\ua78b\ua78c\u1fbd\u1fbf\u1fef\u1ffd\uff07]/g;
/** One letter, in NFKC an apostrophe that is a letter and an n. */
const APOSTROPHE_N = "\u0149";
const QUOTES = /[\u201c-\u201f\u2033\u2036\uff02]/g;
const DASHES = /[\p{Pd}\u2212\u2043]/gu;

/** Wide and narrow forms, and ligatures: other ways to write the same letters, unlike `²` and `½`. */
const SAME_LETTERS = /[\u3000\ufb00-\ufb06\uff01-\uffee]/g;

/** Unifies compatible forms, case, apostrophes, quotation marks, dashes and spaces, and drops invisible marks. */
const withoutForms = (text: string, form: "NFC" | "NFKC" = "NFKC"): string =>
  text
    .replace(APOSTROPHES, "'")
    .replaceAll(APOSTROPHE_N, "'n")
    .replace(QUOTES, '"')
    .replace(DASHES, "-")
    .normalize(form)
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .toLowerCase();

/**
 * Returns the key by which a name identifies something: compared like `foldText`, but with diacritics, fractions, and raised
 * and lowered digits, which tell products apart.
 */
export const identityKey = (name: string): string =>
  withoutForms(
    name.replace(SAME_LETTERS, (letter) => letter.normalize("NFKC")),
    "NFC",
  )
    .replace(/ß/g, "ss")
    .normalize("NFC")
    .trim();

/** Folds a text for comparison: compatible forms, lower case, Latin and Greek letters without diacritics, single spaces. */
export function foldText(text: string): string {
  return withoutForms(text)
    .normalize("NFD")
    .replace(/([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu, "$1")
    .normalize("NFC")
    .replace(SPECIAL, (letter) => LETTERS[letter] ?? letter)
    .trim();
}

/**
 * Characters that the generated columns and the full-text indexes fold like foldText: Latin, Cyrillic, Hebrew and Arabic
 * letters and common punctuation. Ranges for a RegExp and for a GLOB pattern (D1: at most 50 bytes).
 */
export const FOLDED_IN_SQL = " -~¡-žЀ-ҁҊ-ӿא-תء-ي‐-‖‘-•";
/** Characters in these ranges that they fold otherwise. */
export const NOT_FOLDED_IN_SQL = "ªº²³¹µ¼½¾¨¯¸ĲĳĿŀŉ";
const NEEDS_FORM = /* @__PURE__ */ new RegExp(`[^\\n${FOLDED_IN_SQL}]|[${NOT_FOLDED_IN_SQL}]`, "u");

/** Returns a text's form for the full-text indexes, or null where the generated columns fold it. */
export const searchForm = (text: string): string | null =>
  NEEDS_FORM.test(text) ? foldForSearch(text) : null;

/** Parts of a text whose words the full-text indexes do not tell apart: without spaces, or with an emoji that they don't know. */
const UNSEPARATED = /[\p{So}\p{Sk}]/u;

/** Folds a text for a full-text index. Words that the index does not tell apart are repeated behind the text. */
export function foldForSearch(text: string): string {
  const folded = foldText(text);
  const parts = folded.split(" ").filter((part) => SPACELESS.test(part) || UNSEPARATED.test(part));
  return [folded, ...new Set(parts.flatMap(wordsOf))].join(" ");
}

/** Splits a folded text into its words. */
export function wordsOf(folded: string): string[] {
  const runs = folded.match(/[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu) ?? [];
  return runs.flatMap((run) =>
    SPACELESS.test(run) ? Array.from(WORD_SEGMENTS.segment(run), ({ segment }) => segment) : [run],
  );
}

/**
 * Returns the key by which a name is sorted, to be compared by bytes: the folded name, in which punctuation separates words
 * and numbers are preceded by their length. Stored beside the name (app/features/health/sort-keys.server.ts).
 */
export function sortKey(name: string): string {
  return foldText(name)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trimEnd()
    .replace(/\d+/g, numberKey);
}

/** Puts the number of digits before a number: one digit, from nine digits on `9` and three more. */
function numberKey(digits: string): string {
  const number = digits.replace(/^0+(?=\d)/, "");
  const { length } = number;
  return `${length < 9 ? length : 9000 + length}${number}`;
}

/** Folds what somebody searches for; a `#` before it is ignored. */
export const searchKey = (query: string): string => foldText(query).replace(/^#\s*(?=[\p{L}\p{N}])/u, "");

/** Tests for a text in a script without spaces between words. */
export const isSpaceless = (text: string): boolean => SPACELESS.test(text);

/**
 * Returns the forms in which stored texts may contain a search: folded, and as they were stored before texts were folded.
 *
 * @param query as typed
 */
export function storedForms(query: string): string[] {
  const unfolded = query
    .normalize("NFC")
    .toLowerCase()
    .replace(/\p{Cc}/gu, " ")
    .trim()
    .replace(/^#\s*/, "");
  const folded = searchKey(query);
  // An acute accent typed as an apostrophe was stored as a space and its mark.
  const apostrophes = ["’", " \u0301"].map((one) => folded.replaceAll("'", one));
  return [...new Set([folded, unfolded, ...apostrophes])].filter(Boolean);
}

/** Words in which an apostrophe may be left out, and how many of a search. */
const WHOLE_WORD = /^\p{L}{4,12}$/u;
const MAX_ELIDED = 3;

/**
 * Returns a search with an apostrophe where it may have been left out, in one word or between two: `obrien` and `o brien`
 * stand for `o'brien` too.
 *
 * @param folded result of foldText
 */
function apostropheForms(folded: string): string[] {
  const words = folded.split(" ");
  if (words.length > MAX_ELIDED || SPACELESS.test(folded)) return [];
  const inside = words.flatMap((word, at) => {
    const letters = WHOLE_WORD.test(word) ? Array.from(word) : [];
    return letters
      .slice(1)
      .map((_, end) => words.with(at, letters.toSpliced(end + 1, 0, "'").join("")).join(" "));
  });
  const between = words
    .slice(1)
    .map((_, end) => `${words.slice(0, end + 1).join(" ")}'${words.slice(end + 1).join(" ")}`);
  return [...inside, ...between];
}

/** Returns the forms in which stored texts may contain a search, also with an apostrophe that it leaves out. */
export const searchedForms = (query: string): string[] => [
  ...storedForms(query),
  ...apostropheForms(searchKey(query)),
];

/** Marks without a width: soft hyphens, zero-width spaces, byte order marks, and marks that change the text direction. */
const INVISIBLE = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g;

/** Removes invisible characters, but not the joiners of emoji, Persian and Indic scripts. */
export const withoutInvisibleMarks = (text: string): string => text.replace(INVISIBLE, "");

const WORD = /[\p{L}\p{N}\p{M}_]/u;

/**
 * Tests whether a text contains a phrase as whole words.
 *
 * @param text folded
 * @param phrase folded, not empty
 */
export function containsWords(text: string, phrase: string): boolean {
  const boundaries = SPACELESS.test(phrase) ? wordBoundaries(text) : null;
  const isEdge = (at: number) => {
    const [before = "", after = ""] = [
      text.slice(0, at).match(/.$/su)?.[0],
      text.slice(at).match(/^./su)?.[0],
    ];
    if (!WORD.test(before) || !WORD.test(after)) return true;
    return boundaries !== null && (SPACELESS.test(before) || SPACELESS.test(after)) && boundaries.has(at);
  };
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1))
    if (isEdge(at) && isEdge(at + phrase.length)) return true;
  return false;
}

function wordBoundaries(text: string): Set<number> {
  return new Set(
    [...WORD_SEGMENTS.segment(text)].flatMap(({ index, segment }) => [index, index + segment.length]),
  );
}
