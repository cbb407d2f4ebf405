import { guessMapping } from "../columns";
import { findLayout } from "../layouts/layouts";
import { priceColumns } from "../price-column";
import { type Cell, textOf } from "../sheet";

/** Score of the headers of another shop's export. */
const LAYOUT_SCORE = 100;

/** Rates a row as the headers of products: the number of columns that it names, 0 without a name. */
export function headerScore(cells: Cell[]): number {
  const headers = cells.slice(0, 200).map(textOf);
  if (findLayout(headers)) return LAYOUT_SCORE;
  const mapping = guessMapping(headers);
  if (!mapping.includes("name")) return 0;
  const asksForPrice = !mapping.includes("price") && priceColumns(headers, []).length > 0;
  return mapping.filter((field) => field !== null).length + Number(asksForPrice);
}
