/**
 * Full-text expressions of a search. search-query.ts understands the text, search-words.ts compares words,
 * search.queries.server.ts contains the SQL, migrations/0001_search.sql the index. See
 * docs/decisions/0002-product-search.md.
 */
import type { QueryWord } from "./search-query";
import { numberForms, singulars } from "./search-words";

/** Matches (one page) from which typos are no longer searched, where infixes are regular matches. */
const ENOUGH_MATCHES = 24;
/** Maximum number of words that a synonym replaces. */
const MAX_PHRASE = 3;

/** Catalogue words that a word of a query may stand for. */
export interface Vocabulary {
  /** A product has a word that begins with it. */
  isKnown: boolean;
  /** Words that contain it in the middle or at the end (back office only). */
  inside: string[];
  /** Words that, or whose prefix, differ from it by typos or only sound alike, and compounds that end with it. */
  near: string[];
  /** The word as two, as phrases. */
  splits: string[];
}

const UNKNOWN: Vocabulary = { isKnown: false, inside: [], near: [], splits: [] };

/** Word of a search, or words that are one term: `water bottle`, `key ring`. */
export interface Term {
  label: string;
  words: (QueryWord & Vocabulary)[];
  /** The words in one. */
  joined: string[];
  /** Phrases with the same meaning, found in names and categories. */
  synonyms: string[];
}

/** FTS5 expressions for one query, safe to bind to MATCH. */
export interface SearchPlan {
  /** Matches without typos. With `enough` of these, `wide` is not evaluated. */
  typed: string;
  enough: number;
  /** Matches of `typed`, and those with typos. */
  wide: string;
  /** Expressions in rank order; a product ranks by the first one that it matches, or after all of them. */
  tiers: string[];
  /** Key of a product's name that is the whole query. */
  nameKey: string;
  /** Expression whose matches leave the plan without any. */
  unless?: string;
}

/** Lists the phrases of a query that synonyms may replace, each with its words in one and in the singular. */
export function phrasesOf(words: QueryWord[]): string[] {
  const phrases = words.flatMap((_, start) =>
    [1, 2, 3]
      .filter((count) => start + count <= words.length)
      .flatMap((count) => spellingsOf(words, start, count)),
  );
  return [...new Set(phrases)];
}

function spellingsOf(words: QueryWord[], start: number, count: number): string[] {
  const texts = words.slice(start, start + count).map(({ text }) => text);
  const last = texts.at(-1) ?? "";
  return numberForms(last).flatMap((end) => {
    const phrase = [...texts.slice(0, -1), end];
    return count === 1 ? phrase : [phrase.join(" "), phrase.join("")];
  });
}

/** Letters from which the last word may be the beginning of a synonym. */
const MIN_BEGINNING = 3;

/** Lists the ends of a query that may be the beginning of a phrase with a synonym, which is still being typed. */
export function beginningsOf(words: QueryWord[]): string[] {
  const last = words.at(-1)?.text ?? "";
  if ([...last].length < MIN_BEGINNING) return [];
  const ends = [1, 2, MAX_PHRASE].map((count) => words.slice(-count).map(({ text }) => text));
  return [...new Set(ends.flatMap((texts) => [texts.join(" "), texts.join("")]))];
}

/** Lists neighbouring words in one, such as `keyring`. */
export const joinedPairs = (words: QueryWord[]): string[] =>
  words.slice(1).map(({ text }, at) => `${words[at]?.text}${text}`);

/**
 * Groups words into terms: the longest phrase with a synonym, two words that products have as one, or a word.
 *
 * @param vocabulary of each word, in the same order
 * @param synonyms by phrase
 * @param joined pairs that products have as one word
 */
