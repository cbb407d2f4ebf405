import { AppError } from "~/http/errors";
import { type Cell, MAX_CHARACTERS, MAX_COLUMNS, type Sheet } from "../sheet";
import { errorIn, putCell, RowCollector, shownNumber, tooManyCharacters } from "./collector";
import { dateStyles, dayOf } from "./dates.server";
import { parseXml, STOP } from "./xml.server";
import { ZipFile } from "./zip.server";

const WORKBOOK = "xl/workbook.xml";
/** Columns that a spreadsheet program knows. */
const WIDEST = 16_384;
const RELATIONS = "xl/_rels/workbook.xml.rels";

/**
 * Reads the first visible sheet of a .xlsx: its XML streams by, so its extent costs nothing.
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
  const shown: Shown = {
    strings: zip.has(strings) ? await sharedStrings(zip, strings) : [],
    dates: zip.has(styles) ? await dateStyles(zip, styles) : new Set(),
  };
  await readRows(zip, path, shown, collector);
  return collector.finish({ name });
}

/** What cells refer to by number. */
interface Shown {
  strings: string[];
  /** Styles that show a date. */
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

/** The texts that cells refer to by number; how a word is pronounced is no part of them. */
async function sharedStrings(zip: ZipFile, entry: string): Promise<string[]> {
  const strings: string[] = [];
  let text = "";
  let inText = false;
  let spoken = false;
  let characters = 0;
  await parseXml(zip, entry, {
    open(name) {
      if (name === "si") text = "";
      if (name === "rPh") spoken = true;
      inText = name === "t" && !spoken;
    },
    close(name) {
      inText = false;
      if (name === "rPh") spoken = false;
      if (name !== "si") return;
      characters += text.length;
      if (characters > MAX_CHARACTERS) throw tooManyCharacters();
      strings.push(unescaped(text));
    },
    text(part) {
      if (inText) text += part;
    },
  });
  return strings;
}

/** How Excel writes characters that XML has none for. */
function unescaped(text: string): string {
  return text.includes("_x")
    ? text.replace(/_x([\dA-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
}

async function readRows(zip: ZipFile, entry: string, shown: Shown, collector: RowCollector): Promise<void> {
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
        if (++count > WIDEST) throw new AppError("tooLarge", "The file has too many columns");
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
      if (name === "c" && value !== "") putCell(cells, at.column, cellOf(at, value, shown));
      if (name === "c" && at.type === "e") problem ??= errorIn(value);
      if (name === "row") collector.add({ line, cells, ...(problem && { problem }) });
      if (name === "sheetData") throw STOP;
    },
  });
}

function cellOf({ type, style }: { type: string; style: string }, value: string, shown: Shown): Cell {
  if (type === "s") return shown.strings[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  if (type !== "n") return unescaped(value);
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  return shown.dates.has(style) ? dayOf(number) : shownNumber(number);
}

/** The column of a reference such as C7, from 0; null without one. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]+/i.exec(reference ?? "")?.[0].toUpperCase();
  if (!letters) return null;
  if (letters.length > 3) return MAX_COLUMNS;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
