import { parseXml } from "./xml.server";
import type { ZipFile } from "./zip.server";

/** Number formats of every spreadsheet that show a date or a time. */
const BUILT_IN = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 46, 47, 50, 57]);
/** Day 0 of a spreadsheet's count. */
const FIRST_DAY = Date.UTC(1899, 11, 30);
const DAY = 86_400_000;

/**
 * Whether a number format shows a date or a time.
 *
 * @param code such as `dd.mm.yyyy`
 */
export function isDateFormat(code: string): boolean {
  return /[dmyhs]/i.test(code.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, "").replace(/general/gi, ""));
}

/**
 * The styles of a .xlsx that show a cell's number as a date: `1.2` becomes one where nobody looks.
 *
 * @returns their numbers, as cells name them
 */
export async function dateStyles(zip: ZipFile, entry: string): Promise<Set<string>> {
  const formats = new Set(BUILT_IN);
  const styles = new Set<string>();
  let inCells = false;
  let at = 0;
  await parseXml(zip, entry, {
    open(name, { numFmtId, formatCode = "" }) {
      if (name === "cellXfs") inCells = true;
      if (name === "numFmt" && isDateFormat(formatCode)) formats.add(Number(numFmtId));
      if (name !== "xf" || !inCells) return;
      if (formats.has(Number(numFmtId))) styles.add(String(at));
      at++;
    },
    close(name) {
      if (name === "cellXfs") inCells = false;
    },
  });
  return styles;
}

/**
 * A number that a spreadsheet shows as a date, as text.
 *
 * @param days as spreadsheets count them
 * @returns YYYY-MM-DD; the number itself where it is no date of ours
 */
export function dayOf(days: number): string {
  const time = FIRST_DAY + Math.floor(days) * DAY;
  return days >= 0 && days < 3_000_000 ? new Date(time).toISOString().slice(0, 10) : String(days);
}
