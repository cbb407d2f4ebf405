import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { lookup, type SearchPlan, searchPlan, searchTerms, similarWords, type Vocabulary } from "./search";

/** Matches (one page of the shop) from which typos are no longer searched. */
const ENOUGH_MATCHES = 24;

/** Last code point: ends the range of words with a prefix. */
const LAST_CODE_POINT = "\u{10ffff}";

/**
 * Finds catalogue words that the terms of a query may stand for, in one statement of index lookups; none for terms under
 * 3 letters.
 *
 * @param words result of searchTerms
 * @returns vocabulary of each term, in the same order
 */
export async function findVocabulary(db: Db, words: string[]): Promise<Vocabulary[]> {
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

/** SQL that picks the expression: `wide` where `typed` finds less than a page. */
function expression(plan: SearchPlan): SQL {
  return sql`(SELECT CASE WHEN count(*) < ${ENOUGH_MATCHES} THEN ${plan.wide} ELSE ${plan.typed} END
    FROM (SELECT 1 FROM product_search WHERE product_search MATCH ${plan.typed} LIMIT ${ENOUGH_MATCHES}))`;
}

/**
 * Table `found` of matching row ids, to be joined by `.crossJoin(products).where(and(onMatch, …))`. With an inner join,
 * SQLite would scan an index of all products and look each up among the matches.
 */
export function matching(plan: SearchPlan): SQL {
  return sql`(SELECT rowid AS "row" FROM product_search WHERE product_search MATCH ${expression(plan)}) AS found`;
}

/**
 * Table `found` with the columns of `byRank`: products with all words in name and category before those with some in
 * the description, whole words before prefixes, infixes and typos; bm25 among equals, weighing the name most.
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

/** Join condition of `products` and `found`. */
export const onMatch: SQL<boolean> = sql`"products"."rowid" = found."row"`;

/** Order of `rankedMatches`, best match first; deterministic. */
export const byRank: SQL[] = [sql`found.tier`, sql`found.score`, sql`found."row"`];
