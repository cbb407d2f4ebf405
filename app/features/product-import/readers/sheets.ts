import { AppError } from "~/http/errors";
import type { RowCollector } from "./collector";

/** Sheets of a workbook in which products are looked for. */
const MAX_SEARCHED = 20;

/**
 * Reads the sheet that staff chose, else the first one that names a product's columns, else the first one with rows.
 *
 * @param count number of sheets
 * @param collect reads the sheet of an index; `headOnly` reads as many rows as decide
 * @throws AppError invalid (400) for a sheet that the workbook doesn't have
 */
export async function chooseSheet(
  count: number,
  chosen: number | null,
  collect: (index: number, headOnly: boolean) => Promise<RowCollector>,
): Promise<{ sheet: number; collector: RowCollector }> {
  if (chosen !== null && chosen >= count) throw new AppError("invalid", "The spreadsheet has no such sheet");
  const sheet = chosen ?? (count > 1 ? await findSheet(count, collect) : 0);
  return { sheet, collector: await collect(sheet, false) };
}

async function findSheet(
  count: number,
  collect: (index: number, headOnly: boolean) => Promise<RowCollector>,
): Promise<number> {
  let best = 0;
  let highest = -1;
  for (let index = 0; index < Math.min(count, MAX_SEARCHED); index++) {
    const head = await collect(index, true);
    if (head.score > 1) return index;
    const score = head.isEmpty ? -1 : head.score;
    if (score > highest) [best, highest] = [index, score];
  }
  return best;
}