export function groupTerms(
  words: QueryWord[],
  vocabulary: Vocabulary[],
  { synonyms, joined }: { synonyms: Map<string, string[]>; joined: Set<string> },
): Term[] {
  const terms: Term[] = [];
  for (let start = 0; start < words.length; ) {
    const counts = [MAX_PHRASE, 2, 1].filter((count) => start + count <= words.length);
    const candidates = counts.map((count) => {
      const found = spellingsOf(words, start, count).flatMap((phrase) => synonyms.get(phrase) ?? []);
      const pair =
        count === 2 ? joinedPairs(words.slice(start, start + 2)).filter((word) => joined.has(word)) : [];
      return { count, synonyms: [...new Set(found)], joined: pair };
    });
    const { count, ...best } = candidates.find((one) => one.synonyms.length + one.joined.length > 0) ?? {
      count: 1,
      synonyms: [],
      joined: [],
    };
    const own = words.slice(start, start + count);
    terms.push({
      ...best,
      label: own.map(({ label }) => label).join(" "),
      words: own.map((word, at) => ({ ...word, ...(vocabulary[start + at] ?? UNKNOWN) })),
    });
    start += count;
  }
  return terms;
}

/** Tests whether some product may match a term. */
export const isKnownTerm = ({ words, synonyms, joined }: Term): boolean =>
  synonyms.length + joined.length > 0 ||
  words.every(({ isKnown, near, splits }) => isKnown || near.length + splits.length > 0);

type Forms = (word: Term["words"][number]) => string[];

const phrase = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const exact: Forms = ({ text, spellings, splits }) =>
  [...(spellings.length > 0 ? spellings : numberForms(text)), ...splits].map(phrase);
const begins: Forms = (word) =>
  word.spellings.length > 0
    ? exact(word)
    : [`${phrase(word.text)}*`, ...[...singulars(word.text), ...word.splits].map(phrase)];
const inside: Forms = (word) => [...begins(word), ...ofName(word.inside.map(phrase))];
const near: Forms = (word) => [...inside(word), ...word.near.map(phrase)];

const ofName = (phrases: string[]) => (phrases.length > 0 ? [`{name} : (${phrases.join(" OR ")})`] : []);
const anyOf = (expressions: string[]) => `(${[...new Set(expressions)].join(" OR ")})`;

/** Requires every term: its words, each in one of its forms, or a synonym. */
function every(terms: Term[], forms: Forms): string {
  const expressions = terms.map(({ words, joined, synonyms }) => {
    const typed = words.map((word) => anyOf(forms(word))).join(" AND ");
    const meanings = synonyms.flatMap(inBothNumbers).map(phrase);
    const others = [
      ...joined.map((word) => `${phrase(word)}*`),
      ...(meanings.length > 0 ? [`{name category} : ${anyOf(meanings)}`] : []),
    ];
    return others.length > 0 ? anyOf([`(${typed})`, ...others]) : typed;
  });
  return expressions.join(" AND ");
}

/** A phrase with its last word in singular and plural. */
function inBothNumbers(text: string): string[] {
  const words = text.split(" ");
  return numberForms(words.at(-1) ?? "").map((last) => [...words.slice(0, -1), last].join(" "));
}

/**
 * Builds the expressions of a search. Every term must match in one of its ways.
 *
 * @param terms result of groupTerms, not empty
 * @param nameKey of a product whose name is the whole query
 * @param options `insideWords` finds parts of a name's words as well (back office); typos count only where the words find
 *   nothing, or less than a page there
 */
export function searchPlan(
  terms: Term[],
  nameKey: string,
  options: { insideWords: boolean } = { insideWords: false },
): SearchPlan {
  const [whole, starts, parts] = [every(terms, exact), every(terms, begins), every(terms, inside)];
  const name = (expression: string) => `{name} : (${expression})`;
  const title = (expression: string) => `{name category} : (${expression})`;
  return {
    typed: options.insideWords ? parts : starts,
    enough: options.insideWords ? ENOUGH_MATCHES : 1,
    wide: every(terms, near),
    tiers: [name(whole), title(whole), name(starts), title(starts), whole],
    nameKey,
  };
}

/** Returns the expressions of suggestions in rank order: whole words of the name, beginnings of its words, then of any. */
export function suggestionTiers({ tiers, typed }: SearchPlan): string[] {
  return [tiers[0], tiers[2], typed].filter((tier) => tier !== undefined);
}
