import Papa from "papaparse";
import { AppError } from "~/http/errors";
import { type Cell, MAX_CELLS, MAX_ROWS, type Sheet, textOf } from "../sheet";
import { RowCollector } from "./collector";
import { readXls } from "./xls.server";

const ZIP = [0x50, 0x4b, 0x03, 0x04];
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const KNOWN_EXTENSIONS = /\.(?:csv|tsv|txt|xlsx|xls)$/i;
const UNSUPPORTED = "Only .csv, .tsv, .txt, .xlsx and .xls files can be read";

/**
 * Reads a spreadsheet. Its content determines the format.
 *
 * @param name the file's name, whose extension must be known
 * @param bytes at most 10 MB
 * @throws AppError unsupportedType (415), invalid (400), tooLarge (413)
 */
export async function readSheet(name: string, bytes: Uint8Array): Promise<Sheet> {
  if (!KNOWN_EXTENSIONS.test(name)) throw new AppError("unsupportedType", UNSUPPORTED);
  if (bytes.length === 0) throw new AppError("invalid", "The file is empty");
  if (startsWith(bytes, ZIP)) {
    const { readXlsx } = await import("./xlsx.server");
    return readXlsx(bytes);
  }
  if (startsWith(bytes, COMPOUND_FILE)) return readXls(bytes);
  const text = decodeText(bytes);
  if (text === null) throw new AppError("unsupportedType", UNSUPPORTED);
  if (/^\s*<\?xml[\s\S]*<(?:\w+:)?Workbook\b/.test(text.slice(0, 1000)))
    throw new AppError("unsupportedType", "This is Excel 2003 XML. Save it as .xlsx or .csv.");
  if (/^\s*<\?xml\b/i.test(text.slice(0, 1000)))
    throw new AppError(
      "unsupportedType",
      "This is an XML file, not a spreadsheet. Save it as .xlsx or .csv.",
    );
  if (/^\s*<(?:!doctype|html|table|body|head)\b/i.test(text.slice(0, 1000)))
    throw new AppError("unsupportedType", "This is a web page, not a spreadsheet. Save it as .xlsx or .csv.");
  return readCsv(text);
}

function startsWith(bytes: Uint8Array, signature: number[]): boolean {
  return signature.every((byte, at) => bytes[at] === byte);
}

/**
 * Decodes a text file in UTF-8, UTF-16 or Windows-1252.
 *
 * @returns the text without its BOM; null for a binary file
 */
function decodeText(bytes: Uint8Array): string | null {
  const utf16 = utf16Encoding(bytes);
  const text = utf16 ? new TextDecoder(utf16).decode(bytes) : decodeBytes(bytes);
  return isBinary(text) ? null : text;
}

/** Decodes UTF-8, else Windows-1252. */
function decodeBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Detects NULs among the headers, or many of them; a single NUL in a cell is an error in its row. */
function isBinary(text: string): boolean {
  const first = text.indexOf("\0");
  if (first === -1) return false;
  return !text.slice(0, first).trim().includes("\n") || text.split("\0").length > 16 + text.length / 100;
}

function utf16Encoding(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  if (isLatinUtf16(bytes, 1)) return "utf-16le";
  if (isLatinUtf16(bytes, 0)) return "utf-16be";
  return null;
}

/** Detects UTF-16 without a BOM by the zero byte of each Latin letter. @param zeroAt its place in the pair */
function isLatinUtf16(bytes: Uint8Array, zeroAt: 0 | 1): boolean {
  const start = bytes.subarray(0, 200);
  const zeros = (place: number) => start.filter((byte, at) => at % 2 === place && byte === 0).length;
  return start.length >= 4 && zeros(zeroAt) > start.length / 4 && zeros(1 - zeroAt) === 0;
}

const DELIMITERS = [",", ";", "\t", "|"];
/** Records of a file, including blank ones. */
const MAX_RECORDS = 10 * MAX_ROWS;
const RECORD_LIMIT_ERROR = `The file has more than ${MAX_RECORDS.toLocaleString("en")} rows, blank ones included`;
const QUOTE = '"';

const PARSE_ERRORS: Record<string, string> = {
  MissingQuotes: "A quotation mark is opened and never closed: nothing after it could be read",
  InvalidQuotes: "A quotation mark stands in the wrong place",
};

/** Reads separated values and detects their delimiter. @throws AppError tooLarge (413), invalid (400) */
function readCsv(text: string): Sheet {
  const { body, delimiter } = detectDelimiter(text);
  limitDelimiters(body, delimiter);
  const collector = new RowCollector();
  let record = 0;
  let failure: unknown = null;
  Papa.parse<string[]>(body, {
    delimiter,
    fastMode: false,
    step({ data, errors }, parser) {
      record++;
      const problem = errors.map(({ code }) => PARSE_ERRORS[code]).find(Boolean);
      try {
        if (record > MAX_RECORDS) throw new AppError("tooLarge", RECORD_LIMIT_ERROR);
        collector.add({ line: record, cells: data, ...(problem && { problem }) });
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
    if (count > MAX_CELLS) throw new AppError("tooLarge", "The file has too many columns");
  }
}
