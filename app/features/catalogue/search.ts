/**
 * Full-text expressions of a search. search-query.ts understands the text, search-words.ts compares words,
 * search.queries.server.ts contains the SQL, migrations/0001_search.sql the index. See
 * docs/decisions/0002-product-search.md.
 */
import type { QueryWord } from "./search-query";
import {
  alikeSpellings,
  isColour,
  isOccasion,
  isSameOrMisspelled,
  isSimilar,
  numberForms,
  otherNumeral,
  shadesOf,
  singulars,
  splitExpression,
  splitsOf,
} from "./search-words";

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
  /** Words of the same sound, where no product has the word itself. */
  alike: string[];
  /** Words that, or whose prefix, differ from it by typos, and compounds that end with it. */
  near: string[];
  /** The word as two, as phrases. */
  splits: string[];
  /** Other forms of its verb, in names and categories. */
  verbs: string[];
}

const UNKNOWN: Vocabulary = { isKnown: false, inside: [], alike: [], near: [], splits: [], verbs: [] };

/** Word of a query as the catalogue has it. */
interface KnownWord extends QueryWord, Vocabulary {
  /** Shades of a colour. */
  shades: string[];
}

/** Word of a search, or words that are one term: `water bottle`, `key ring`. */
export interface Term {
  label: string;
  words: KnownWord[];
  /** The words in one. */
  joined: string[];
  /** Phrases with the same meaning, found in names and categories. */
  synonyms: string[];
  /** Synonyms of phrases that the words are with typos; they count where those count. */
  misspelled: string[];
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
  /** Expression of the matches by name or category. */
  named: string;
  /** Expressions of suggestions in rank order: the words of the name, most words in name or category, beginnings of any. */
  suggested: string[];
  /** Forms of each colour of the query, which rank products that have them as an option from `tier` on. */
  colours: { tier: number; forms: string[][] };
  /** Puts what costs least first, among these and then among the others. */
  isCheapestFirst?: boolean;
  /** Expression whose matches leave the plan without any. */
  unless?: string;
}

/** Lists the words of the colours that a search is for. */
export const wantedColours = ({ colours }: SearchPlan): string[] => colours.forms.flat();

/** Lists the phrases of a query that synonyms may replace: in singular and plural, words in one, and a word as two. */
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
    return count === 1 ? [end, ...splitsOf(end)] : [phrase.join(" "), phrase.join("")];
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

/** Lists neighbouring words in one, in singular and plural, such as `keyring` and `keyrings`. */
export const joinedPairs = (words: QueryWord[]): string[] =>
  words.slice(1).flatMap(({ text }, at) => numberForms(`${words[at]?.text}${text}`));

/**
 * Groups words into terms: the longest phrase with a synonym, two words that products have as one, or a word.
 *
 * @param vocabulary of each word, in the same order
 */
export function groupTerms(words: QueryWord[], vocabulary: Vocabulary[], replacements: Replacements): Term[] {
  const known = words.map((word, at) => ({
    ...word,
    ...(vocabulary[at] ?? UNKNOWN),
    shades: shadesOf(word.text),
  }));
  const terms: Term[] = [];
  for (let start = 0; start < words.length; ) {
    const candidates = [MAX_PHRASE, 2, 1]
      .filter((count) => start + count <= words.length)
      .map((count) => termOf(known.slice(start, start + count), replacements));
    const term = candidates.find(isReplaced) ?? candidates.at(-1);
    if (!term) break;
    terms.push(term);
    start += term.words.length;
  }
  return terms;
}

/** Phrases that may stand for words of a query. */
interface Replacements {
  /** Synonyms by phrase. */
  synonyms: Map<string, string[]>;
  /** Synonyms by phrases that resemble a word of the query. */
  resembling: Map<string, string[]>;
  /** Pairs that products have as one word. */
  joined: Set<string>;
}

const isReplaced = ({ synonyms, misspelled, joined }: Term) =>
  synonyms.length + misspelled.length + joined.length > 0;

function termOf(words: Term["words"], { synonyms, resembling, joined }: Replacements): Term {
  const found = spellingsOf(words, 0, words.length).flatMap((one) => synonyms.get(one) ?? []);
  const near = [...resembling].flatMap(([one, meanings]) => (isMisspelled(words, one) ? meanings : []));
  return {
    label: words.map(({ label }) => label).join(" "),
    words,
    joined: words.length === 2 ? joinedPairs(words).filter((word) => joined.has(word)) : [],
    synonyms: [...new Set(found)],
    misspelled: [...new Set(near)].filter((one) => !found.includes(one)),
  };
}

