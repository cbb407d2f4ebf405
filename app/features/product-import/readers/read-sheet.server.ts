import Papa from "papaparse";
import { AppError } from "~/http/errors";
import {
  type Cell,
  MAX_CELLS,
  MAX_ROWS,
  NO_READING,
  type ReadingChoices,
  type Sheet,
  textOf,
} from "../sheet";
import { damagedFile, RowCollector, tooManyCells } from "./collector";
import { headerScore } from "./header-score";
import { type DecodedText, decodeText, guessedTexts, takeOddLetters } from "./text";
import { readXls } from "./xls.server";

const ZIP = [0x50, 0x4b, 0x03, 0x04];
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const KNOWN_EXTENSIONS = /\.(?:csv|tsv|txt|xlsx|xls)$/i;
/** Names of files that are no text; a program that writes one may still have saved text under it. */
const WORKBOOK_EXTENSIONS = /\.xlsx?$/i;
const UNSUPPORTED = "Only .csv, .tsv, .txt, .xlsx and .xls files can be read";

/**
 * Reads a spreadsheet. Its content determines the format.
 *
 * @param name the file's name, whose extension must be known
 * @param bytes at most 10 MB
 * @param chosen what staff chose in place of the reader's guess
 * @throws AppError unsupportedType (415), invalid (400), tooLarge (413)
 */
export async function readSheet(
  name: string,
  bytes: Uint8Array,
  chosen: ReadingChoices = NO_READING,
): Promise<Sheet> {
  if (!KNOWN_EXTENSIONS.test(name)) throw new AppError("unsupportedType", UNSUPPORTED);
  if (bytes.length === 0) throw new AppError("invalid", "The file is empty");
  if (startsWith(bytes, ZIP)) {
    const { readXlsx } = await import("./xlsx.server");
    return readXlsx(bytes, chosen);
  }
  if (startsWith(bytes, COMPOUND_FILE)) return readXls(bytes, chosen);
  const decoded = decodeText(bytes, chosen.encoding);
  if (decoded === null) throw damagedFile();
  refuseMarkup(decoded.text.slice(0, 1000));
  const sheet = readCsv(decoded, chosen.header);
  if (sheet.rows.length === 0 && WORKBOOK_EXTENSIONS.test(name)) throw damagedFile();
  return sheet;
}

