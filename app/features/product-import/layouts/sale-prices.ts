import { DAY_SECONDS } from "~/domain/durations";
import { type NumberStyle, numberStyle, parsePrice } from "../money";
import { type Cell, type Columns, type Sheet, type SheetRow, textOf } from "../sheet";
import { cellsAt, columnsOf, type Header, textAt } from "./layout-cells";

/** Columns of a reduced price, or of a discount, which counts in place of the usual price where it is lower. */
export interface SalePrice {
  price?: Header[];
  /** Amount and percentage that are taken off the usual price. */
  amount?: Header[];
  percent?: Header[];
  /** Switch that the reduced price needs. */
  on?: { headers: Header[]; words: RegExp };
  /** Dates within which it counts; none are no limits. */
  starts?: Header[];
  ends?: Header[];
  /** Both dates in one cell, parted by a slash. */
  period?: Header[];
}

/** Reads a time. @returns epoch seconds; `otherwise` for none */
export function timeOf(text: string, otherwise: number): number {
  const read = Date.parse(/^\d{4}-\d\d-\d\d /.test(text) ? text.replace(" ", "T") : text);
  return text === "" || Number.isNaN(read) ? otherwise : read / 1000;
}

/** Tests for a time between two others; an end without a time of day, or at midnight, counts until its day is over. */
export function isWithin(now: number, starts: string, ends: string): boolean {
  const hasTime = /\d:\d/.test(ends) && !/\b00:00(?::00)?\b/.test(ends);
  const end = timeOf(ends, Number.POSITIVE_INFINITY) + (hasTime ? 0 : DAY_SECONDS);
  return now >= timeOf(starts, 0) && now < end;
}

/**
 * Returns a sheet whose usual prices are the reduced ones where these count.
 *
 * @param usual column of the usual prices
 * @param now epoch seconds
 */
export function atSalePrices(
  sheet: Sheet,
  columns: Columns,
  sale: SalePrice,
  usual: number,
  now: number,
): Sheet {
  const reduced = columnsOf(columns, sale.price)[0] ?? usual;
  const style = numberStyle(sheet.rows.flatMap(({ cells }) => [cells[usual] ?? "", cells[reduced] ?? ""]));
  const reducedRow = (row: SheetRow): SheetRow => {
    const price = isOnSale(sale, row, columns, now) && reducedPrice(sale, row, columns, { usual, style });
    if (!price) return row;
    const cells = [...row.cells];
    // A short row ends before it.
    cells[usual] = price;
    return { ...row, cells };
  };
  return { ...sheet, rows: sheet.rows.map(reducedRow) };
}

/** Amount of a row that has no reduced price, though the column has a cell. */
const NO_AMOUNT = /^[^1-9]*$/;

function isOnSale({ on, starts, ends, period }: SalePrice, row: SheetRow, columns: Columns, now: number) {
  const isSwitched = !on || on.words.test(textAt(row, columns, on.headers));
  const [from = "", until = ""] = period
    ? textAt(row, columns, period).split("/")
    : [textAt(row, columns, starts), textAt(row, columns, ends)];
  return isSwitched && isWithin(now, from, until);
}

/** Tests for a reduced price below the usual one; one that can't be compared counts, and is rejected as what it is. */
export function isReduced(reduced: Cell | undefined, usual: Cell | undefined, style: NumberStyle): boolean {
  if (NO_AMOUNT.test(textOf(reduced))) return false;
  const [price, before] = [centsOf(reduced, style), centsOf(usual, style)];
  return price === null || before === null || price < before;
}

function centsOf(cell: Cell | undefined, style: NumberStyle): number | null {
  const read = parsePrice(cell ?? "", style);
  return "value" in read ? read.value : null;
}

/** Returns the reduced price of a row; null where the usual one counts. */
function reducedPrice(
  { price, amount, percent }: SalePrice,
  row: SheetRow,
  columns: Columns,
  { usual, style }: { usual: number; style: NumberStyle },
): Cell | null {
  const [reduced] = cellsAt(row, columns, price);
  if (isReduced(reduced, row.cells[usual], style)) return reduced ?? null;
  const before = centsOf(row.cells[usual], style);
  const off = (headers: Header[] | undefined) =>
    centsOf(textAt(row, columns, headers).replace("%", ""), style);
  const rate = off(percent);
  const part = rate === null || before === null ? off(amount) : Math.round((before * rate) / 10_000);
  if (before === null || part === null || part >= before) return null;
  return (before - part) / 100;
}
