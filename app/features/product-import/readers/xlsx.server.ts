import { AppError } from "~/http/errors";
import { type Cell, MAX_CHARACTERS, MAX_COLUMNS, type Sheet } from "../sheet";
import {
  displayedNumber,
  formatDay,
  formulaError,
  isDateFormat,
  putCell,
  RowCollector,
  tooManyCharacters,
} from "./collector";
import { parseXml, STOP } from "./xml.server";
import { ZipFile } from "./zip.server";

const WORKBOOK = "xl/workbook.xml";
const MAX_SHEET_COLUMNS = 16_384;
/** Built-in number formats for dates and times. */
const DATE_FORMATS = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 46, 47, 50, 57]);
const RELATIONS = "xl/_rels/workbook.xml.rels";

/**
 * Reads the first visible sheet of a .xlsx as a stream, whatever extent it declares.
 *
 * @throws AppError unsupportedType (415) for another zip file, invalid (400), tooLarge (413)
 */
export async function readXlsx(bytes: Uint8Array): Promise<Sheet> {
  const zip = new ZipFile(bytes);
  if (!zip.has(WORKBOOK))
    throw new AppError("unsupportedType", "This is a zip file, not a spreadsheet. Save it as .xlsx or .csv.");
  const { name, relation } = await firstSheet(zip);
  const related = await relations(zip);
  const path = related.find(({ id }) => id === relation)?.target ?? "xl/worksheets/sheet1.xml";
  const part = (kind: string) => related.find(({ type }) => type.endsWith(kind))?.target ?? "";
  const [strings, styles] = [part("/sharedStrings"), part("/styles")];
  const collector = new RowCollector();
  const lookup: CellLookup = {
    strings: zip.has(strings) ? await sharedStrings(zip, strings) : [],
    dates: zip.has(styles) ? await dateStyles(zip, styles) : new Set(),
  };
  await readRows(zip, path, lookup, collector);
  return collector.finish({ name });
}

/** Tables that cells refer to by index. */
interface CellLookup {
  strings: string[];
  /** Indexes of styles that show a date. */
  dates: Set<string>;
}

async function firstSheet(zip: ZipFile): Promise<{ name: string; relation: string }> {
  const sheets: { name: string; relation: string; hidden: boolean }[] = [];
  await parseXml(zip, WORKBOOK, {
    open(name, attributes) {
      if (name !== "sheet") return;
      const relation = Object.entries(attributes).find(([key]) => /^\w+:id$/.test(key))?.[1] ?? "";
      const hidden = (attributes.state ?? "visible") !== "visible";
      sheets.push({ name: attributes.name ?? "", relation, hidden });
    },
  });
  const sheet = sheets.find(({ hidden }) => !hidden) ?? sheets[0];
  if (!sheet) throw new AppError("invalid", "The spreadsheet has no sheet");
  return sheet;
}

async function relations(zip: ZipFile): Promise<{ id: string; type: string; target: string }[]> {
  const found: { id: string; type: string; target: string }[] = [];
  if (!zip.has(RELATIONS)) return found;
  await parseXml(zip, RELATIONS, {
    open(name, { Id = "", Type = "", Target = "" }) {
      if (name !== "Relationship") return;
      const target = Target.startsWith("/") ? Target.slice(1) : `xl/${Target.replace(/^\.\//, "")}`;
      found.push({ id: Id, type: Type, target });
    },
  });
  return found;
}

/** Reads the indexes of the styles that show a cell's number as a date: spreadsheet programs turn `1.2` into one. */
async function dateStyles(zip: ZipFile, entry: string): Promise<Set<string>> {
  const formats = new Set(DATE_FORMATS);
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

/** Reads the texts that cells refer to by index, without phonetic readings. */
async function sharedStrings(zip: ZipFile, entry: string): Promise<string[]> {
  const strings: string[] = [];
  let text = "";
  let inText = false;
  let isPhonetic = false;
  let characters = 0;
  await parseXml(zip, entry, {
    open(name) {
      if (name === "si") text = "";
      if (name === "rPh") isPhonetic = true;
      inText = name === "t" && !isPhonetic;
    },
    close(name) {
      inText = false;
      if (name === "rPh") isPhonetic = false;
      if (name !== "si") return;
      characters += text.length;
      if (characters > MAX_CHARACTERS) throw tooManyCharacters();
      strings.push(unescapeText(text));
    },
    text(part) {
      if (inText) text += part;
    },
  });
  return strings;
}

/** Decodes characters that XML cannot represent, which Excel writes as _xHHHH_. */
function unescapeText(text: string): string {
  return text.includes("_x")
    ? text.replace(/_x([\dA-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
}

async function readRows(
  zip: ZipFile,
  entry: string,
  lookup: CellLookup,
  collector: RowCollector,
): Promise<void> {
  let line = 0;
  let count = 0;
  let cells: Cell[] = [];
  let at = { column: -1, type: "n", style: "" };
  let value = "";
  let inValue = false;
  let problem: string | undefined;
  await parseXml(zip, entry, {
    open(name, { r, t, s }) {
      if (name === "row") {
        line = r === undefined ? line + 1 : Number(r);
        count = 0;
        cells = [];
        problem = undefined;
        at = { column: -1, type: "n", style: "" };
      } else if (name === "c") {
        if (++count > MAX_SHEET_COLUMNS) throw new AppError("tooLarge", "The file has too many columns");
        at = { column: columnOf(r) ?? at.column + 1, type: t ?? "n", style: s ?? "" };
        value = "";
      }
      inValue = name === "v" || name === "t";
    },
    text(part) {
      if (inValue && at.column < MAX_COLUMNS) value += part;
    },
    close(name) {
      inValue = false;
      if (name === "c" && value !== "") putCell(cells, at.column, cellOf(at, value, lookup));
      if (name === "c" && at.type === "e") problem ??= formulaError(value);
      if (name === "row") collector.add({ line, cells, ...(problem && { problem }) });
      if (name === "sheetData") throw STOP;
    },
  });
}

function cellOf({ type, style }: { type: string; style: string }, value: string, lookup: CellLookup): Cell {
  if (type === "s") return lookup.strings[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  if (type !== "n") return unescapeText(value);
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  return lookup.dates.has(style) ? formatDay(number) : displayedNumber(number);
}

/** Parses the column of a reference such as C7, from 0; null without one. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]+/i.exec(reference ?? "")?.[0].toUpperCase();
  if (!letters) return null;
  if (letters.length > 3) return MAX_COLUMNS;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
