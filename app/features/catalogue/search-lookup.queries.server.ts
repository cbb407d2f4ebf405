import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { identityKey } from "~/db/text";
import {
  beginningsOf,
  groupTerms,
  joinedPairs,
  phrasesOf,
  type SearchPlan,
  searchPlan,
  type Term,
  type Vocabulary,
} from "./search";
import { type QueryWord, readQuery, type SearchQuery } from "./search-query";
import {
  closeWords,
  knownParts,
  lookup,
  otherNumeral,
  partsOf,
  phraseKeys,
  similarWords,
  splitExpression,
  verbForms,
} from "./search-words";

/** Last code point: ends the range of words with a prefix. */
const LAST_CODE_POINT = "\u{10ffff}";
/** Catalogue words of a term that contain it, and those that share a typo key with it, at most. */
const MAX_INSIDE = 50;
const MAX_CANDIDATES = 4000;
/** Words that are offered in place of one that no product has. */
const MAX_CLOSE = 6;

/** Synonyms that a word which is still being typed may stand for. */
const MAX_COMPLETED = 12;
/** Phrases with synonyms that share a key with a word, at most. */
const MAX_RESEMBLING = 100;

/** Search that was understood. */
export interface PlannedSearch {
  query: SearchQuery;
  terms: Term[];
  plan: SearchPlan;
  /** Words of the catalogue that are close to those, nearest first. */
  close: string[];
}

type LookupRow = Record<"inside" | "candidates" | "alike" | "splits" | "compounds", string> & {
  known: number;
};

/** Words in the catalogue for each word of a query, by lookups in indexes; those of a known word are left out. */
const vocabularyQuery = (words: QueryWord[], insideWords: boolean) => {
  const wanted = words.map(({ text, spellings }) => ({
    ...lookup(text),
    splits: lookup(text).splits.map((split) => ({ phrase: split, match: splitExpression(split) })),
    match: (spellings.length > 0
      ? spellings.map((one) => `"${one}"`)
      : [`"${text}"*`, ...otherNumeral(text).map((one) => `"${one}"`)]
    ).join(" OR "),
    isPart: insideWords && Array.from(text).length >= 3,
  }));
  const matches = sql`SELECT 1 FROM product_search WHERE product_search MATCH`;
  const unless = (subquery: ReturnType<typeof sql>, condition = sql`named.known`) =>
    sql`CASE WHEN ${condition} THEN '[]' ELSE (SELECT json_group_array(word) FROM (${subquery})) END`;
  const isWord = sql`named.known AND EXISTS (SELECT 1 FROM json_each(named.value, '$.forms') AS forms
    CROSS JOIN product_words ON product_words.word = forms.value)`;
  return sql`WITH named AS MATERIALIZED (
      SELECT key, value, EXISTS (${matches} value ->> 'match') AS known FROM json_each(${JSON.stringify(wanted)}))
    SELECT named.known,
      (SELECT json_group_array(word) FROM (
        SELECT DISTINCT word FROM product_word_endings
        WHERE named.value ->> 'isPart' AND ending >= named.value ->> 'word'
          AND ending < (named.value ->> 'word') || ${LAST_CODE_POINT}
        ORDER BY length(word), word LIMIT ${MAX_INSIDE})) AS inside,
      ${unless(sql`SELECT DISTINCT word FROM (
        SELECT product_word_keys.word FROM json_each(named.value, '$.keys') AS keys
        CROSS JOIN product_word_keys ON product_word_keys.key = keys.value LIMIT ${MAX_CANDIDATES})
        UNION SELECT word FROM (SELECT word FROM product_word_endings
        WHERE ending = named.value ->> 'ending' LIMIT ${MAX_CANDIDATES})`)} AS candidates,
      ${unless(
        sql`SELECT product_words.word FROM json_each(named.value, '$.alike') AS alike
        CROSS JOIN product_words ON product_words.word = alike.value`,
        isWord,
      )} AS alike,
      ${unless(sql`SELECT splits.value ->> 'phrase' AS word FROM json_each(named.value, '$.splits') AS splits
        WHERE EXISTS (${matches} splits.value ->> 'match')`)} AS splits,
      ${unless(sql`SELECT word FROM product_word_endings AS e
        WHERE ending = named.value ->> 'word' AND EXISTS (SELECT 1 FROM product_words
          WHERE product_words.word = substr(e.word, 1, length(e.word) - length(e.ending)))`)} AS compounds
    FROM named ORDER BY named.key`;
};

/** Pairs of a phrase and its synonym that a product has in its name or category. */
const inCatalogue = (pairs: SQL) => sql`SELECT phrase, meaning FROM (${pairs}) AS found
  WHERE EXISTS (SELECT 1 FROM product_search
    WHERE product_search MATCH '{name category} : "' || replace(meaning, '"', ' ') || '"*')`;

/** Synonyms of the phrases of a table `named`: what they mean, and what means the same. */
const synonymsOf = (named: SQL) => sql`SELECT named.value AS phrase, s.meaning FROM ${named} AS named
    CROSS JOIN search_synonyms AS s ON s.word = named.value
  UNION SELECT named.value, s.word FROM ${named} AS named
    CROSS JOIN search_synonyms AS s ON s.meaning = named.value AND s.both_ways`;

