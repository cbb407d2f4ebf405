import { MAX_CENTS } from "~/domain/money";
import type { Cell } from "./sheet";

/** Decimal marks that a column uses: `12,50` or `12.50`. */
export interface NumberStyle {
  comma: boolean;
  point: boolean;
}

/** A parsed value, or the problem with a cell and a hint for its correction. */
export type Parsed<T> = { value: T } | { problem: string; hint: string };

const CURRENCY =
  /\p{Sc}|(?<!\p{L})(?:(?:CA|US|AU|NZ|HK|C|A|R|S)(?=\$)|(?:[A-Z]{3}|kr\.?|K\u010d|z\u0142|Ft|\u0440\u0443\u0431\.?)(?!\p{L}))/giu;
/** Spaces and apostrophes between thousands; other digits apart are no number. */
const THOUSANDS = /(?<=^[^\d.,]*\d{1,3}(?:[\s'\u2019]\d{3})*)[\s'\u2019](?=\d{3}(?!\d))/g;

export function numberStyle(cells: Iterable<Cell>): NumberStyle {
  const style = { comma: false, point: false };
  for (const cell of cells) {
    if (typeof cell !== "string") continue;
    const digits = stripCurrency(cell);
    if (/\d,\d{1,2}$/.test(digits)) style.comma = true;
    if (/\d\.\d{1,2}$/.test(digits)) style.point = true;
  }
  return style;
}

/**
 * Parses a price such as `$1,299.00`, `12,50` or `1.299,00 €`.
 *
 * @param style of the column: `1.299` is above a thousand only where it uses decimal commas
 * @returns cents, above 0
 */
export function parsePrice(cell: Cell, style: NumberStyle): Parsed<number> {
  const hint = "Write it as a number above 0, such as 161.50";
  const digits = typeof cell === "number" ? digitsOf(cell) : normalise(stripCurrency(cell), style);
  const rejected = (error: string) => ({ problem: `Price ${quoted(cell)} ${error}`, hint });
  if (digits === null) return rejected("is not a price");
  const trimmed = digits.replace(/(\.\d\d)0+$/, "$1");
  if (!/^-?\d+(?:\.\d{1,2})?$/.test(trimmed))
    return rejected(/\.\d{3}$/.test(trimmed) ? "is ambiguous" : "has more than 2 decimals");
  const cents = Math.round(Number(trimmed) * 100);
  if (cents <= 0) return rejected("is not above 0");
  return cents > MAX_CENTS ? rejected("is more than 99,999,999.99") : { value: cents };
}

/** Parses a stock, a whole number from 0 to `max`. */
export function parseStock(cell: Cell, style: NumberStyle, max: number): Parsed<number> {
  const hint = `Write it as a whole number from 0 to ${max.toLocaleString("en")}`;
  const rejected = (error: string) => ({ problem: `Stock ${quoted(cell)} ${error}`, hint });
  const digits = typeof cell === "number" ? digitsOf(cell) : normalise(stripCurrency(cell), style);
  if (digits === null) return rejected("is not a number");
  if (typeof cell === "string" && /\.000$/.test(digits)) return rejected("is ambiguous");
  const whole = digits.replace(/\.0+$/, "");
  if (whole.startsWith("-") && Number(whole) !== 0) return rejected("is below 0");
  if (!/^-?\d+$/.test(whole)) return rejected("is not a whole number");
  const value = Math.abs(Number(whole));
  return value > max ? rejected(`is more than ${max.toLocaleString("en")}`) : { value };
}

export function quoted(cell: Cell): string {
  const text = String(cell).trim();
  return `“${text.length > 40 ? `${text.slice(0, 39)}…` : text}”`;
}

/** Writes a number in digits; null for one of the size of 1e21. */
function digitsOf(value: number): string | null {
  return Math.abs(value) < 1e15 ? value.toString().replace(/e.*$/, "") : null;
}

function stripCurrency(text: string): string {
  return text
    .replace(CURRENCY, "")
    .trim()
    .replace(THOUSANDS, "")
    .replace(/^-\s+/, "-")
    .replace("−", "-")
    .replace(/[.,](?:-|\u2013|\u2014)$/, "");
}

/** Normalises a number: decimal point, no thousands separators. @returns null for other text */
function normalise(text: string, { comma, point }: NumberStyle): string | null {
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

/** Finds the decimal mark; null for a whole number. */
function decimalMark(digits: string, usesComma: boolean): "." | "," | null {
  const comma = digits.lastIndexOf(",");
  const point = digits.lastIndexOf(".");
  if (comma === -1 && point === -1) return null;
  if (comma !== -1 && point !== -1) return comma > point ? "," : ".";
  const mark = comma === -1 ? "." : ",";
  const parts = digits.split(mark);
  if (parts.length > 2) return null;
  const isThree = parts[1]?.length === 3;
  // 1,299 has a thousands separator unless the column writes 12,50; 1.299 only if it does.
  if (mark === ",") return isThree && !usesComma ? null : ",";
  return isThree && usesComma ? null : ".";
}

/** Checks that digits are grouped in threes, or not at all. */
function isGrouped(digits: string, mark: "," | "."): boolean {
  if (/^\d*$/.test(digits)) return true;
  const [first = "", ...rest] = digits.split(mark);
  return /^\d{1,3}$/.test(first) && rest.every((group) => /^\d{3}$/.test(group));
}
