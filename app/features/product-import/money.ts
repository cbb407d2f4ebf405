import { CURRENCY } from "~/domain/currency";
import { decimalDollars, dollars, MAX_CENTS } from "~/domain/money";
import { isOwnCurrency, splitCurrency } from "./currency";
import type { Cell } from "./sheet";

/** Decimal marks that a column uses: `12,50` or `12.50`. */
export interface NumberStyle {
  comma: boolean;
  point: boolean;
}

/** A parsed value with a remark on it, or the problem with a cell and a hint for its correction. */
export type Parsed<T> = { value: T; note?: string } | Problem;

export interface Problem {
  problem: string;
  hint: string;
  /** Staff may solve it by a choice in the dry run. */
  isOpen?: true;
}

/** Spaces and apostrophes between thousands; other digits apart are no number. */
const THOUSANDS =
  /(?<=^[^\d.,]*\d{1,3}(?:[\s'\u2018\u2019\u02bc\u00b4`]\d{3})*)[\s'\u2018\u2019\u02bc\u00b4`](?=\d{3}(?!\d))/g;
/** Beyond it a calculated number is no whole one. */
const WHOLE_WITHIN = 1e-6;

export function numberStyle(cells: Iterable<Cell>): NumberStyle {
  const style: NumberStyle = { comma: false, point: false };
  for (const cell of cells) {
    if (typeof cell !== "string") continue;
    const digits = stripCurrency(cell);
    // Four decimals and more are no thousands either.
    if (/\d,\d{1,2}$|^-?\d*,\d{4,}$/.test(digits)) style.comma = true;
    if (/\d\.\d{1,2}$|^-?\d*\.\d{4,}$/.test(digits)) style.point = true;
  }
  return style;
}

/**
 * Parses a price such as `$1,299.00`, `12,50` or `1.299,00 €`. More decimals than cents are rounded with a note, and
 * another currency than the shop's is noted: nothing is converted.
 *
 * @param style of the column: `1.299` is above a thousand only where it uses decimal commas; where it uses both marks,
 *   neither `1.299` nor `1,299` is certain
 * @param currency of the row, where the file states one beside the price
 * @returns cents, above 0
 */
export function parsePrice(cell: Cell, style: NumberStyle, currency?: string): Parsed<number> {
  const hint = "Write it as a number above 0, such as 161.50";
  const rejected = (error: string) => ({ problem: `Price ${quoted(cell)} ${error}`, hint });
  if (typeof cell === "string" && isAmbiguous(stripCurrency(cell), style)) return rejected("is ambiguous");
  const digits = typeof cell === "number" ? digitsOf(cell) : normalise(stripCurrency(cell), style);
  if (digits === null) return rejected("is not a price");
  const [whole = "0", decimals = ""] = digits.replace(/0+$/, digits.includes(".") ? "" : "$&").split(".");
  const cents = Number(`${whole}${decimals.slice(0, 2).padEnd(2, "0")}`);
  const rounded = cents + Number((decimals[2] ?? "0") >= "5") * (whole.startsWith("-") ? -1 : 1);
  if (rounded <= 0) return rejected("is not above 0");
  if (rounded > MAX_CENTS) return rejected("is more than 99,999,999.99");
  const foreign = foreignCurrency(cell, currency);
  const notes = [
    decimals.length > 2 && `Price ${quoted(cell)} was rounded to ${decimalDollars(rounded)}`,
    foreign && `Price ${quoted(cell)} says ${foreign}, not ${CURRENCY}: it was read as ${dollars(rounded)}`,
  ].filter(Boolean);
  return { value: rounded, ...(notes.length > 0 && { note: notes.join("; ") }) };
}

/**
 * Finds another currency than the shop's that a price names; undefined for none.
 *
 * @param currency of the row, where the file states one beside the price
 */
export function foreignCurrency(cell: Cell, currency?: string): string | undefined {
  // A word without a number is no amount.
  const { marks } = typeof cell === "string" && /\d/.test(cell) ? splitCurrency(plain(cell)) : { marks: [] };
  return [...marks, currency ?? ""].find((mark) => mark !== "" && !isOwnCurrency(mark));
}

/** Three digits behind a single mark, which separates thousands or decimals. */
const THREE_BEHIND_MARK = /^-?[1-9]\d{0,2}(?<mark>[.,])\d{3}$/;

/** Detects thousands that may be decimals: after a point, and after either mark in a column that uses both. */
function isAmbiguous(text: string, { comma, point }: NumberStyle): boolean {
  const mark = THREE_BEHIND_MARK.exec(text)?.groups?.mark;
  return comma === point && (mark === "." || (mark === "," && comma));
}

/** Parses a stock, a whole number from 0 to `max`; one below 0 is 0, with a note. */
export function parseStock(cell: Cell, style: NumberStyle, max: number): Parsed<number> {
  const hint = `Write it as a whole number from 0 to ${max.toLocaleString("en")}`;
  const rejected = (error: string) => ({ problem: `Stock ${quoted(cell)} ${error}`, hint });
  if (typeof cell === "number" && !Number.isInteger(cell) && isNearlyWhole(cell)) {
    const read = parseStock(Math.round(cell), style, max);
    return "value" in read ? { ...read, note: `Stock ${quoted(cell)} was rounded to ${read.value}` } : read;
  }
  const digits = typeof cell === "number" ? digitsOf(cell) : normalise(stripCurrency(cell), style);
  if (digits === null) return rejected("is not a number");
  if (typeof cell === "string" && isAmbiguousStock(stripCurrency(cell), digits, style))
    return {
      problem: `Stock ${quoted(cell)} can mean thousands or decimals`,
      hint: "Write it without separators",
    };
  const whole = digits.replace(/\.0+$/, "");
  if (!/^-?\d+$/.test(whole)) return rejected("is not a whole number");
  // What was sold beyond the stock of the other shop is not there.
  if (Number(whole) < 0) return { value: 0, note: `Stock ${quoted(cell)} is below 0: it is stored as 0` };
  const value = Math.abs(Number(whole));
  return value > max ? rejected(`is more than ${max.toLocaleString("en")}`) : { value };
}

/** Detects thousands that may be a smaller number with decimals. */
function isAmbiguousStock(text: string, digits: string, style: NumberStyle): boolean {
  const isRead = THREE_BEHIND_MARK.test(text) && digits.includes(".");
  return isRead || (/,000$/.test(text) && isAmbiguous(text, style));
}

const isNearlyWhole = (value: number) => Math.abs(value - Math.round(value)) < WHOLE_WITHIN;

export function quoted(cell: Cell): string {
  const text = String(cell).trim();
  return `“${text.length > 40 ? `${text.slice(0, 39)}…` : text}”`;
}

/** Writes a number in digits; null for one of the size of 1e21. */
function digitsOf(value: number): string | null {
  if (Math.abs(value) >= 1e15) return null;
  return value !== 0 && Math.abs(value) < 1e-6 ? value.toFixed(15) : String(value);
}

function stripCurrency(text: string): string {
  return splitCurrency(plain(text))
    .number.trim()
    .replace(THOUSANDS, "")
    .replace(/^-\s+/, "-")
    .replace("−", "-")
    .replace(/[.,:](?:-|\u2013|\u2014)$/, "");
}

/** Removes what spreadsheets write around an amount. */
function plain(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .trim()
    .replace(/^['’]/, "");
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
  // No thousands are below 1: 0,850 has decimals everywhere.
  const isThree = parts[1]?.length === 3 && Number(parts[0]) !== 0;
  // 1,299 has a thousands separator unless the column writes 12,50; 1.299 only if it does.
  if (mark === ",") return isThree && !usesComma ? null : ",";
  return isThree && usesComma ? null : ".";
}

/** Checks that digits are grouped in threes, or as in India, or not at all. */
function isGrouped(digits: string, mark: "," | "."): boolean {
  if (/^\d*$/.test(digits)) return true;
  const [first = "", ...rest] = digits.split(mark);
  if (/^\d{1,3}$/.test(first) && rest.every((group) => /^\d{3}$/.test(group))) return true;
  // India parts thousands, then hundreds of them: 1,29,999.
  const isIndian =
    mark === "," && rest.length > 1 && rest.slice(0, -1).every((group) => /^\d{2}$/.test(group));
  return isIndian && /^\d{1,2}$/.test(first) && /^\d{3}$/.test(rest.at(-1) ?? "");
}
