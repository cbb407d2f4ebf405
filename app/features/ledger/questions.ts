import { formatDay } from "~/ui/dates";

/** Days ahead that need no confirmation. */
const DAYS_AHEAD = 366;
const DAY_MS = 86_400_000;

/** Asks about a date far ahead, which is allowed but seldom meant. @param fields with `createdAt`, YYYY-MM-DD */
export const dateQuestion = (fields: FormData) => ask([farAhead(fields)]);

/** Asks about an invoice without a description or an amount, or with a date far ahead. */
export function invoiceQuestion(fields: FormData): string | null {
  const text = (name: string) => String(fields.get(name) ?? "").trim();
  return ask([
    text("description") === "" ? "no description" : "",
    text("amount") !== "" && Number(text("amount")) === 0 ? "an amount of $0.00" : "",
    farAhead(fields),
  ]);
}

/** Names a date far ahead; empty for another one. @param fields with `createdAt`, YYYY-MM-DD */
export function farAhead(fields: FormData): string {
  const day = String(fields.get("createdAt") ?? "");
  const isFar = Date.parse(day) > Date.now() + DAYS_AHEAD * DAY_MS;
  return isFar ? `a date far ahead, ${formatDay(day)}` : "";
}

/** Asks about what is unusual; null when nothing is. */
export function ask(unusual: string[]): string | null {
  const found = unusual.filter(Boolean);
  return found.length > 0 ? `It has ${found.join(" and ")}. Press again to save it anyway.` : null;
}
