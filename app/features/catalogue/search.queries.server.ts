import { and, between, desc, eq, type SQL, sql } from "drizzle-orm";
import type { SelectedFields } from "drizzle-orm/sqlite-core";
import type { Db } from "~/db/client.server";
import { products } from "~/db/schema";
import { MAX_PRICE, PRICE_RANGES } from "./price-bands";
import {
  type CardRow,
  card,
  conditions,
  IN_STOCK,
  type ListWindow,
  noLimit,
  ORDER,
  onMatch,
} from "./queries.server";
import type { Facets, ListFilter } from "./schema";
import { lookup, type SearchPlan, searchPlan, searchTerms, similarWords, type Vocabulary } from "./search";

/** Last code point: ends the range of words with a prefix. */
const LAST_CODE_POINT = "\u{10ffff}";

/**
 * Finds catalogue words that the terms of a query may stand for, in one statement of index lookups; none for terms under
 * 3 letters.
 *
 * @param words result of searchTerms
 * @returns vocabulary of each term, in the same order
 */
async function findVocabulary(db: Db, words: string[]): Promise<Vocabulary[]> {
  const lookups = words.map(lookup);
  if (!lookups.some((each) => each.inside)) return words.map(() => ({ inside: [], near: [] }));
  const rows = await db.all<{ inside: string; near: string }>(sql`
    SELECT
      (SELECT json_group_array(word) FROM (
        SELECT DISTINCT word FROM product_word_endings
        WHERE wanted.value ->> 'inside' AND ending >= wanted.value ->> 'word' AND ending < (wanted.value ->> 'word') || ${LAST_CODE_POINT}
        ORDER BY length(word), word LIMIT 50)) AS inside,
      (SELECT json_group_array(word) FROM (
        SELECT DISTINCT word FROM json_each(wanted.value, '$.keys') AS keys
        CROSS JOIN product_word_keys ON product_word_keys.key = keys.value
        LIMIT 5000)) AS near
    FROM json_each(${JSON.stringify(lookups)}) AS wanted ORDER BY wanted.key`);
  return rows.map((row, index) => ({
    inside: JSON.parse(row.inside) as string[],
    near: similarWords(words[index] ?? "", JSON.parse(row.near) as string[]),
  }));
}

/**
 * Plans a search, in at most one round trip.
 *
 * @param query any text
 * @param options see searchPlan
 * @returns null for a text without letters and digits, which no product matches
 */
export async function planSearch(
  db: Db,
  query: string,
  options?: { insideWords: boolean },
): Promise<SearchPlan | null> {
  const words = searchTerms(query);
  if (words.length === 0) return null;
  return searchPlan(words, await findVocabulary(db, words), options);
}

/** SQL that picks the expression: `wide` where `typed` finds too little. */
function expression(plan: SearchPlan): SQL {
  return sql`(SELECT CASE WHEN count(*) < ${plan.enough} THEN ${plan.wide} ELSE ${plan.typed} END
    FROM (SELECT 1 FROM product_search WHERE product_search MATCH ${plan.typed} LIMIT ${plan.enough}))`;
}

/**
 * Table `found` of matching row ids, to be joined by `.crossJoin(products).where(and(onMatch, …))`. With an inner join,
 * SQLite would scan an index of all products and look each up among the matches.
 */
export function matching(plan: SearchPlan): SQL {
  return sql`(SELECT rowid AS "row" FROM product_search WHERE product_search MATCH ${expression(plan)}) AS found`;
}

/**
 * Table `found` with the columns of `byRank`: whole words before prefixes, infixes and typos; in each of them products
 * with all words in name and category before those with some in the description; bm25 among equals, weighing the name most.
 */
export function rankedMatches(plan: SearchPlan): SQL {
  const tiers = plan.tiers.map(
    (tier, rank) =>
      sql`WHEN rowid IN (SELECT rowid FROM product_search WHERE product_search MATCH ${tier}) THEN ${sql.raw(String(rank))}`,
  );
  return sql`(SELECT rowid AS "row", CASE ${sql.join(tiers, sql` `)} ELSE ${sql.raw(String(tiers.length))} END AS tier,
    bm25(product_search, 10, 4, 1) AS score
    FROM product_search WHERE product_search MATCH ${expression(plan)}) AS found`;
}

/** Order of `rankedMatches`, best match first; deterministic. */
export const byRank: SQL[] = [sql`found.tier`, sql`found.score`, sql`found."row"`];

/** Finds products that match a search, in the shop's default sort what is in stock before the best match. */
export function searchOf<Row>(columns: SelectedFields) {
  return (db: Db, plan: SearchPlan, filter: ListFilter, window: ListWindow): Promise<Row[]> => {
    const isRanked = filter.sort === "default";
    return db
      .select(columns)
      .from(isRanked ? rankedMatches(plan) : matching(plan))
      .crossJoin(products)
      .where(and(onMatch, conditions(filter)))
      .orderBy(...(isRanked ? [desc(IN_STOCK), ...byRank] : ORDER[filter.sort]))
      .limit(window.limit ?? noLimit)
      .offset(window.offset) as unknown as Promise<Row[]>;
  };
}

/** Counts the matches of a search beside the filters. Reads every match. */
export async function countFound(db: Db, plan: SearchPlan, filter: ListFilter): Promise<Facets> {
  const count = (where: SQL | undefined, name: string) =>
    sql<number>`count(*) FILTER (WHERE ${where ?? sql`true`})`.as(name);
  const range = conditions({ ...filter, category: null, inStock: false });
  const stock = filter.inStock ? eq(IN_STOCK, 1) : undefined;
  const steps = PRICE_RANGES.map(({ min, max }, index) => [
    `price${index}`,
    count(and(between(products.priceCents, min ?? 0, max ?? MAX_PRICE), stock), `price${index}`),
  ]);
  const columns = {
    total: count(and(range, stock), "total"),
    inStock: count(and(range, eq(IN_STOCK, 1)), "inStock"),
    anyStock: count(range, "anyStock"),
    ...Object.fromEntries(steps),
  };
  const rows = await db
    .select(columns)
    .from(matching(plan))
    .crossJoin(products)
    .where(and(onMatch, filter.category ? eq(products.category, filter.category) : undefined));
  const { total = 0, inStock = 0, anyStock = 0, ...prices } = (rows[0] ?? {}) as Record<string, number>;
  return { total, inStock, anyStock, prices: PRICE_RANGES.map((_, index) => prices[`price${index}`] ?? 0) };
}

/** Candidates of a suggestion per tier. */
const MAX_CANDIDATES = 40;

/**
 * Finds the newest cards of each tier, at most 40 of each; a card may be in several. Scores would read every match.
 *
 * @param tiers result of suggestionTiers
 */
export function findCandidates(db: Db, tiers: string[]): Promise<(CardRow & { tier: number })[]> {
  const arms = tiers.map(
    (
      tier,
      rank,
    ) => sql`SELECT * FROM (SELECT rowid AS "row", ${sql.raw(String(rank))} AS tier FROM product_search
      WHERE product_search MATCH ${tier} ORDER BY rowid DESC LIMIT ${MAX_CANDIDATES})`,
  );
  return db
    .select({ ...card, tier: sql<number>`found.tier`.as("tier") })
    .from(sql`(${sql.join(arms, sql` UNION ALL `)}) AS found`)
    .crossJoin(products)
    .where(onMatch);
}
