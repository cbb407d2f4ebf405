import type { Cell } from "./sheet";

/** How a column of numbers is written, as far as its cells tell: `12,50` or `12.50`. */
export interface NumberStyle {
  comma: boolean;
  point: boolean;
}

/** What came of reading a cell; `hint` says what would be right. */
export type ParsedNumber<T> = { value: T } | { problem: string; hint: string };

/** The dearest price (contract: Money), in cents. */
const MOST_CENTS = 9_999_999_999;
const CURRENCY = /\p{Sc}|\b(?:CA|US|AU|NZ|C|A)(?=\$)|\b[A-Z]{3}\b|\bkr\.?|\bzł|\bCHF/giu;
const SPACES = /[\s\u00a0\u202f'’]/g;

/** @param cells of one column */
export function numberStyle(cells: Iterable<Cell>): NumberStyle {
  const style = { comma: false, point: false };
  for (const cell of cells) {
    if (typeof cell !== "string") continue;
    const digits = bare(cell);
    if (/\d,\d{1,2}$/.test(digits)) style.comma = true;
    if (/\d\.\d{1,2}$/.test(digits)) style.point = true;
  }
  return style;
}

/**
 * Reads a price as people write it: `$1,299.00`, `12,50`, `1.299,00 €` (contract: Bulk upload).
 *
 * @param style of the column: only where it tells is `1.299` more than a dollar
 * @returns cents, above 0
 */
export function parsePrice(cell: Cell, style: NumberStyle): ParsedNumber<number> {
  const hint = "Write it as a number above 0, such as 161.50";
  const digits = typeof cell === "number" ? plain(cell) : decimal(bare(cell), style);
  const refused = (what: string) => ({ problem: `Price ${quoted(cell)} ${what}`, hint });
  if (digits === null) return refused("is not a price");
  const trimmed = digits.replace(/(\.\d\d)0+$/, "$1");
  if (!/^-?\d+(?:\.\d{1,2})?$/.test(trimmed))
    return refused(/\.\d{3}$/.test(trimmed) ? "could be read in two ways" : "has more than 2 decimals");
  const cents = Math.round(Number(trimmed) * 100);
  if (cents <= 0) return refused("is not above 0");
  return cents > MOST_CENTS ? refused("is more than 99,999,999.99") : { value: cents };
}

/**
 * Reads a stock: whole, 0 to a million.
 *
 * @param most highest
 */
export function parseStock(cell: Cell, style: NumberStyle, most: number): ParsedNumber<number> {
  const hint = `Write it as a whole number from 0 to ${most.toLocaleString("en")}`;
  const refused = (what: string) => ({ problem: `Stock ${quoted(cell)} ${what}`, hint });
  const digits = typeof cell === "number" ? plain(cell) : decimal(bare(cell), style);
  if (digits === null) return refused("is not a number");
  if (typeof cell === "string" && /\.000$/.test(digits)) return refused("could be read in two ways");
  const whole = digits.replace(/\.0+$/, "");
  if (whole.startsWith("-") && Number(whole) !== 0) return refused("is below 0");
  if (!/^-?\d+$/.test(whole)) return refused("is not a whole number");
  const value = Math.abs(Number(whole));
  return value > most ? refused(`is more than ${most.toLocaleString("en")}`) : { value };
}

/** A cell's text in quotation marks, shortened. */
export function quoted(cell: Cell): string {
  const text = String(cell).trim();
  return `“${text.length > 40 ? `${text.slice(0, 39)}…` : text}”`;
}

/** Numbers as digits, never as 1e21. */
function plain(value: number): string | null {
  return Math.abs(value) < 1e15 ? value.toString().replace(/e.*$/, "") : null;
}

/** Without currency and blanks. */
function bare(text: string): string {
  return text
    .replace(CURRENCY, "")
    .replace(SPACES, "")
    .replace("−", "-")
    .replace(/[.,](?:-|–|—)$/, "");
}

/**
 * Digits with a decimal point where they have decimals, thousands together.
 *
 * @returns null for what is no number
 */
function decimal(text: string, { comma, point }: NumberStyle): string | null {
  if (!/^-?[\d.,]*\d[\d.,]*$/.test(text) || text.length > 30) return null;
  const sign = text.startsWith("-") ? "-" : "";
  const digits = text.slice(sign.length);
  const mark = decimalMark(digits, comma && !point);
  if (mark === null)
    return isGrouped(digits, ",") || isGrouped(digits, ".") ? sign + digits.replace(/[.,]/g, "") : null;
  const [whole = "", decimals = ""] = [
    digits.slice(0, digits.lastIndexOf(mark)),
    digits.slice(digits.lastIndexOf(mark) + 1),
  ];
  const other = mark === "." ? "," : ".";
  if (whole.includes(mark) || !isGrouped(whole, other)) return null;
  return `${sign}${whole.replaceAll(other, "") || "0"}.${decimals || "0"}`;
}

/** What parts the decimals off; null where there are none. */
function decimalMark(digits: string, germanStyle: boolean): "." | "," | null {
  const comma = digits.lastIndexOf(",");
  const point = digits.lastIndexOf(".");
  if (comma === -1 && point === -1) return null;
  if (comma !== -1 && point !== -1) return comma > point ? "," : ".";
  const mark = comma === -1 ? "." : ",";
  const parts = digits.split(mark);
  if (parts.length > 2) return null;
  const isThree = parts[1]?.length === 3;
  // 1,299 is thousands unless the column writes 12,50; 1.299 only then.
  if (mark === ",") return isThree && !germanStyle ? null : ",";
  return isThree && germanStyle ? null : ".";
}

/** Whether digits stand in threes between a mark, or without any. */
function isGrouped(digits: string, mark: "," | "."): boolean {
  if (/^\d*$/.test(digits)) return true;
  const [first = "", ...rest] = digits.split(mark);
  return /^\d{1,3}$/.test(first) && rest.every((group) => /^\d{3}$/.test(group));
}