/** Tests whether words are a phrase with typos, in words that no product has; the phrase may have them in one. */
function isMisspelled(words: Term["words"], phrase: string): boolean {
  if (words.every(({ isKnown, alike }) => isKnown && alike.length === 0)) return false;
  const parts = phrase.split(" ");
  if (parts.length === 1 && words.length > 1)
    return isSimilar(words.map(({ text }) => text).join(""), phrase);
  return (
    parts.length === words.length &&
    words.every(({ text, isKnown, alike }, at) =>
      isKnown
        ? [...numberForms(text), ...alike].includes(parts[at] ?? "")
        : isSameOrMisspelled(text, parts[at] ?? ""),
    )
  );
}

/** Tests whether some product may match a term. */
export const isKnownTerm = (term: Term): boolean =>
  isReplaced(term) ||
  term.words.every(
    ({ isKnown, alike, near, splits, verbs }) =>
      isKnown || alike.length + near.length + splits.length + verbs.length > 0,
  );

type Forms = (word: KnownWord) => string[];

const phrase = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const exact: Forms = ({ text, spellings, splits }) => [
  ...(spellings.length > 0 ? spellings : [...numberForms(text), ...otherNumeral(text)]).map(phrase),
  ...splits.map(splitExpression),
];
const begins: Forms = (word) =>
  word.spellings.length > 0
    ? exact(word)
    : [
        `${phrase(word.text)}*`,
        ...[...singulars(word.text), ...otherNumeral(word.text), ...word.alike, ...word.shades].map(phrase),
        ...word.splits.map(splitExpression),
        ...ofTitle(word.verbs.map(phrase)),
      ];
const inside: Forms = (word) => [...begins(word), ...ofName(word.inside.map(phrase))];
const near: Forms = (word) => [...inside(word), ...word.near.map(phrase)];

const ofName = (phrases: string[]) => (phrases.length > 0 ? [`{name} : (${phrases.join(" OR ")})`] : []);
const ofTitle = (phrases: string[]) =>
  phrases.length > 0 ? [`{name category} : (${phrases.join(" OR ")})`] : [];
const anyOf = (expressions: string[]) => `(${[...new Set(expressions)].join(" OR ")})`;

/**
 * Requires every term: its words, each in one of its forms, or a synonym, with `near` forms also one of misspelled words.
 *
 * @param heads for an occasion, the things that it may be of instead: "wedding ring" finds every ring
 */
function every(terms: Term[], forms: Forms, heads: Term[] = headsOf(terms)): string {
  const things = heads.length > 0 ? [title(every(heads, forms, []))] : [];
  const expressions = terms.map((term) => {
    const typed = oneTerm(term, forms);
    return things.length > 0 && isOccasionTerm(term) ? anyOf([typed, ...things]) : typed;
  });
  return expressions.join(" AND ");
}

function oneTerm({ words, joined, synonyms, misspelled }: Term, forms: Forms): string {
  const each = words.map((word) => anyOf(forms(word))).join(" AND ");
  // Far apart in a description, the words of a phrase mean something else.
  const typed = words.length > 1 && synonyms.length > 0 ? inTitleOrTogether(words, each) : each;
  const phrases = forms === near ? [...synonyms, ...misspelled] : synonyms;
  const meanings = phrases.flatMap(inBothNumbers).map(phrase);
  const others = [
    ...joined.map((word) => `${phrase(word)}*`),
    ...(meanings.length > 0 ? [`{name category} : ${anyOf(meanings)}`] : []),
  ];
  return others.length > 0 ? anyOf([`(${typed})`, ...others]) : typed;
}

const textsOf = ({ words }: Term) => words.map(({ text }) => text);
const isOccasionTerm = (term: Term) =>
  isOccasion(
    textsOf(term),
    term.words.every(({ isKnown }) => isKnown),
  );

/** Picks the terms that say what a product is, where others name the occasion. A description lists numbers and colours. */
function headsOf(terms: Term[]): Term[] {
  return terms.some(isOccasionTerm) ? terms.filter((term) => !isOccasionTerm(term) && isOfName(term)) : [];
}

const isOfName = (term: Term) => !/^\d+$/.test(term.label) && coloursOf(term).length === 0;

const inTitleOrTogether = (words: Term["words"], each: string) =>
  anyOf([title(each), ...inBothNumbers(words.map(({ text }) => text).join(" ")).map(phrase)]);

