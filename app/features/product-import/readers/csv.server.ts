import Papa from "papaparse";
import { AppError } from "~/http/errors";
import { type Cell, MAX_ROWS, type Sheet, textOf } from "../sheet";
import { RowCollector } from "./collector";

const DELIMITERS = [",", ";", "\t", "|"];
/** Delimiters of a whole file: 20,000 rows of 200 columns. */
const MOST_DELIMITERS = 200 * MAX_ROWS;
/** Lines of a file, blank ones among them. */
const MOST_LINES = 10 * MAX_ROWS;
const QUOTE = '"';

const PROBLEMS: Record<string, string> = {
  MissingQuotes: "A quotation mark is opened and never closed: nothing after it could be read",
  InvalidQuotes: "A quotation mark stands in the wrong place",
};

/**
 * Reads separated values, whatever separates them.
 *
 * @param text decoded
 * @throws AppError tooLarge (413), invalid (400)
 */
export function readCsv(text: string): Sheet {
  const { body, delimiter } = separated(text);
  refuseWide(body, delimiter);
  const collector = new RowCollector();
  let line = 0;
  let failure: unknown = null;
  Papa.parse<string[]>(body, {
    delimiter,
    fastMode: false,
    step({ data, errors }, parser) {
      line++;
      const problem = errors.map(({ code }) => PROBLEMS[code]).find(Boolean);
      try {
        if (line > MOST_LINES)
          throw new AppError("tooLarge", `The file has more than ${MOST_LINES.toLocaleString("en")} lines`);
        collector.add({ line, cells: data, ...(problem && { problem }) });
      } catch (error) {
        failure = error;
        parser.abort();
      }
    },
  });
  if (failure) throw failure;
  const sheet = collector.finish({ delimiter });
  for (const row of sheet.rows) row.problem ??= overflow(row.cells, sheet.headers.length);
  return sheet;
}

/** What is wrong with a row of more cells than the file has columns: its values stand in the wrong ones. */
function overflow(cells: Cell[], columns: number): string | undefined {
  if (!cells.slice(columns).some((cell) => textOf(cell) !== "")) return undefined;
  return `The row has ${cells.length} cells, the file ${columns} columns. Put texts that hold the separator in quotation marks`;
}

/** What separates the cells: as the file says (`sep=;`, which spreadsheets write), else what its first row has most of. */
function separated(text: string): { body: string; delimiter: string } {
  const said = /^sep=(.)\r?\n/i.exec(text);
  if (said) return { body: text.slice(said[0].length), delimiter: said[1] ?? "," };
  const counts = new Map(DELIMITERS.map((each) => [each, 0]));
  let quoted = false;
  const start = text.search(/\S/);
  for (let at = Math.max(0, start); at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === QUOTE) quoted = !quoted;
    if (quoted) continue;
    if (sign === "\n" || sign === "\r") break;
    const count = counts.get(sign);
    if (count !== undefined) counts.set(sign, count + 1);
  }
  const [most = [",", 0]] = [...counts].sort((a, b) => b[1] - a[1]);
  return { body: text, delimiter: most[0] };
}

/** A file of little but separators would become millions of cells. */
function refuseWide(text: string, delimiter: string): void {
  let count = 0;
  for (let at = text.indexOf(delimiter); at !== -1; at = text.indexOf(delimiter, at + 1)) {
    count++;
    if (count > MOST_DELIMITERS) throw new AppError("tooLarge", "The file has too many columns");
  }
}
