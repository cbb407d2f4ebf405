import { type SQL, sql } from "drizzle-orm";

/** Normalises text for comparison: NFC, lower case. */
export function searchKey(text: string): string {
  return text
    .normalize("NFC")
    .toLowerCase()
    .replace(/\p{Cc}/gu, " ")
    .trim();
}

/** Characters from which the trigram index finds a text. */
const MIN_TRIGRAM = 3;
/** Phone number, or a part of one, in any spelling. */
const PHONE = /^[\d\s()+./-]+$/;

/**
 * Selects the rows that contain a text, or for one or two characters those with a word that begins with it. Customers are
 * found by the digits of their phone number too.
 *
 * @param q NFC and lower case
 */
export function textMatches(kind: "document" | "customer", q: string): SQL {
  const digits = PHONE.test(q) ? q.replace(/\D/g, "") : "";
  const isPhone = kind === "customer" && digits.length >= MIN_TRIGRAM && digits !== q;
  const quoted = `"${q.replaceAll('"', '""')}"${isPhone ? ` OR "${digits}"` : ""}`;
  const isShort = [...q].length < MIN_TRIGRAM;
  const index = sql.identifier(`${kind}_${isShort ? "starts" : "search"}`);
  return sql`(SELECT rowid AS "row" FROM ${index} WHERE ${index} MATCH ${isShort ? `${quoted}*` : quoted}) AS found`;
}