/** Rejects XML, HTML and JSON. @throws AppError unsupportedType (415) */
function refuseMarkup(start: string): void {
  if (/^\s*<\?xml[\s\S]*<(?:\w+:)?Workbook\b/.test(start))
    throw new AppError("unsupportedType", "This is Excel 2003 XML. Save it as .xlsx or .csv.");
  if (/^\s*<\?xml\b/i.test(start))
    throw new AppError(
      "unsupportedType",
      "This is an XML file, not a spreadsheet. Save it as .xlsx or .csv.",
    );
  if (/^\s*<(?:!doctype|html|table|body|head)\b/i.test(start))
    throw new AppError("unsupportedType", "This is a web page, not a spreadsheet. Save it as .xlsx or .csv.");
  if (/^\s*(?:\{\s*["}]|\[\s*[[{\]])/.test(start))
    throw new AppError("unsupportedType", "This is JSON, not a spreadsheet. Save it as .xlsx or .csv.");
}

function startsWith(bytes: Uint8Array, signature: number[]): boolean {
  return signature.every((byte, at) => bytes[at] === byte);
}

const DELIMITERS = [",", ";", "\t", "|"];
/** Records of a file, including blank ones. */
const MAX_RECORDS = 10 * MAX_ROWS;
const RECORD_LIMIT_ERROR = `The file has more than ${MAX_RECORDS.toLocaleString("en")} rows, blank ones included`;
const QUOTE = '"';
/** Characters and records from the start in which the delimiter is looked for. */
const START_LENGTH = 64 * 1024;
const HEADER_RECORDS = 25;

const PARSE_ERRORS: Record<string, string> = {
  MissingQuotes: "A quotation mark is opened and never closed: nothing after it could be read",
  InvalidQuotes: "A quotation mark stands in the wrong place",
};

/** Reads separated values and detects their delimiter. @throws AppError tooLarge (413), invalid (400) */
function readCsv(decoded: DecodedText, header: number | null): Sheet {
  const { text, encoding, isGuessed, hasOddLetters } = decoded;
  const { body, delimiter } = detectDelimiter(text);
  limitDelimiters(body, delimiter);
  const collector = new RowCollector();
  eachRecord(body, delimiter, (cells, record, problem) => {
    if (record > MAX_RECORDS) throw new AppError("tooLarge", RECORD_LIMIT_ERROR);
    const note = hasOddLetters ? takeOddLetters(cells) : null;
    collector.add({ line: record, cells, ...(problem && { problem }), ...(note && { notes: [note] }) });
  });
  const { reading, ...sheet } = collector.finish({ delimiter }, header);
  for (const row of sheet.rows) row.problem ??= surplusCells(row.cells, sheet.headers.length);
  const cut = noteOnCut(sheet, body);
  const texts = guessedTexts(decoded, () => textsOf(sheet));
  return {
    ...sheet,
    reading: { ...reading, sheets: [], sheet: 0, encoding, isGuessed, ...texts, ...(cut && { cut }) },
  };
}

/**
 * Notes at the last row that the file ends within it: it has fewer cells than any other, and no line end.
 *
 * @returns the same of the file as a whole; undefined for one that has no sign of it
 */
function noteOnCut({ headers, rows }: Pick<Sheet, "headers" | "rows">, text: string): string | undefined {
  const last = rows.at(-1);
  if (!last || last.problem || /[\r\n]$/.test(text)) return undefined;
  const least = rows.reduce(
    (fewest, { cells }, at) => (at === rows.length - 1 ? fewest : Math.min(fewest, cells.length)),
    headers.length,
  );
  const count = last.cells.length;
  if (count >= least) return undefined;
  const found = `${count} of ${headers.length} cells`;
  last.notes = [
    ...(last.notes ?? []),
    `The file ends within this row, after ${found}: check that it is whole`,
  ];
  return `The file ends within row ${last.line}, after ${found}. It may have been cut off: check that it is whole`;
}

function* textsOf({ headers, rows }: Pick<Sheet, "headers" | "rows">): Generator<string> {
  for (const { cells } of rows) for (const cell of cells) yield String(cell);
  yield* headers;
}

/** Parses records one by one. @param take receives each; an error that it throws ends the parsing */
function eachRecord(
  body: string,
  delimiter: string,
  take: (cells: string[], record: number, problem: string | undefined) => void,
): void {
  let record = 0;
  let failure: unknown = null;
  Papa.parse<string[]>(body, {
    delimiter,
    fastMode: false,
    step({ data, errors }, parser) {
      try {
        take(data, ++record, errors.map(({ code }) => PARSE_ERRORS[code]).find(Boolean));
      } catch (error) {
        failure = error;
        parser.abort();
      }
    },
  });
  if (failure) throw failure;
}

/** Returns the error of a row with more cells than the file has columns. */
function surplusCells(cells: Cell[], columns: number): string | undefined {
  if (!cells.slice(columns).some((cell) => textOf(cell) !== "")) return undefined;
  return `The row has ${cells.length} cells, the file ${columns} columns. Put texts that contain the separator in quotation marks`;
}

/** Finds the delimiter: declared by a line such as `sep=;`, else the one by which a row names a product's columns. */
function detectDelimiter(text: string): { body: string; delimiter: string } {
  const declared = /^sep=(.)\r?\n/i.exec(text);
  if (declared) return { body: text.slice(declared[0].length), delimiter: declared[1] ?? "," };
  const start = text.slice(0, START_LENGTH);
  const scores = DELIMITERS.map((delimiter) => {
    const rows = Papa.parse<string[]>(start, { delimiter, fastMode: false, preview: HEADER_RECORDS }).data;
    return { delimiter, score: Math.max(0, ...rows.map(headerScore)) };
  });
  const best = scores.reduce((best, each) => (each.score > best.score ? each : best));
  return { body: text, delimiter: best.score > 1 ? best.delimiter : mostFrequent(text) };
}

/** Finds the delimiter that the first row with any has the most. */
function mostFrequent(text: string): string {
  const counts = new Map(DELIMITERS.map((each) => [each, 0]));
  let quoted = false;
  for (let at = Math.max(0, text.search(/\S/)); at < text.length; at++) {
    const character = text.charAt(at);
    if (character === QUOTE) quoted = !quoted;
    if (quoted) continue;
    const isEnd = character === "\n" || character === "\r";
    if (isEnd && [...counts.values()].some(Boolean)) break;
    const count = counts.get(character);
    if (count !== undefined) counts.set(character, count + 1);
  }
  const [most = [",", 0]] = [...counts].sort((a, b) => b[1] - a[1]);
  return most[0];
}

/** Rejects a file of little but delimiters, which would become millions of cells. */
function limitDelimiters(text: string, delimiter: string): void {
  let count = 0;
  for (let at = text.indexOf(delimiter); at !== -1; at = text.indexOf(delimiter, at + 1)) {
    count++;
    if (count > MAX_CELLS) throw tooManyCells();
  }
}
