import { grouped } from "~/domain/grouped";
import { MAX_STOCK } from "~/domain/stock-levels";
import { stockFormConfirmation } from "~/domain/unusual-change";

/** Stock to be set, or pieces to add (negative: to take away). */
export type StockEdit = { set: number } | { add: number };

export const STOCK_RULE = `Must be a whole number from 0 to ${MAX_STOCK.toLocaleString("en")}, or a change such as +5 or −2`;

/**
 * Reads a stock as typed: `40` and `1,000` set it, `+12` adds, `-2` and `−2` (U+2212) take away.
 *
 * @returns null for anything else
 */
export function parseStockEdit(text: string): StockEdit | null {
  const [, sign, digits] = /^([+\-\u2212])?\s?(\d{1,7}|\d{1,3}(?:[,\s]\d{3})+)$/.exec(text.trim()) ?? [];
  const pieces = Number(digits?.replace(/\D/g, ""));
  if (digits === undefined || pieces > MAX_STOCK) return null;
  if (sign === undefined) return { set: pieces };
  return { add: sign === "+" || pieces === 0 ? pieces : -pieces };
}

/** Returns the stock after an edit, which may be out of range. */
export const stockAfter = (stock: number, edit: StockEdit): number =>
  "add" in edit ? stock + edit.add : edit.set;

/**
 * Explains why a stock can't become another one: `−5 of 4`.
 *
 * @returns null when it can
 */
export function stockRefusal(stock: number, edit: StockEdit): string | null {
  const after = stockAfter(stock, edit);
  if (after < 0) return `${signed(after - stock)} of ${grouped(stock)}: more than there is`;
  if (after > MAX_STOCK) return `${grouped(after)} is more than ${grouped(MAX_STOCK)}`;
  return null;
}

/** Asks for the confirmation of an unusual change in a form without JavaScript; a script asks before it sends one. */
export function stockConfirmation(form: FormData): string | null {
  const edit = parseStockEdit(String(form.get("stock")));
  const was = String(form.get("was"));
  if (!edit || !/^\d+$/.test(was) || form.get("quietly") === "1") return null;
  return stockFormConfirmation(Number(was), stockAfter(Number(was), edit), Number(form.get("held")));
}

/** Formats a change of stock with its sign: `+12`, `−2`. */
export const signed = (pieces: number): string => (pieces < 0 ? grouped(pieces) : `+${grouped(pieces)}`);
