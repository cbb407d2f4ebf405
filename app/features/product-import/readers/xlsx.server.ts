import { AppError } from "~/http/errors";
import {
  type Cell,
  MAX_CHARACTERS,
  MAX_COLUMNS,
  type ReadingChoices,
  type Sheet,
  type SheetRow,
} from "../sheet";
import {
  displayedNumber,
  formatDay,
  formatted,
  formulaError,
  isDateFormat,
  putCell,
  RowCollector,
  tooManyCharacters,
  tooManyColumns,
} from "./collector";
import { chooseSheet } from "./sheets";
import { parseXml, STOP } from "./xml.server";
import { ZipFile } from "./zip.server";

const MAX_SHEET_COLUMNS = 16_384;
/** Built-in number formats for dates and times. */
const DATE_FORMATS = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 46, 47, 50, 57]);
const PACKAGE_RELATIONS = "_rels/.rels";
/** The workbook of a package without relations. */
const USUAL_WORKBOOK = "xl/workbook.xml";
/** Number of the last row that a sheet can have. */
const MAX_SHEET_LINES = 1_048_576;
/** Ends the reading of a sheet whose first rows suffice. */
const HEAD_READ = Symbol("head read");

/**
 * Reads a sheet of a .xlsx as a stream, whatever extent it declares: the chosen one, else the one with products.
 *
 * @throws AppError unsupportedType (415) for another zip file, invalid (400), tooLarge (413)
 */
export async function readXlsx(bytes: Uint8Array, chosen: ReadingChoices): Promise<Sheet> {
  const zip = new ZipFile(bytes);
  const path = await workbookPath(zip);
  const workbook = await readWorkbook(zip, path);
  const related = await relations(zip, path);
  const part = (kind: string) => related.find(({ type }) => type.endsWith(kind))?.target ?? "";
  const [strings, styles] = [part("/sharedStrings"), part("/styles")];
  const lookup: CellLookup = {
    is1904: workbook.is1904,
    strings: zip.has(strings) ? await sharedStrings(zip, strings) : [],
    ...(zip.has(styles) ? await numberStyles(zip, styles) : { dates: new Set(), formats: new Map() }),
  };
  const { sheets } = workbook;
  const collect = async (index: number, headOnly: boolean) => {
    const target = related.find(({ id }) => id === sheets[index]?.relation)?.target;
    return collectRows(zip, target ?? beside(path, "worksheets/sheet1.xml"), lookup, headOnly);
  };
  const { sheet, collector } = await chooseSheet(sheets.length, chosen.sheet, collect);
  const { reading, ...rest } = collector.finish({ name: sheets[sheet]?.name ?? "" }, chosen.header);
  const names = sheets.map(({ name }) => name);
  return {
    ...rest,
    reading: { ...reading, sheets: names, sheet, encoding: null, isGuessed: false, samples: [], rivals: [] },
  };
}

/** Tables that cells refer to by index. */
interface CellLookup {
  is1904: boolean;
  strings: string[];
  /** Indexes of styles that show a date. */
  dates: Set<string>;
  /** Other formats, by index of style. */
  formats: Map<string, string>;
}

/** Finds the workbook by the package's relations. @throws AppError unsupportedType (415) */
async function workbookPath(zip: ZipFile): Promise<string> {
  const related = await relations(zip, "");
  const target = related.find(({ type }) => type.endsWith("/officeDocument"))?.target ?? USUAL_WORKBOOK;
  if (zip.has(target) && !target.endsWith(".bin")) return target;
  throw new AppError("unsupportedType", "This is a zip file, not a spreadsheet. Save it as .xlsx or .csv.");
}

interface WorkbookSheet {
  name: string;
  relation: string;
}

/** Lists the sheets that are not hidden; all of them where none is visible. */
async function readWorkbook(
  zip: ZipFile,
  path: string,
): Promise<{ sheets: WorkbookSheet[]; is1904: boolean }> {
  const sheets: (WorkbookSheet & { isHidden: boolean })[] = [];
  let is1904 = false;
  await parseXml(zip, path, {
    open(name, attributes) {
      if (name === "workbookPr") is1904 = /^(?:1|true)$/i.test(attributes.date1904 ?? "");
      if (name !== "sheet") return;
      const relation = Object.entries(attributes).find(([key]) => /^\w+:id$/.test(key))?.[1] ?? "";
      const isHidden = (attributes.state ?? "visible") !== "visible";
      sheets.push({ name: attributes.name ?? "", relation, isHidden });
    },
  });
  if (sheets.length === 0) throw new AppError("invalid", "The spreadsheet has no sheet");
  const visible = sheets.filter(({ isHidden }) => !isHidden);
  return { sheets: visible.length > 0 ? visible : sheets, is1904 };
}

