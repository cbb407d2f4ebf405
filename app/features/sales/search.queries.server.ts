import { type SQL, sql } from "drizzle-orm";

const SHORT = 3;

/**
 * Selects the rows that contain a text, or for one or two characters those with a word that begins with it.
 *
 * @param q NFC and lower case
 */
export function textMatches(kind: "document" | "customer", q: string): SQL {
  const quoted = `"${q.replaceAll('"', '""')}"`;
  const isShort = [...q].length < SHORT;
  const index = sql.identifier(`${kind}_${isShort ? "starts" : "search"}`);
  return sql`(SELECT rowid AS "row" FROM ${index} WHERE ${index} MATCH ${isShort ? `${quoted}*` : quoted}) AS found`;
}
