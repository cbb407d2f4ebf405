import { guessMapping } from "../columns";
import { findLayout } from "../layouts/layouts";
import { type Cell, textOf } from "../sheet";

/** Score of the headers of another shop's export. */
const LAYOUT_SCORE = 100;

/** Rates a row as the headers of products: the number of columns that it names, 0 without a name. */
export function headerScore(cells: Cell[]): number {
  const headers = cells.slice(0, 200).map(textOf);
  if (findLayout(headers)) return LAYOUT_SCORE;
  const mapping = guessMapping(headers);
  return mapping.includes("name") ? mapping.filter((field) => field !== null).length : 0;
}
