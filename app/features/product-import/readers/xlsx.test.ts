import { unzipSync, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { sheetXml, xlsx } from "../../../../tests/support/spreadsheets";
import { xlsxFile } from "../xlsx-file.server";
import { readSheet } from "./read-sheet.server";

const DAMAGED = "The file is damaged or is not a spreadsheet";
const CELL = '<c t="inlineStr"><is><t>abc</t></is></c>';
const HEADERS = '<row><c t="inlineStr"><is><t>name</t></is></c></row>';
const REFUSED = "The spreadsheet has too many cells. Leave out columns that aren't needed.";
const STRINGS = "xl/sharedStrings.xml";

/** A sheet of these rows, its strings in an entry of their own where there are any. */
function file(rows: string, strings?: string) {
  const sheet = `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
  if (strings === undefined) return xlsx(sheet);
  const rels = `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>`;
  return xlsx(sheet, { "xl/_rels/workbook.xml.rels": rels, [STRINGS]: `<sst>${strings}</sst>` });
}

/** The same bytes with one changed. */
function flipped(bytes: Uint8Array<ArrayBuffer>, at: number) {
  const changed = bytes.slice();
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

/** The same files, not deflated: what packs so well is refused for that alone. */
function unpacked(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return zipSync(unzipSync(bytes), { level: 0 }) as Uint8Array<ArrayBuffer>;
}

/** The same zip as one that tells its numbers in the records for large files. */
function zip64(zip: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const view = new DataView(zip.buffer);
  const end = zip.length - 22;
  const [count, size, at] = [
    view.getUint16(end + 10, true),
    view.getUint32(end + 12, true),
    view.getUint32(end + 16, true),
  ];
  const tail = new DataView(new ArrayBuffer(56 + 20 + 22));
  tail.setUint32(0, 0x06064b50, true);
  tail.setBigUint64(32, BigInt(count), true);
  tail.setBigUint64(40, BigInt(size), true);
  tail.setBigUint64(48, BigInt(at), true);
  tail.setUint32(56, 0x07064b50, true);
  tail.setBigUint64(64, BigInt(end), true);
  tail.setUint32(76, 0x06054b50, true);
  tail.setUint16(76 + 10, 0xffff, true);
  tail.setUint32(76 + 16, 0xffffffff, true);
  const whole = new Uint8Array(end + tail.byteLength);
  whole.set(zip.subarray(0, end));
  whole.set(new Uint8Array(tail.buffer), end);
  return whole;
}

describe("a .xlsx that asks too much of its reader", () => {
  const entities = `<row><c t="inlineStr"><is><t>${"&#65;".repeat(2_000_000)}</t></is></c></row>`;
  it.each([
    ["cells within cells", file(HEADERS + "<row><c><is><t>".repeat(1000)), DAMAGED],
    [
      "a row of 20,000 cells",
      file(`${HEADERS}<row>${"<c/>".repeat(20_000)}</row>`),
      "The file has more than 1,000 columns",
    ],
    [
      "20,000 rows of 100 cells",
      file(HEADERS + `<row>${"<c><v>1</v></c>".repeat(100)}</row>`.repeat(20_000)),
      REFUSED,
    ],
    ["two million strings that nothing refers to", file(HEADERS, "<si/>".repeat(2_000_000)), REFUSED],
    [
      "strings of 17 million characters",
      file(HEADERS, `<si><t>${"x".repeat(1_000_000)}</t></si>`.repeat(17)),
      "The file holds more than 16 million characters",
    ],
    ["10 MB of entities in one cell", file(HEADERS + entities), "A cell of the spreadsheet is too long"],
  ])("%s", async (_, bytes, message) => {
    await expect(readSheet("a.xlsx", unpacked(bytes))).rejects.toThrow(message);
  });

  it.each([
    ["reads", "without cells", (row: number) => `<row r="${row}" spans="1:3"/>`, "Mug 2, Cup 1000003"],
    [
      "refuses in words",
      "of styled cells",
      (row: number) => `<row r="${row}"><c r="A${row}" s="1"/></row>`,
      REFUSED,
    ],
  ])("%s the products among a million empty rows %s", async (_, __, blank, expected) => {
    const product = (name: string) => `<row><c t="inlineStr"><is><t>${name}</t></is></c></row>`;
    const blanks = Array.from({ length: 1_000_000 }, (_, at) => blank(at + 3)).join("");
    const bytes = file(HEADERS + product("Mug") + blanks + product("Cup"));
    const read = await readSheet("a.xlsx", bytes).then(
      ({ rows }) => rows.map(({ line, cells }) => `${cells[0]} ${line}`).join(", "),
      (error: Error) => error.message,
    );
    expect(read).toBe(expected);
  });

  it("lets others be served while it is read", async () => {
    let served = 0;
    const serving = setInterval(() => served++, 0);
    await readSheet("a.xlsx", file(HEADERS + `<row>${CELL.repeat(10)}</row>`.repeat(5000)));
    clearInterval(serving);
    expect(served).toBeGreaterThan(1);
  });

  it("is refused when a bit of it was changed on the way", async () => {
    const stored = unpacked(file(`${HEADERS}<row><c><v>1500</v></c></row>`));
    await expect(readSheet("a.xlsx", stored)).resolves.toMatchObject({ rows: [{ cells: [1500] }] });
    const at = new TextDecoder("latin1").decode(stored).indexOf("1500");
    await expect(readSheet("a.xlsx", flipped(stored, at))).rejects.toThrow(DAMAGED);
  });

  it("is read where it tells its numbers as large files do", async () => {
    const bytes = xlsx(sheetXml([["name"], ["Mug"]]));
    expect((await readSheet("a.xlsx", zip64(bytes))).rows).toEqual([{ line: 2, cells: ["Mug"] }]);
  });
});

describe("cells of a .xlsx", () => {
  it("count rows themselves where a number is none that a sheet has", async () => {
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    const odd = ["-5", "0", "2.5", "x", "9999999999"];
    const rows = odd.map((r) => `<row r="${r}">${cell(`Mug ${r}`)}</row>`).join("");
    const { rows: read } = await readSheet("a.xlsx", file(HEADERS + rows));
    expect(read.map(({ line, cells }) => [line, cells[0]])).toEqual(odd.map((r, i) => [i + 2, `Mug ${r}`]));
  });

  it("comes back from our own writer as it was, signs that XML has none for among it", async () => {
    const rows = [
      ["name", "a/b", "=1+1"],
      ["_x0041_", '  \u0001 & <b>\r\n\t"x" ', "", 0.1, "🧵\ufffe"],
      ["", "", "", -3],
    ];
    expect(await readSheet("a.xlsx", xlsxFile("Lager [2026]/very long name of a sheet", rows))).toMatchObject(
      {
        headers: rows[0],
        rows: rows.slice(1).map((row, place) => ({ line: place + 2, cells: row })),
        name: "Lager  2026  very long name of",
        delimiter: null,
      },
    );
  });

  it("shows what a spreadsheet took for a date as one: it is no number", async () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-407]D.\\ MMM"/><numFmt numFmtId="165" formatCode="#,##0.00\\ &quot;days&quot;"/></numFmts>
      <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`;
    const sheet = `<worksheet><sheetData><row><c t="inlineStr"><is><t>price</t></is></c></row>
      <row><c s="0"><v>46054</v></c><c s="1"><v>46054</v></c><c s="2"><v>46054.5</v></c><c s="3"><v>46054</v></c></row></sheetData></worksheet>`;
    const rels = `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="x/styles" Target="styles.xml"/></Relationships>`;
    const file = xlsx(sheet, { "xl/styles.xml": styles, "xl/_rels/workbook.xml.rels": rels });
    expect((await readSheet("a.xlsx", file)).rows.map(({ cells }) => cells)).toEqual([
      [46054, "2026-02-01", "2026-02-01", 46054],
    ]);
  });

  it.each([
    ['date1904="1"', "1904-01-02", "2030-02-02"],
    ['date1904="true"', "1904-01-02", "2030-02-02"],
    ['date1904="0"', "1900-01-01", "2026-02-01"],
    ["", "1900-01-01", "2026-02-01"],
  ])("counts days as a workbook with <workbookPr %s> does", async (attributes, first, later) => {
    const styles = `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`;
    const sheet = `<worksheet><sheetData><row><c s="1"><v>1</v></c><c t="inlineStr"><is><t>name</t></is></c></row>
      <row><c s="1"><v>46054</v></c><c t="inlineStr"><is><t>Cup</t></is></c></row></sheetData></worksheet>`;
    const rels = `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="x/styles" Target="styles.xml"/></Relationships>`;
    const workbook = `<workbook xmlns:r="r"><workbookPr ${attributes}/><sheets><sheet name="Stock" r:id="rId1"/></sheets></workbook>`;
    const more = { "xl/styles.xml": styles, "xl/_rels/workbook.xml.rels": rels, "xl/workbook.xml": workbook };
    const { headers, rows } = await readSheet("a.xlsx", xlsx(sheet, more));
    expect([headers[0], rows[0]?.cells[0]]).toEqual([first, later]);
  });

  it("shows another currency that a number is formatted in", async () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="#,##0.00\\ [$€-407]"/><numFmt numFmtId="165" formatCode="&quot;$&quot;#,##0.00"/></numFmts>
      <cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`;
    const sheet = `<worksheet><sheetData><row><c t="inlineStr"><is><t>name</t></is></c></row>
      <row><c s="1"><v>12.5</v></c><c s="1"><v>12.375</v></c><c s="2"><v>12.5</v></c><c s="0"><v>12.5</v></c></row></sheetData></worksheet>`;
    const rels = `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="x/styles" Target="styles.xml"/></Relationships>`;
    const file = xlsx(sheet, { "xl/styles.xml": styles, "xl/_rels/workbook.xml.rels": rels });
    expect((await readSheet("a.xlsx", file)).rows.map(({ cells }) => cells)).toEqual([
      ["12.5 €", "12.3750 €", 12.5, 12.5],
    ]);
  });
});
