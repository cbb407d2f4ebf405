import { DAY_SECONDS } from "~/db/durations";
import { dollars } from "~/domain/money";
import { isDay } from "~/ui/DataTable/list-params";
import { formatDay } from "~/ui/format";

/** Days ahead that need no confirmation. */
const DAYS_AHEAD = 366;

/**
 * Asks about a date far ahead, which is allowed but seldom meant.
 *
 * @param fields with `createdAt`, YYYY-MM-DD
 * @param now epoch seconds
 */
export const dateQuestion = (fields: FormData, now: number) => ask([farAhead(fields, now)]);

/** Asks about an invoice without a description or an amount, or with a date far ahead. */
export function invoiceQuestion(fields: FormData, now: number): string | null {
  const text = (name: string) => String(fields.get(name) ?? "").trim();
  return ask([
    text("description") === "" ? "no description" : "",
    text("amount") !== "" && Number(text("amount")) === 0 ? `an amount of ${dollars(0)}` : "",
    farAhead(fields, now),
  ]);
}

/** Names a date far ahead; empty for another one. @param fields with `createdAt`, YYYY-MM-DD */
export function farAhead(fields: FormData, now: number): string {
  const day = String(fields.get("createdAt") ?? "");
  // Another text is an error of the field.
  const isFar = isDay(day) && Date.parse(day) / 1000 > now + DAYS_AHEAD * DAY_SECONDS;
  return isFar ? `a date far ahead, ${formatDay(day)}` : "";
}

/** Asks about what is unusual; null when nothing is. */
export function ask(unusual: string[]): string | null {
  const found = unusual.filter(Boolean);
  return found.length > 0 ? `It has ${found.join(" and ")}. Press again to save it anyway.` : null;
}
