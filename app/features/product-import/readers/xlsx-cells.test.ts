import { describe, expect, it } from "vitest";
import { xlsx } from "../../../../tests/support/sheets";
import { xlsxFile } from "../xlsx-file.server";
import { readSheet } from "./read-sheet.server";

describe("cells of a .xlsx", () => {
  it("comes back from our own writer as it was, signs that XML has none for among it", async () => {
    const rows = [
      ["name", "a/b", "=1+1"],
      ["_x0041_", '  \u0001 & <b>\r\n\t"x" ', "", 0.1, "🧵\ufffe"],
      ["", "", "", -3],
    ];
    expect(await readSheet("a.xlsx", xlsxFile("Lager [2026]/very long name of a sheet", rows))).toEqual({
      headers: rows[0],
      rows: rows.slice(1).map((row, place) => ({ line: place + 2, cells: row })),
      name: "Lager  2026  very long name of",
      delimiter: null,
    });
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
});
