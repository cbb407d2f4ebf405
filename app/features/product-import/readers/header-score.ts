import { guessMapping } from "../columns";
import { findLayout } from "../layouts/layouts";
import { priceColumns } from "../price-column";
import { type Cell, textOf } from "../sheet";

/** Columns that are compared with the names of fields. */
const MAX_SCORED_COLUMNS = 200;
/** Score of the headers of another shop's export, above any number of columns. */
const LAYOUT_SCORE = MAX_SCORED_COLUMNS + 1;

/** Rates a row as headers of products: the number of columns that it names, 0 without one for the product's name. */
export function headerScore(cells: Cell[]): number {
  const headers = cells.slice(0, MAX_SCORED_COLUMNS).map(textOf);
  if (findLayout(headers)) return LAYOUT_SCORE;
  const mapping = guessMapping(headers);
  if (!mapping.includes("name")) return 0;
  // The import will ask the person which of these columns is the price.
  const hasUncertainPrice = !mapping.includes("price") && priceColumns(headers, []).length > 0;
  return mapping.filter((field) => field !== null).length + Number(hasUncertainPrice);
}
