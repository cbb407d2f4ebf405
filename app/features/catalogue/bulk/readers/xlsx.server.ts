import { AppError } from "~/http/errors";
import { type Cell, MOST_COLUMNS, type Sheet } from "../sheet";
import { errorIn, putCell, RowCollector, shownNumber } from "./collector";
import { dateStyles, dayOf } from "./dates.server";
import { ENOUGH, tellXml } from "./xml.server";
import { ZipFile } from "./zip.server";

const WORKBOOK = "xl/workbook.xml";
const RELATIONS = "xl/_rels/workbook.xml.rels";

/**
 * Reads the first visible sheet of a .xlsx: its XML streams by, so its extent costs nothing.
 *
 * @throws AppError unsupportedType (415) for another zip file, invalid (400), tooLarge (413)
 */
export function readXlsx(bytes: Uint8Array): Sheet {
  const zip = new ZipFile(bytes);
  if (!zip.has(WORKBOOK))
    throw new AppError("unsupportedType", "This is a zip file, not a spreadsheet. Save it as .xlsx or .csv.");
  const { name, relation } = firstSheet(zip);
  const related = relations(zip);
  const path = related.find(({ id }) => id === relation)?.target ?? "xl/worksheets/sheet1.xml";
  const part = (kind: string) => related.find(({ type }) => type.endsWith(kind))?.target ?? "";
  const [strings, styles] = [part("/sharedStrings"), part("/styles")];
  const collector = new RowCollector();
  const shown: Shown = {
    strings: zip.has(strings) ? sharedStrings(zip, strings) : [],
    dates: zip.has(styles) ? dateStyles(zip, styles) : new Set(),
  };
  readRows(zip, path, shown, collector);
  return collector.finish({ name });
}

/** What cells refer to by number. */
interface Shown {
  strings: string[];
  /** Styles that show a date. */
  dates: Set<string>;
}

function firstSheet(zip: ZipFile): { name: string; relation: string } {
  const sheets: { name: string; relation: string; hidden: boolean }[] = [];
  tellXml(zip, WORKBOOK, {
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

function relations(zip: ZipFile): { id: string; type: string; target: string }[] {
  const found: { id: string; type: string; target: string }[] = [];
  if (!zip.has(RELATIONS)) return found;
  tellXml(zip, RELATIONS, {
    open(name, { Id = "", Type = "", Target = "" }) {
      if (name !== "Relationship") return;
      const target = Target.startsWith("/") ? Target.slice(1) : `xl/${Target.replace(/^\.\//, "")}`;
      found.push({ id: Id, type: Type, target });
    },
  });
  return found;
}

/** The texts that cells refer to by number; how a word is pronounced is no part of them. */
function sharedStrings(zip: ZipFile, entry: string): string[] {
  const strings: string[] = [];
  let text = "";
  let inText = false;
  let spoken = false;
  tellXml(zip, entry, {
    open(name) {
      if (name === "si") text = "";
      if (name === "rPh") spoken = true;
      inText = name === "t" && !spoken;
    },
    close(name) {
      inText = false;
      if (name === "rPh") spoken = false;
      if (name === "si") strings.push(unescaped(text));
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

function readRows(zip: ZipFile, entry: string, shown: Shown, collector: RowCollector): void {
  let line = 0;
  let cells: Cell[] = [];
  let at = { column: -1, type: "n", style: "" };
  let value = "";
  let inValue = false;
  let problem: string | undefined;
  tellXml(zip, entry, {
    open(name, { r, t, s }) {
      if (name === "row") {
        line = r === undefined ? line + 1 : Number(r);
        cells = [];
        problem = undefined;
        at = { column: -1, type: "n", style: "" };
      } else if (name === "c") {
        at = { column: columnOf(r) ?? at.column + 1, type: t ?? "n", style: s ?? "" };
        value = "";
      }
      inValue = name === "v" || name === "t";
    },
    text(part) {
      if (inValue && at.column < MOST_COLUMNS) value += part;
    },
    close(name) {
      inValue = false;
      if (name === "c" && value !== "") putCell(cells, at.column, cellOf(at, value, shown));
      if (name === "c" && at.type === "e") problem ??= errorIn(value);
      if (name === "row") collector.add({ line, cells, ...(problem && { problem }) });
      if (name === "sheetData") throw ENOUGH;
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
  if (letters.length > 3) return MOST_COLUMNS;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