const synonymQuery = (phrases: string[]) =>
  inCatalogue(synonymsOf(sql`json_each(${JSON.stringify(phrases)})`));

/** Synonyms of the phrases that share a key with a word. */
const resemblingQuery = (keys: string[]) =>
  inCatalogue(
    synonymsOf(sql`(SELECT DISTINCT k.phrase AS value FROM json_each(${JSON.stringify(keys)}) AS named
      CROSS JOIN search_synonym_keys AS k ON k.key = named.value LIMIT ${MAX_RESEMBLING})`),
  );

/** Synonyms of phrases that begin in a way. */
const completedQuery = (beginnings: string[]) => {
  const range = (column: SQL) =>
    sql`${column} > named.value AND ${column} < named.value || ${LAST_CODE_POINT}`;
  return inCatalogue(sql`SELECT * FROM (
    SELECT named.value AS phrase, s.meaning FROM json_each(${JSON.stringify(beginnings)}) AS named
    CROSS JOIN search_synonyms AS s ON ${range(sql`s.word`)}
    UNION SELECT named.value, s.word FROM json_each(${JSON.stringify(beginnings)}) AS named
    CROSS JOIN search_synonyms AS s ON ${range(sql`s.meaning`)} AND s.both_ways) LIMIT ${MAX_COMPLETED}`);
};

const knownQuery = (
  words: string[],
) => sql`SELECT product_words.word FROM json_each(${JSON.stringify(words)}) AS named
  CROSS JOIN product_words ON product_words.word = named.value`;

/**
 * Understands and plans a search, in one round trip. A last word that no product has may be the beginning of a synonym.
 *
 * @param text any
 * @param options `hasPrices` reads a price from the text; for `insideWords` see searchPlan
 * @returns null for a text without letters and digits besides a price, and for a shopper's stop words
 */
export async function planSearch(
  db: Db,
  text: string,
  { insideWords = false, hasPrices = false }: { insideWords?: boolean; hasPrices?: boolean } = {},
): Promise<PlannedSearch | null> {
  const query = readQuery(text, hasPrices);
  const { words } = query;
  if (words.length === 0) return null;
  const beginnings = beginningsOf(words);
  const pairs = joinedPairs(words);
  const keys = [...words.map(({ text: word }) => word), ...pairs].flatMap(phraseKeys);
  const verbs = words.flatMap(({ text: word }) => verbForms(word));
  const parts = words.flatMap(({ text: word, spellings }) => (spellings.length > 0 ? [] : partsOf(word)));
  const [vocabulary, synonyms, resembling, completed, known] = await Promise.all([
    db.all<LookupRow>(vocabularyQuery(words, insideWords)),
    db.all<Synonym>(synonymQuery(phrasesOf(words))),
    keys.length > 0 ? db.all<Synonym>(resemblingQuery([...new Set(keys)])) : [],
    beginnings.length > 0 ? db.all<Synonym>(completedQuery(beginnings)) : [],
    db.all<{ word: string }>(knownQuery([...new Set([...pairs, ...verbs, ...parts])])),
  ]);
  const knownWords = new Set(known.map(({ word }) => word));
  const terms = groupTerms(
    words,
    words.map(({ text: word }, at) => vocabularyOf(word, vocabulary[at], knownWords)),
    {
      synonyms: bySynonym(vocabulary.at(-1)?.known === 1 ? synonyms : [...synonyms, ...completed]),
      resembling: bySynonym(resembling),
      joined: knownWords,
    },
  );
  return {
    query,
    terms,
    plan: {
      ...searchPlan(terms, identityKey(query.text), { insideWords }),
      isCheapestFirst: query.isCheapestFirst,
    },
    close: closeTo(words, vocabulary, knownWords),
  };
}

/** Lists the words of the catalogue that are close to words of no product, and parts of these. */
function closeTo(words: QueryWord[], rows: LookupRow[], knownWords: Set<string>): string[] {
  const close = words.flatMap(({ text: word }, at) => [
    ...closeWords(word, list(rows[at]?.candidates)),
    ...(rows[at]?.known === 0 ? knownParts(word, knownWords) : []),
  ]);
  return [...new Set(close)].slice(0, MAX_CLOSE);
}

const list = (json: string | undefined) => JSON.parse(json ?? "[]") as string[];

function vocabularyOf(word: string, row: LookupRow | undefined, knownWords: Set<string>): Vocabulary {
  const near = [...similarWords(word, list(row?.candidates)), ...list(row?.compounds)];
  return {
    isKnown: row?.known === 1,
    inside: list(row?.inside),
    alike: list(row?.alike),
    near: [...new Set(near)],
    splits: list(row?.splits),
    verbs: verbForms(word).filter((form) => knownWords.has(form)),
  };
}

interface Synonym {
  phrase: string;
  meaning: string;
}

function bySynonym(rows: Synonym[]): Map<string, string[]> {
  const groups = Map.groupBy(rows, ({ phrase }) => phrase);
  return new Map([...groups].map(([phrase, found]) => [phrase, found.map(({ meaning }) => meaning)]));
}
