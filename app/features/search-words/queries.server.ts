import { type SQL, sql } from "drizzle-orm";
import { difference, INSERTED, recorded } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import type { StoredWord } from "./schema";

/** Pairs of the list, and those of one page of it. */
export const MAX_WORDS = 2000;
const PAGE_SIZE = 50;
const LAST = "\u{10ffff}";

interface Row {
  word: string;
  meaning: string;
  bothWays: number;
}

const COLUMNS = sql.raw("word, meaning, both_ways AS bothWays");
const toWord = ({ word, meaning, bothWays }: Row): StoredWord => ({
  ...{ word, meaning },
  direction: bothWays === 1 ? "both" : "first",
});

/** Finds a pair by its name, `word = meaning`; neither side has an equals sign. */
export async function findWord(db: Db, name: string): Promise<StoredWord | null> {
  const [word = "", meaning = ""] = name.split(" = ");
  const [row] = await db.all<Row>(
    sql`SELECT ${COLUMNS} FROM search_synonyms WHERE word = ${word} AND meaning = ${meaning}`,
  );
  return row ? toWord(row) : null;
}

/** Page of the list, and whether another one follows. */
export interface WordPage {
  words: StoredWord[];
  isLast: boolean;
}

/**
 * Finds pairs by the beginning of either side, sorted by the first.
 *
 * @param text folded; "" for all
 * @param after pair behind which the page begins
 */
export async function findWords(
  db: Db,
  text: string,
  after: Pick<StoredWord, "word" | "meaning">,
): Promise<WordPage> {
  const behind = sql`(word, meaning) > (${after.word}, ${after.meaning})`;
  const begins = (side: string) => sql`${sql.raw(side)} >= ${text} AND ${sql.raw(side)} < ${text + LAST}`;
  const page = sql`ORDER BY word, meaning LIMIT ${PAGE_SIZE + 1}`;
  const found =
    text === ""
      ? sql`SELECT ${COLUMNS} FROM search_synonyms WHERE ${behind} ${page}`
      : sql`SELECT * FROM (SELECT ${COLUMNS} FROM search_synonyms WHERE ${begins("word")} AND ${behind} ${page})
          UNION SELECT * FROM (SELECT ${COLUMNS} FROM search_synonyms WHERE ${begins("meaning")} AND ${behind} ${page}) ${page}`;
  const rows = await db.all<Row>(found);
  return { words: rows.slice(0, PAGE_SIZE).map(toWord), isLast: rows.length <= PAGE_SIZE };
}

const isPair = ({ word, meaning }: Pick<StoredWord, "word" | "meaning">): SQL =>
  sql`word = ${word} AND meaning = ${meaning}`;

/** Condition that no pair says the same already. */
const isFree = (
  { word, meaning, direction }: StoredWord,
  except?: Pick<StoredWord, "word" | "meaning">,
): SQL => {
  const isOther = except ? sql`AND NOT (${isPair(except)})` : sql``;
  const reverse = direction === "both" ? sql`` : sql`AND both_ways`;
  return sql`NOT EXISTS (SELECT 1 FROM search_synonyms WHERE ${isPair({ word, meaning })} ${isOther})
    AND NOT EXISTS (SELECT 1 FROM search_synonyms WHERE ${isPair({ word: meaning, meaning: word })} ${reverse} ${isOther})`;
};

const nameOf = ({ word, meaning }: Pick<StoredWord, "word" | "meaning">) => `${word} = ${meaning}`;
const isBothWays = ({ direction }: Pick<StoredWord, "direction">) => (direction === "both" ? 1 : 0);

/** Deletes the searches without a result that a pair is made for; after the statement that records it, if that has written. */
const withoutMisses = ({ word }: Pick<StoredWord, "word">): SQL =>
  sql`DELETE FROM missed_search_days WHERE words = ${word} AND ${INSERTED}`;

