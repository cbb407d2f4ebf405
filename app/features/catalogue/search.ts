/**
 * What a shopper types, made into full-text expressions: words, their beginnings, their insides, one typo each.
 * Pure: the SQL that uses it is in search.queries.server.ts, the index that it relies on in
 * migrations/0001_search.sql. Both cut words the same way (FTS5 unicode61, diacritics removed).
 */

/** Words of a query that count; the rest is ignored, so a pasted page costs no more than a sentence. */
export const MAX_WORDS = 8;
/** Characters of a word that count; a longer word is found by its beginning. */
export const MAX_LETTERS = 40;
/** A word's typos show within its first letters; those after them are compared once it is found. */
const KEYED_LETTERS = 7;
/** Words that one typed word may stand for, of each kind: the nearest ones. */
const MAX_INSIDE = 50;
const MAX_NEAR = 30;

/** The catalogue's words that one typed word may stand for, besides those that begin with it. */
export interface Vocabulary {
  /** Words that hold the typed word in their middle or at their end. */
  inside: string[];
  /** Words that differ from it, or whose beginning does, by one typo. */
  near: string[];
}

/** What to ask the vocabulary about one typed word. */
export interface Lookup {
  word: string;
  /** Whether words that hold it inside are wanted. */
  inside: boolean;
  /** Keys that a word one typo away shares with it; empty when typos are not looked for. */
  keys: string[];
}

/** FTS5 expressions for one query, safe to bind to MATCH. */
export interface SearchPlan {
  /** Products that match as typed. Enough of these, and `wide` is not asked. */
  typed: string;
  /** All of `typed`, and those that match with one typo a word. */
  wide: string;
  /** From the best matches down; a product ranks by the first of these that it matches, or after them all. */
  tiers: string[];
}

/**
 * Cuts a query into words the way the index does.
 *
 * @param query any text, of any length: control characters, operators, emoji and lone surrogates only separate words
 * @returns lower-case words without diacritics, each once: the first 8, each its first 40 characters. Empty when the
 *   text has no letter or digit
 */
export function searchTerms(query: string): string[] {
  const words = new Set<string>();
  for (const [word] of folded(query).matchAll(/[\p{L}\p{N}\p{Co}]+/gu)) {
    words.add(letters(word).slice(0, MAX_LETTERS).join(""));
    if (words.size === MAX_WORDS) break;
  }
  return [...words];
}

/** Only Latin letters lose their diacritics, as in FTS5: in other scripts they make another letter (и, й). */
function folded(text: string): string {
  const bare = text
    .toLowerCase()
    .normalize("NFD")
    .replace(/([a-z])[\u0300-\u036f]+/g, "$1");
  return bare.normalize("NFC").replace(/[\u0300-\u036f]/g, "");
}

const letters = (word: string): string[] => Array.from(word);

/**
 * @param word as searchTerms gives it
 * @returns what to ask findVocabulary; words under 3 letters have neither insides nor typos, numbers no typos
 */
export function lookup(word: string): Lookup {
  const long = letters(word).length >= 3;
  const typos = long && !/^\p{N}+$/u.test(word);
  const keys = new Set(typos ? [word, ...singulars(word)].flatMap(typoKeys) : []);
  return { word, inside: long, keys: [...keys] };
}

/**
 * The word's first 7 letters, and these with each one left out. Two words within one typo of each other share at
 * least one key: whatever the typo is, leaving one letter out on either side makes them equal.
 *
 * @returns at most 8 keys of 2 to 7 letters
 */
export function typoKeys(word: string): string[] {
  const head = letters(word).slice(0, KEYED_LETTERS);
  return [head.join(""), ...head.map((_, gap) => head.toSpliced(gap, 1).join(""))];
}

/**
 * English singulars that a word may be the plural of. The way back needs none: a plural begins with its singular.
 *
 * @returns e.g. `["boxe", "box"]` for "boxes"; a form that is no word finds nothing and does no harm
 */
