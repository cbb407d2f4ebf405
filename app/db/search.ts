import { type SQL, sql } from "drizzle-orm";
import { isSpaceless, searchedForms, searchKey } from "./text";

/** Characters from which the trigram index finds a text. */
const MIN_TRIGRAM = 3;
/** Phone number, or a part of one, in any spelling: no letters, but for what says that it is one. */
const PHONE = /^(?:(?:tel|phone)\b)?[^\p{L}]+$/u;
/** Digits of the scripts in which numbers are stored as they were entered (migrations/0075_phone_digits.sql). */
const DIGITS = "0123456789٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९";

/** Returns the digits of a text in ASCII. */
const digitsOf = (text: string) =>
  Array.from(text, (character) => DIGITS.indexOf(character) % 10)
    .filter((digit) => digit >= 0)
    .join("");

/** Search of a trigram index (`search`), or for one or two characters of an index of beginnings of words (`starts`). */
export interface TextSearch {
  index: "search" | "starts";
  /** Expression for MATCH. */
  match: string;
}

/** Builds the search for a text in all forms in which it may be stored. */
export function textSearch(query: string): TextSearch {
  const key = searchKey(query);
  // Words of scripts without spaces stand behind the text with a space before each: two letters and it are a trigram.
  if ([...key].length === MIN_TRIGRAM - 1 && isSpaceless(key)) return { index: "search", match: `" ${key}"` };
  const isShort = [...key].length < MIN_TRIGRAM;
  const phrases = searchedForms(query).map((form) => `"${form.replaceAll('"', '""')}"${isShort ? "*" : ""}`);
  return { index: isShort ? "starts" : "search", match: phrases.join(" OR ") || '""' };
}

/** Tables with the two indexes of a text search, `{kind}_search` and `{kind}_starts`. */
type SearchedKind = "customer" | "document" | "expense" | "invoice" | "user";

/**
 * Selects the rows that contain a text, or for one or two characters those with a word that begins with it. Customers are
 * found by the digits of their phone number too.
 *
 * @param others rows that match in another way, each as "row"
 */
export function textMatches(kind: SearchedKind, q: string, others?: SQL): SQL {
  const text = searchKey(q);
  const digits = PHONE.test(text) ? digitsOf(text) : "";
  const isPhone = kind === "customer" && digits.length >= MIN_TRIGRAM && digits !== text;
  const { index, match } = textSearch(q);
  const table = sql.identifier(`${kind}_${index}`);
  const union = others ? sql` UNION ${others}` : sql``;
  return sql`(SELECT rowid AS "row" FROM ${table}
    WHERE ${table} MATCH ${isPhone ? `${match} OR "${digits}"` : match}${union}) AS found`;
}
