import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { lookup, type SearchPlan, searchPlan, searchTerms, similarWords, type Vocabulary } from "./search";

/** With this many matches as typed (a page of the shop), no typos are looked for: they would only be noise. */
const ENOUGH = 24;

/** The end of all words that begin with a text: the last code point comes after any letter. */
const LAST = "\u{10ffff}";

/**
 * What the words of a query may stand for. One statement, index lookups only; none at all for words under 3 letters.
 *
 * @param words from searchTerms
 * @returns for each word, in order: words of the catalogue that hold it inside, and words one typo away
 */
export async function findVocabulary(db: Db, words: string[]): Promise<Vocabulary[]> {
  const lookups = words.map(lookup);
  if (!lookups.some((each) => each.inside)) return words.map(() => ({ inside: [], near: [] }));
  const rows = await db.all<{ inside: string; near: string }>(sql`
    SELECT
      (SELECT json_group_array(word) FROM (
        SELECT DISTINCT word FROM product_word_endings
        WHERE wanted.value ->> 'inside' AND ending >= wanted.value ->> 'word' AND ending < (wanted.value ->> 'word') || ${LAST}
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
 * Reads a query for the list queries below. At most one round trip.
 *
 * @param query what was typed, any text; a blank one is no search and should not come here
 * @param options `insideWords`: see searchPlan
 * @returns null when the text has no letter or digit, which no product matches
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

/** The expression to match: as typed, or wide where that finds less than a page. Decided inside the statement. */
function expression(plan: SearchPlan): SQL {
  return sql`(SELECT CASE WHEN count(*) < ${ENOUGH} THEN ${plan.wide} ELSE ${plan.typed} END
    FROM (SELECT 1 FROM product_search WHERE product_search MATCH ${plan.typed} LIMIT ${ENOUGH}))`;
}

/**
 * The products that a search finds, for `.from()`: join the products behind it with
 * `.crossJoin(products).where(and(onFound, …))`. A cross join, because SQLite would else walk an index of all
 * products and look each of them up among the few that were found.
 *
 * @returns a table `found` with the products' `"row"`
 */
export function matching(plan: SearchPlan): SQL {
  return sql`(SELECT rowid AS "row" FROM product_search WHERE product_search MATCH ${expression(plan)}) AS found`;
}

/**
 * Like `found`, for the order `bestFirst`: products with all words in name and category before those with some in
 * the description, whole words before beginnings, insides and typos; bm25 among equals, the name weighing most.
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

/** What joins `products` to `found`. */
export const onMatch: SQL<boolean> = sql`"products"."rowid" = found."row"`;

/** The order of `foundRanked`, best match first; the same every time. */
export const byRank: SQL[] = [sql`found.tier`, sql`found.score`, sql`found."row"`];