export function singulars(word: string): string[] {
  if (word.length < 4 || !word.endsWith("s") || word.endsWith("ss")) return [];
  const forms = [word.slice(0, -1)];
  if (word.endsWith("es")) forms.push(word.slice(0, -2));
  if (word.endsWith("ies")) forms.push(`${word.slice(0, -3)}y`);
  return forms;
}

/** @returns whether at most one letter is missing, extra or wrong, or two neighbours are swapped */
export function withinOneTypo(a: string, b: string): boolean {
  const [left, right] = [letters(a), letters(b)];
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start++;
  let end = 0;
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  const restLeft = left.slice(start, left.length - end);
  const restRight = right.slice(start, right.length - end);
  if (restLeft.length <= 1 && restRight.length <= 1) return true;
  return (
    restLeft.length === 2 &&
    restRight.length === 2 &&
    restLeft[0] === restRight[1] &&
    restLeft[1] === restRight[0]
  );
}

/**
 * Whether a typed word, with one typo in it, may mean a word of the catalogue or the beginning of one. The last
 * letter of a beginning must be right, or only an ending may follow: else any 3 letters would find any word.
 *
 * @param typed as searchTerms gives it; under 4 letters only whole words count
 * @param word of the catalogue
 */
export function candidateMatches(typed: string, word: string): boolean {
  if (withinOneTypo(typed, word)) return true;
  const [wanted, given] = [letters(word), letters(typed)];
  if (given.length < 4) return false;
  return [-1, 0, 1].some((change) => {
    const length = given.length + change;
    if (length >= wanted.length) return false;
    const anchored = wanted[length - 1] === given.at(-1) || wanted.length - length <= 2;
    return anchored && withinOneTypo(typed, wanted.slice(0, length).join(""));
  });
}

/**
 * Keeps of the words that share a key with a typed word those that are one typo away, nearest first.
 *
 * @returns at most 30 words, none of which begins with the typed word
 */
export function similarWords(typed: string, candidates: string[]): string[] {
  const forms = [typed, ...singulars(typed)];
  const distance = (word: string) =>
    (withinOneTypo(typed, word) ? 0 : 100) + Math.abs(letters(word).length - letters(typed).length);
  return candidates
    .filter((word) => !word.startsWith(typed) && forms.some((form) => candidateMatches(form, word)))
    .sort((a, b) => distance(a) - distance(b) || (a < b ? -1 : 1))
    .slice(0, MAX_NEAR);
}

/**
 * @param words from searchTerms, at least one
 * @param vocabulary for each of the words, in their order
 * @param options `insideWords`: whether a word found inside another counts as a match as typed (back office), or only
 *   where few products match otherwise (shop: who asks for a ring wants no spring)
 * @returns the expressions; all words must match, each in one of its ways
 */
export function searchPlan(
  words: string[],
  vocabulary: Vocabulary[],
  options: { insideWords: boolean } = { insideWords: false },
): SearchPlan {
  const every = (alternatives: (word: string, index: number) => string[]) =>
    words.map((word, index) => `(${[...new Set(alternatives(word, index))].join(" OR ")})`).join(" AND ");
  const exact = (word: string) => [word, ...singulars(word)].map(phrase);
  const begins = (word: string) => [`${phrase(word)}*`, ...singulars(word).map(phrase)];
  const inside = (word: string, index: number) => [
    ...begins(word),
    ...(vocabulary[index]?.inside ?? []).slice(0, MAX_INSIDE).map(phrase),
  ];
  const near = (word: string, index: number) => [
    ...inside(word, index),
    ...(vocabulary[index]?.near ?? []).slice(0, MAX_NEAR).map(phrase),
  ];
  const title = (expression: string) => `{name category} : (${expression})`;
  const tiers = [
    title(every(exact)),
    title(every(begins)),
    every(exact),
    every(begins),
    every(inside),
    title(every(near)),
  ];
  return {
    typed: every(options.insideWords ? inside : begins),
    wide: every(near),
    tiers: [...new Set(tiers)],
  };
}

const phrase = (word: string): string => `"${word.replaceAll('"', '""')}"`;
