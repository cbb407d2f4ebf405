import { DAY_SECONDS } from "~/domain/durations";
import type { Columns, Sheet, SheetRow } from "../sheet";
import { columnsOf, type Header, textAt } from "./layout-cells";

/** Columns of a reduced price, which counts in place of the usual one. */
export interface SalePrice {
  price: Header[];
  /** Switch that the reduced price needs. */
  on?: { headers: Header[]; words: RegExp };
  /** Dates within which it counts; none are no limits. */
  starts?: Header[];
  ends?: Header[];
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

/** Returns a sheet whose usual prices are the reduced ones where these count. @param now epoch seconds */
export function atSalePrices(
  sheet: Sheet,
  columns: Columns,
  { sale, price }: { sale: SalePrice | undefined; price: Header[] | undefined },
  now: number,
): Sheet {
  const [usual] = columnsOf(columns, price);
  const [reduced] = columnsOf(columns, sale?.price);
  if (!sale || usual === undefined || reduced === undefined) return sheet;
  const reducedRow = (row: SheetRow): SheetRow => {
    const cells = [...row.cells];
    cells[usual] = row.cells[reduced] ?? "";
    return { ...row, cells };
  };
  return {
    ...sheet,
    rows: sheet.rows.map((row) => (isOnSale(sale, row, columns, now) ? reducedRow(row) : row)),
  };
}

/** Amount of a row that has no reduced price, though the column has a cell. */
const NO_AMOUNT = /^[^1-9]*$/;

function isOnSale({ price, on, starts, ends }: SalePrice, row: SheetRow, columns: Columns, now: number) {
  const isSwitched = !on || on.words.test(textAt(row, columns, on.headers));
  return (
    isSwitched &&
    !NO_AMOUNT.test(textAt(row, columns, price)) &&
    isWithin(now, textAt(row, columns, starts), textAt(row, columns, ends))
  );
}