/** Builds the expression of a word that a product has, without what it means. */
export const ownExpression = (text: string): string =>
  anyOf(begins({ ...UNKNOWN, label: text, text, spellings: [], shades: shadesOf(text) }));

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
  const wide = every(terms, near);
  const typed = options.insideWords ? parts : starts;
  const mostlyNamed = mostlyNamedTiers(terms, options.insideWords ? parts : wide);
  const isCorrected = terms.some(({ words }) => words.some((word) => word.near.length > 0));
  const corrected = every(
    terms.map((term) => ({ ...term, misspelled: [] })),
    near,
  );
  const first = headsOf(terms).length > 0 ? [title(every(terms, begins, []))] : [];
  const titles = [
    ...[...first, name(whole), title(whole), name(starts), title(starts)],
    ...(isCorrected ? [name(corrected), title(corrected)] : []),
  ];
  return {
    typed,
    enough: options.insideWords ? ENOUGH_MATCHES : 1,
    wide,
    tiers: [
      ...[...titles, ...mostlyNamed, ...withColoursTogether(terms), whole],
      ...(wide === parts ? [] : [name(wide)]),
    ],
    suggested: [...first, name(whole), name(starts), ...mostlyNamed, typed],
    nameKey,
    named: title(starts),
    colours: {
      tier: titles.length,
      forms: terms
        .map(coloursOf)
        .filter((forms) => forms.length > 0)
        .slice(0, MAX_COLOURS),
    },
  };
}

/** Ranks first what has a search in name or category, and one of some words in its name. */
export function withNamesFirst(plan: SearchPlan, words: string[]): SearchPlan {
  if (words.length === 0) return plan;
  const first = `${plan.named} AND ${name(anyOf(words.flatMap(numberForms).map(phrase)))}`;
  const { tier, forms } = plan.colours;
  return { ...plan, tiers: [first, ...plan.tiers], colours: { tier: tier + 1, forms } };
}

const name = (expression: string) => `{name} : (${expression})`;
const title = (expression: string) => `{name category} : (${expression})`;

/** Builds the tiers of matches that have most of the query in name or category. @param any expression of all matches */
function mostlyNamedTiers(terms: Term[], any: string): string[] {
  // A description lists the models that fit: their numbers say nothing of what the product is, nor do colours.
  const named = terms.filter(isOfName);
  const isDescribed = named.length > 0 && named.length < terms.length;
  const without = (term: Term) => named.filter((other) => other !== term);
  const allButOne = named.map((term) => title(every(without(term), begins)));
  return [
    ...(isDescribed ? [`(${any}) AND ${title(every(named, exact))}`] : []),
    ...(named.length > 1 ? [`(${any}) AND ${anyOf(allButOne)}`] : []),
  ];
}

/** Builds the tier of a colour's word beside another: as in "olive oil" or "skin cream", the two may be no colour. */
function withColoursTogether(terms: Term[]): string[] {
  const pairs = terms.slice(1).map((term, at) => [terms[at], term].filter((one) => one !== undefined));
  const coloured = pairs.filter((pair) => pair.some((term) => coloursOf(term).length > 0));
  const phrases = coloured.flatMap((pair) => inBothNumbers(pair.flatMap(textsOf).join(" ")).map(phrase));
  return phrases.length > 0 ? [`(${every(terms, near)}) AND ${anyOf(phrases)}`] : [];
}

/** Tests for terms that are all colours, which say nothing of what a product is. */
export const areColours = (terms: Term[]): boolean => terms.every((term) => coloursOf(term).length > 0);

/** Colours of a query that rank its matches. */
const MAX_COLOURS = 2;

/** Returns a colour that is a term, with its spellings and shades. @returns none for other terms */
function coloursOf({ words: [word, ...others] }: Term): string[] {
  if (!word || others.length > 0) return [];
  const own = [word.text, ...word.alike, ...word.near].filter(isColour);
  return own.length > 0 ? [...own, ...word.shades] : [];
}

/** Expression of the matches that have a colour by its own name, and one of each of its shades. */
export interface ColourMatches {
  label: string;
  own: string;
  shades: { shade: string; match: string }[];
}

/** Builds the expressions that tell a colour of a search from its shades. */
export function colourMatches(terms: Term[]): ColourMatches[] {
  const withWord = (from: KnownWord, to: Partial<KnownWord>) =>
    every(
      terms.map((term) => ({
        ...term,
        words: term.words.map((word) => (word === from ? { ...word, shades: [], ...to } : word)),
      })),
      near,
    );
  const colours = terms.flatMap(({ words }) => words.filter(({ shades }) => shades.length > 0));
  return colours.map((word) => {
    const isSpelling = (shade: string) => alikeSpellings(word.text).includes(shade);
    return {
      label: word.label,
      // “grey” is “gray”.
      own: withWord(word, { shades: word.shades.filter(isSpelling) }),
      shades: word.shades
        .filter((shade) => !isSpelling(shade))
        .map((shade) => ({ shade, match: withWord(word, { ...UNKNOWN, text: shade }) })),
    };
  });
}
