import { format } from "date-fns";

const currency = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** An amount in words: `$1,064.00`. */
export function inDollars(cents: number): string {
  return currency.format(cents / 100);
}

/** A day in words: `21st Nov 2026` (back office 2). */
export function dayInWords(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return format(new Date(year, month - 1, date), "do MMM yyyy");
}
