import { Zip, ZipDeflate } from "fflate";
import type { Cell } from "./sheet";

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const CONTENT = "application/vnd.openxmlformats-officedocument.spreadsheetml";
/** Characters that the name of a sheet may not contain. */
const FORBIDDEN = /[\\/?*:[\]]/g;
const MAX_NAME_LENGTH = 31;
const CHUNK = 64 * 1024;

const PARTS = {
  "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${CONTENT}.worksheet+xml"/></Types>`,
  "_rels/.rels": `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
};

/**
 * Writes a .xlsx of one sheet. No text becomes a formula; the XML is compressed as it is written, so a large sheet is never
 * held uncompressed.
 *
 * @param name name of the sheet
 */
export function xlsxFile(name: string, rows: Iterable<Cell[]>): Uint8Array<ArrayBuffer> {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  for (const [path, xml] of Object.entries(PARTS)) addPart(zip, path, [xml]);
  addPart(zip, "xl/workbook.xml", [
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${sheetName(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ]);
  addPart(zip, "xl/worksheets/sheet1.xml", sheetXml(rows));
  zip.end();
  return Buffer.concat(chunks);
}

function addPart(zip: Zip, path: string, parts: Iterable<string>): void {
  const encoder = new TextEncoder();
  const file = new ZipDeflate(path, { level: 6 });
  zip.add(file);
  let text = XML;
  for (const part of parts) {
    text += part;
    if (text.length < CHUNK) continue;
    file.push(encoder.encode(text));
    text = "";
  }
  file.push(encoder.encode(text), true);
}

function* sheetXml(rows: Iterable<Cell[]>): Generator<string> {
  yield `<worksheet xmlns="${MAIN}"><sheetData>`;
  for (const row of rows) {
    yield "<row>";
    for (const cell of row) yield cellXml(cell);
    yield "</row>";
  }
  yield "</sheetData></worksheet>";
}

/** Blank cells are written, since the cells after them have no reference. */
function cellXml(cell: Cell): string {
  if (cell === "") return "<c/>";
  if (typeof cell === "number") return `<c><v>${cell}</v></c>`;
  return `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes XML, and like Excel the characters that XML cannot represent. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/_(?=x[\dA-F]{4}_)/gi, "_x005F_")
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? "")
    .replace(/(?![\t\n])[\p{Cc}\ufffe\uffff]/gu, (character) => {
      const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
      return `_x${code}_`;
    });
}

function sheetName(name: string): string {
  const allowed = name.replace(FORBIDDEN, " ").slice(0, MAX_NAME_LENGTH).trim();
  return escapeXml(allowed) || "Products";
}
