/**
 * Full-text expressions for a shopper's query, matching whole words, prefixes, infixes and words with one typo.
 * search.queries.server.ts contains the SQL, migrations/0001_search.sql the index. Both split text into words in the same
 * way (FTS5 unicode61, diacritics removed). See docs/decisions/0002-product-search.md.
 */

/** Matches (one page) from which typos are no longer searched, where infixes are regular matches. */
const ENOUGH_MATCHES = 24;
/** Maximum number of words; the rest of a query is ignored, so that a pasted page costs no more than a sentence. */
export const MAX_WORDS = 8;
/** Maximum length of a word; a longer one is found by its prefix. */
export const MAX_LETTERS = 40;
/** Letters of a word that typo keys cover; the rest is compared after the lookup. */
const KEYED_LETTERS = 7;
/** Maximum number of catalogue words per search term, of each kind. */
const MAX_INSIDE = 50;
const MAX_NEAR = 30;

/** Catalogue words that one search term may stand for, besides those that begin with it. */
export interface Vocabulary {
  /** Words that contain the term in the middle or at the end. */
  inside: string[];
  /** Words that, or whose prefix, differ from it by one typo. */
  near: string[];
}

/** Vocabulary query for one search term. */
export interface Lookup {
  word: string;
  /** Also finds words that contain it. */
  inside: boolean;
  /** Typo keys, of which a word one typo away shares one; empty for no typos. */
  keys: string[];
}

/** FTS5 expressions for one query, safe to bind to MATCH. */
export interface SearchPlan {
  /** Matches without typos. With `enough` of these, `wide` is not evaluated. */
  typed: string;
  enough: number;
  /** Matches of `typed`, and those with one typo per word. */
  wide: string;
  /** Expressions in rank order; a product ranks by the first one that it matches, or after all of them. */
  tiers: string[];
}

/**
 * Splits a query into words like the index.
 *
 * @param query any text; everything but letters and digits separates words
 * @returns up to 8 distinct lower-case words without diacritics, each cut after 40 characters
 */
export function searchTerms(query: string): string[] {
  const words = new Set<string>();
  for (const [word] of foldCase(query).matchAll(/[\p{L}\p{N}\p{Co}]+/gu)) {
    words.add(letters(word).slice(0, MAX_LETTERS).join(""));
    if (words.size === MAX_WORDS) break;
  }
  return [...words];
}

/** Removes diacritics of Latin letters only, like FTS5: in other scripts they form another letter (и, й). */
function foldCase(text: string): string {
  const stripped = text
    .toLowerCase()
    .normalize("NFD")
    .replace(/([a-z])[\u0300-\u036f]+/g, "$1");
  return stripped.normalize("NFC").replace(/[\u0300-\u036f]/g, "");
}

const letters = (word: string): string[] => Array.from(word);

/**
 * Builds the vocabulary query of a term. Terms under 3 letters match neither infixes nor typos, numbers no typos.
 *
 * @param word result of searchTerms
 */
export function lookup(word: string): Lookup {
  const isLong = letters(word).length >= 3;
  const allowsTypos = isLong && !/^\p{N}+$/u.test(word);
  const keys = new Set(allowsTypos ? [word, ...singulars(word)].flatMap(typoKeys) : []);
  return { word, inside: isLong, keys: [...keys] };
}

/**
 * Builds typo keys: the word's first 7 letters, and these with each letter left out once. Two words within one typo of
 * each other share at least one key, since leaving out one letter on either side makes them equal.
 *
 * @returns at most 8 keys of 2 to 7 letters
 */
export function typoKeys(word: string): string[] {
  const head = letters(word).slice(0, KEYED_LETTERS);
  return [head.join(""), ...head.map((_, gap) => head.toSpliced(gap, 1).join(""))];
}

/**
 * Returns possible English singulars of a word. The reverse is not needed: a plural begins with its singular.
 *
 * @returns e.g. `["boxe", "box"]` for "boxes"; a form that is no word matches nothing
 */
export function singulars(word: string): string[] {
  if (word.length < 4 || !word.endsWith("s") || word.endsWith("ss")) return [];
  const forms = [word.slice(0, -1)];
  if (word.endsWith("es")) forms.push(word.slice(0, -2));
  if (word.endsWith("ies")) forms.push(`${word.slice(0, -3)}y`);
  return forms;
}

/** Tests for at most one missing, extra or wrong letter, or two swapped neighbours. */
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
 * Tests whether a term with one typo matches a catalogue word or, from 4 letters on, a prefix of one. The last letter of
 * the prefix must be right or at most two letters may follow: otherwise any 3 letters would match any word.
 *
 * @param term result of searchTerms
 * @param word of the catalogue
 */
export function candidateMatches(term: string, word: string): boolean {
  if (withinOneTypo(term, word)) return true;
  const [target, typed] = [letters(word), letters(term)];
  if (typed.length < 4) return false;
  return [-1, 0, 1].some((change) => {
    const length = typed.length + change;
    if (length >= target.length) return false;
    const isAnchored = target[length - 1] === typed.at(-1) || target.length - length <= 2;
    return isAnchored && withinOneTypo(term, target.slice(0, length).join(""));
  });
}

/**
 * Filters words that share a typo key with a term to those within one typo, nearest first.
 *
 * @returns at most 30 words, none of which begins with the term
 */
export function similarWords(term: string, candidates: string[]): string[] {
  const forms = [term, ...singulars(term)];
  const distance = (word: string) =>
    (withinOneTypo(term, word) ? 0 : 100) + Math.abs(letters(word).length - letters(term).length);
  return candidates
    .filter((word) => !word.startsWith(term) && forms.some((form) => candidateMatches(form, word)))
    .sort((a, b) => distance(a) - distance(b) || (a < b ? -1 : 1))
    .slice(0, MAX_NEAR);
}

/**
 * Builds the expressions of a search. Every word must match in one of its ways.
 *
 * @param words result of searchTerms, not empty
 * @param vocabulary of each word, in the same order
 * @param options `insideWords` counts infixes as regular matches (back office); otherwise infixes and typos appear only
 *   when the words find nothing (shop: a search for "ring" should not list a watering can)
 */
export function searchPlan(
  words: string[],
  vocabulary: Vocabulary[],
  options: { insideWords: boolean } = { insideWords: false },
): SearchPlan {
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
    title(every(words, exact)),
    every(words, exact),
    title(every(words, begins)),
    every(words, begins),
    every(words, inside),
    title(every(words, near)),
  ];
  return {
    typed: every(words, options.insideWords ? inside : begins),
    enough: options.insideWords ? ENOUGH_MATCHES : 1,
    wide: every(words, near),
    tiers: [...new Set(tiers)],
  };
}

/** Requires every word in one of its forms. */
function every(words: string[], alternatives: (word: string, index: number) => string[]): string {
  return words
    .map((word, index) => `(${[...new Set(alternatives(word, index))].join(" OR ")})`)
    .join(" AND ");
}

const exact = (word: string) => [word, ...singulars(word)].map(phrase);
const begins = (word: string) => [`${phrase(word)}*`, ...singulars(word).map(phrase)];

/**
 * Builds the expressions of suggestions in rank order: whole words of the name, beginnings of its words, then of any.
 *
 * @param words result of searchTerms, not empty
 */
export function suggestionTiers(words: string[]): string[] {
  const name = (expression: string) => `{name} : (${expression})`;
  return [name(every(words, exact)), name(every(words, begins)), every(words, begins)];
}

const phrase = (word: string): string => `"${word.replaceAll('"', '""')}"`;
