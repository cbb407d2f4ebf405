import Papa from "papaparse";
import { AppError } from "~/http/errors";
import { type Cell, MAX_ROWS, type Sheet, textOf } from "../sheet";
import { RowCollector } from "./collector";

const DELIMITERS = [",", ";", "\t", "|"];
/** Delimiters of a file: 20,000 rows of 200 columns. */
const MAX_DELIMITERS = 200 * MAX_ROWS;
/** Lines of a file, including blank ones. */
const MAX_LINES = 10 * MAX_ROWS;
const QUOTE = '"';

const PROBLEMS: Record<string, string> = {
  MissingQuotes: "A quotation mark is opened and never closed: nothing after it could be read",
  InvalidQuotes: "A quotation mark stands in the wrong place",
};

/**
 * Reads separated values and detects their delimiter.
 *
 * @throws AppError tooLarge (413), invalid (400)
 */
export function readCsv(text: string): Sheet {
  const { body, delimiter } = detectDelimiter(text);
  limitDelimiters(body, delimiter);
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
        if (line > MAX_LINES)
          throw new AppError("tooLarge", `The file has more than ${MAX_LINES.toLocaleString("en")} lines`);
        collector.add({ line, cells: data, ...(problem && { problem }) });
      } catch (error) {
        failure = error;
        parser.abort();
      }
    },
  });
  if (failure) throw failure;
  const sheet = collector.finish({ delimiter });
  for (const row of sheet.rows) row.problem ??= surplusCells(row.cells, sheet.headers.length);
  return sheet;
}

/** Returns the error of a row with more cells than the file has columns. */
function surplusCells(cells: Cell[], columns: number): string | undefined {
  if (!cells.slice(columns).some((cell) => textOf(cell) !== "")) return undefined;
  return `The row has ${cells.length} cells, the file ${columns} columns. Put texts that contain the separator in quotation marks`;
}

/** Finds the delimiter: declared by a line such as `sep=;`, else the most frequent one in the first row. */
function detectDelimiter(text: string): { body: string; delimiter: string } {
  const declared = /^sep=(.)\r?\n/i.exec(text);
  if (declared) return { body: text.slice(declared[0].length), delimiter: declared[1] ?? "," };
  const counts = new Map(DELIMITERS.map((each) => [each, 0]));
  let quoted = false;
  const start = text.search(/\S/);
  for (let at = Math.max(0, start); at < text.length; at++) {
    const character = text.charAt(at);
    if (character === QUOTE) quoted = !quoted;
    if (quoted) continue;
    if (character === "\n" || character === "\r") break;
    const count = counts.get(character);
    if (count !== undefined) counts.set(character, count + 1);
  }
  const [most = [",", 0]] = [...counts].sort((a, b) => b[1] - a[1]);
  return { body: text, delimiter: most[0] };
}

/** Rejects a file of little but delimiters, which would become millions of cells. */
function limitDelimiters(text: string, delimiter: string): void {
  let count = 0;
  for (let at = text.indexOf(delimiter); at !== -1; at = text.indexOf(delimiter, at + 1)) {
    count++;
    if (count > MAX_DELIMITERS) throw new AppError("tooLarge", "The file has too many columns");
  }
}