/** Adds a pair. @returns what stands against it: one that says the same, or a full list; null when it was added */
export async function insertWord(db: Db, pair: StoredWord): Promise<"taken" | "full" | null> {
  const { word, meaning } = pair;
  const hasRoom = sql`(SELECT count(*) FROM search_synonyms) < ${MAX_WORDS}`;
  const [rows = [], , , state = []] = await runBatch(db, [
    sql`INSERT INTO search_synonyms (word, meaning, both_ways) SELECT ${word}, ${meaning}, ${isBothWays(pair)}
      WHERE ${isFree(pair)} AND ${hasRoom} RETURNING word`,
    recorded(db, {
      object: "searchWord",
      action: "created",
      id: nameOf(pair),
      changes: {},
      rows: sql`WHERE ${INSERTED}`,
    }),
    withoutMisses(pair),
    sql`SELECT NOT (${hasRoom}) AS isFull`,
  ]);
  if (rows.length > 0) return null;
  return state[0]?.isFull === 1 ? "full" : "taken";
}

/** Changes a pair. @returns what stands against it: it was changed or removed, or another one says the same; null when it was changed */
export async function updateWord(
  db: Db,
  was: StoredWord,
  pair: StoredWord,
): Promise<"gone" | "taken" | null> {
  const isThere = sql`${isPair(was)} AND both_ways = ${isBothWays(was)}`;
  const isFreeBeside = isFree(pair, was);
  const [, rows = [], , state = []] = await runBatch(db, [
    recorded(db, {
      object: "searchWord",
      action: "changed",
      id: nameOf(was),
      changes: {
        word: difference(sql`word`, pair.word),
        meaning: difference(sql`meaning`, pair.meaning),
        bothWays: difference(sql`both_ways`, isBothWays(pair)),
      },
      rows: sql`FROM search_synonyms WHERE ${isThere} AND ${isFreeBeside}`,
    }),
    sql`UPDATE search_synonyms SET word = ${pair.word}, meaning = ${pair.meaning}, both_ways = ${isBothWays(pair)}
      WHERE ${isThere} AND ${isFreeBeside} RETURNING word`,
    withoutMisses(pair),
    sql`SELECT EXISTS (SELECT 1 FROM search_synonyms WHERE ${isThere}) AS isThere`,
  ]);
  if (rows.length > 0) return null;
  return state[0]?.isThere === 1 ? "taken" : "gone";
}

/** Removes a pair. @returns false for one that is gone */
export async function deleteWord(db: Db, pair: Pick<StoredWord, "word" | "meaning">): Promise<boolean> {
  const [, rows = []] = await runBatch(db, [
    recorded(db, {
      object: "searchWord",
      action: "deleted",
      id: nameOf(pair),
      changes: {},
      rows: sql`FROM search_synonyms WHERE ${isPair(pair)}`,
    }),
    sql`DELETE FROM search_synonyms WHERE ${isPair(pair)} RETURNING word`,
  ]);
  return rows.length > 0;
}

/** Searches that found nothing: their words, and how often. */
export interface MissedSearch {
  words: string;
  searches: number;
}

/** Finds what was searched most in 30 days without a result. */
export const findMissed = (db: Db, limit: number): Promise<MissedSearch[]> =>
  db.all<MissedSearch>(
    sql`SELECT words, searches FROM missed_searches ORDER BY searches DESC, words DESC LIMIT ${limit}`,
  );

/** Different searches of one day that are counted. */
const MAX_A_DAY = 200;

/** Counts a search without a result; another one than those of the day only while there is room. @param day `YYYY-MM-DD` */
export async function countMissed(db: Db, day: string, words: string): Promise<void> {
  await db.run(sql`INSERT INTO missed_search_days (day, words, searches) SELECT ${day}, ${words}, 1
    WHERE EXISTS (SELECT 1 FROM missed_search_days WHERE day = ${day} AND words = ${words})
      OR (SELECT count(*) FROM (SELECT 1 FROM missed_search_days WHERE day = ${day} LIMIT ${MAX_A_DAY})) < ${MAX_A_DAY}
    ON CONFLICT (day, words) DO UPDATE SET searches = searches + 1`);
}

/** Forgets the searches of the days before one. @param day `YYYY-MM-DD` */
export async function deleteMissedBefore(db: Db, day: string): Promise<void> {
  await db.run(sql`DELETE FROM missed_search_days WHERE day < ${day}`);
}