/** Reads the relations of a part; those of the package for "". Their targets are relative to the part. */
async function relations(
  zip: ZipFile,
  part: string,
): Promise<{ id: string; type: string; target: string }[]> {
  const entry =
    part === "" ? PACKAGE_RELATIONS : beside(part, `_rels/${part.slice(part.lastIndexOf("/") + 1)}.rels`);
  const found: { id: string; type: string; target: string }[] = [];
  if (!zip.has(entry)) return found;
  await parseXml(zip, entry, {
    open(name, { Id = "", Type = "", Target = "" }) {
      if (name === "Relationship") found.push({ id: Id, type: Type, target: beside(part, Target) });
    },
  });
  return found;
}

/** Resolves a path against the folder of a part, as a URL would be. */
function beside(part: string, path: string): string {
  const folders = path.replaceAll("\\", "/").startsWith("/") ? [] : part.split("/").slice(0, -1);
  for (const step of path.split(/[\\/]/)) {
    if (step === "..") folders.pop();
    else if (step !== "" && step !== ".") folders.push(step);
  }
  return folders.join("/");
}

/** Reads the styles that show a number as a date, as spreadsheet programs do with `1.2`, or in another format of the file. */
async function numberStyles(zip: ZipFile, entry: string): Promise<Pick<CellLookup, "dates" | "formats">> {
  const formatById = new Map<number, string>();
  const dates = new Set<string>();
  const formats = new Map<string, string>();
  let inCells = false;
  let at = 0;
  await parseXml(zip, entry, {
    open(name, { numFmtId, formatCode = "" }) {
      if (name === "cellXfs") inCells = true;
      const id = Number(numFmtId);
      if (name === "numFmt") formatById.set(id, formatCode);
      if (name !== "xf" || !inCells) return;
      const format = formatById.get(id);
      if (format === undefined ? DATE_FORMATS.has(id) : isDateFormat(format)) dates.add(String(at));
      else if (format !== undefined) formats.set(String(at), format);
      at++;
    },
    close(name) {
      if (name === "cellXfs") inCells = false;
    },
  });
  return { dates, formats };
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

async function collectRows(
  zip: ZipFile,
  entry: string,
  lookup: CellLookup,
  headOnly: boolean,
): Promise<RowCollector> {
  const collector = new RowCollector();
  try {
    await readRows(zip, entry, lookup, (row) => {
      collector.add(row);
      if (headOnly && collector.hasHead) throw HEAD_READ;
    });
  } catch (error) {
    if (error !== HEAD_READ) throw error;
  }
  return collector;
}

async function readRows(
  zip: ZipFile,
  entry: string,
  lookup: CellLookup,
  take: (row: SheetRow) => void,
): Promise<void> {
  let count = 0;
  let row: SheetRow = { line: 0, cells: [] };
  let at = { column: -1, type: "n", style: "" };
  let value = "";
  let inValue = false;
  await parseXml(zip, entry, {
    open(name, { r, t, s }) {
      if (name === "row") {
        row = { line: lineOf(r) ?? row.line + 1, cells: [] };
        count = 0;
        at = { column: -1, type: "n", style: "" };
      } else if (name === "c") {
        if (++count > MAX_SHEET_COLUMNS) throw tooManyColumns();
        at = { column: columnOf(r) ?? at.column + 1, type: t ?? "n", style: s ?? "" };
        value = "";
      }
      inValue = name === "v" || name === "t";
    },
    text(part) {
      if (inValue) value += part;
    },
    close(name) {
      inValue = false;
      if (name === "c" && value !== "") putCell(row, at.column, cellOf(at, value, lookup));
      if (name === "c" && at.type === "e") row.problem ??= formulaError(value);
      if (name === "row") take(row);
      if (name === "sheetData") throw STOP;
    },
  });
}

/** Reads the number of a row; undefined where a file states none, or none that a sheet has. */
function lineOf(r: string | undefined): number | undefined {
  const line = Number(r);
  return Number.isInteger(line) && line >= 1 && line <= MAX_SHEET_LINES ? line : undefined;
}

function cellOf({ type, style }: { type: string; style: string }, value: string, lookup: CellLookup): Cell {
  if (type === "s") return lookup.strings[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  if (type !== "n") return unescapeText(value);
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  if (lookup.dates.has(style)) return formatDay(number, lookup.is1904);
  return formatted(displayedNumber(number), lookup.formats.get(style) ?? "");
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
