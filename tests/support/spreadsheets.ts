import { strToU8, type Zippable, zipSync } from "fflate";

/** A cell of a sheet that a test makes. */
type MadeCell = string | number | boolean;

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** The XML of a sheet, its texts inline. */
export function sheetXml(rows: MadeCell[][]): string {
  const cell = (value: MadeCell) => {
    if (typeof value === "number") return `<c><v>${value}</v></c>`;
    if (typeof value === "boolean") return `<c t="b"><v>${Number(value)}</v></c>`;
    return `<c t="inlineStr"><is><t>${escaped(value)}</t></is></c>`;
  };
  const body = rows.map((row) => `<row>${row.map(cell).join("")}</row>`).join("");
  return `<worksheet xmlns="x"><dimension ref="A1:XFD1048576"/><sheetData>${body}</sheetData></worksheet>`;
}

/** The least that a .xlsx holds, around a sheet's XML. */
export function xlsx(sheet: string, more: Record<string, string> = {}): Uint8Array<ArrayBuffer> {
  const files: Record<string, string> = {
    "xl/workbook.xml": `<workbook xmlns:r="r"><sheets><sheet name="Stock" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    "xl/worksheets/sheet1.xml": sheet,
    ...more,
  };
  const packed: Zippable = {};
  for (const [name, text] of Object.entries(files)) packed[name] = strToU8(text);
  return zipSync(packed) as Uint8Array<ArrayBuffer>;
}

/** Changes what a zip's directory says of an entry's size when it is unpacked. */
export function lyingAbout(
  zip: Uint8Array<ArrayBuffer>,
  name: string,
  size: number,
): Uint8Array<ArrayBuffer> {
  const lie = zip.slice();
  const view = new DataView(lie.buffer);
  for (let at = 0; at < lie.length - 46; at++) {
    if (view.getUint32(at, true) !== 0x02014b50) continue;
    const length = view.getUint16(at + 28, true);
    if (new TextDecoder().decode(lie.subarray(at + 46, at + 46 + length)) === name)
      view.setUint32(at + 24, size, true);
  }
  return lie;
}
