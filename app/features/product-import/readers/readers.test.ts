import { strToU8, zipSync } from "fflate";
import { SaxesParser } from "saxes";
import { afterEach, describe, expect, it, vi } from "vitest";
import { SPREADSHEETS } from "../../../../tests/fixtures/spreadsheets";
import { lyingAbout, sheetXml, xlsx } from "../../../../tests/support/spreadsheets";
import { RowCollector } from "./collector";
import { readSheet } from "./read-sheet.server";

/** Limits of the work on a rejected file: rows, blank ones included, and characters of XML. */
const MAX_READ_ROWS = 200_000;
const MAX_READ_XML = 4_000_000;

const decoded = (name: keyof typeof SPREADSHEETS) =>
  Uint8Array.from(atob(SPREADSHEETS[name]), (letter) => letter.charCodeAt(0));
const csv = (text: string) => readSheet("a.csv", new TextEncoder().encode(text));
const cells = async (sheet: ReturnType<typeof readSheet>) => (await sheet).rows.map((row) => row.cells);

afterEach(() => {
  vi.restoreAllMocks();
});

/** Returns the error message of a file, and expects the reader to have stopped early. */
async function refusal(name: string, bytes: Uint8Array | string): Promise<string> {
  const rows = vi.spyOn(RowCollector.prototype, "add");
  const xml = vi.spyOn(SaxesParser.prototype, "write");
  const content = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
  const message = await readSheet(name, content).then(
    ({ rows }) => `was read: ${rows.length} rows`,
    (error: Error) => error.message,
  );
  const characters = xml.mock.calls.reduce((sum, [part]) => sum + String(part).length, 0);
  expect(rows.mock.calls.length, "rows").toBeLessThanOrEqual(MAX_READ_ROWS);
  expect(characters, "characters of XML").toBeLessThanOrEqual(MAX_READ_XML);
  return message;
}

describe("text", () => {
  it("loses the form in which spreadsheets keep numbers as text", async () => {
    const text = '="name","=""price"""\n="Zx A","=""12.50"""\n="5"" mug",=5\n"=""5"""" mug""","=""007"""\n';
    const { headers, rows } = await csv(text);
    expect(headers).toEqual(["name", "price"]);
    expect(rows.map((row) => row.cells)).toEqual([
      ["Zx A", "12.50"],
      ['5" mug', "=5"],
      ['5" mug', "007"],
    ]);
  });

  it.each([
    [",", "a,b\r\n1,2\r\n"],
    [";", "a;b\n1;2"],
    ["tab", "a\tb\n1\t2"],
    ["|", "a|b\n1|2"],
    ["sep=", "sep=;\r\na;b\r\n1;2"],
    ["; within texts of commas", '"a";b\n1;2'],
    ["a BOM", "\ufeffa,b\n1,2"],
  ])("is parted by %s", async (_, text) => {
    const { headers, rows } = await csv(text);
    expect([headers, rows]).toEqual([["a", "b"], [{ line: 2, cells: ["1", "2"] }]]);
  });

  it.each([
    ["UTF-8", new TextEncoder().encode("name\nČaj – 5 €")],
    [
      "UTF-16, little end first",
      new Uint8Array(new Uint16Array([..."\ufeffname\nČaj – 5 €"].map((c) => c.charCodeAt(0))).buffer),
    ],
    [
      "UTF-16 without a mark",
      new Uint8Array(new Uint16Array([..."name\nČaj – 5 €"].map((c) => c.charCodeAt(0))).buffer),
    ],
    [
      "UTF-16, big end first",
      Uint8Array.from(
        [..."\ufeffname\nČaj – 5 €"].flatMap((c) => [c.charCodeAt(0) >> 8, c.charCodeAt(0) & 255]),
      ),
    ],
  ])("is read in %s", async (_, bytes) => {
    expect(await cells(readSheet("a.csv", bytes))).toEqual([["Čaj – 5 €"]]);
  });

  it("is read as Windows wrote it in the west, where it isn't UTF-8", async () => {
    const bytes = Uint8Array.from([...strToU8("name\n"), 0x80, 0xe9, 0x96]);
    expect(await cells(readSheet("a.csv", bytes))).toEqual([["€é–"]]);
  });

  it("counts rows as the file has them, blank ones and those above the headers too", async () => {
    const { rows } = await csv('\n\nname,note\nMug,"two\nlines"\n,\n\nCup,x\n');
    expect(rows).toEqual([
      { line: 4, cells: ["Mug", "two\nlines"] },
      { line: 7, cells: ["Cup", "x"] },
    ]);
  });

  it("keeps ragged rows as they are", async () => {
    expect(await cells(csv("a,b,c\n1\n1,2,3,4,5\n"))).toEqual([["1"], ["1", "2", "3", "4", "5"]]);
  });

  it("tells of a quotation mark that is never closed, and keeps what came before", async () => {
    const { rows } = await csv('name,price\nMug,5\n"Cup,6\nJar,7\n');
    expect(rows.map(({ line, problem }) => [line, problem])).toEqual([
      [2, undefined],
      [3, "A quotation mark is opened and never closed: nothing after it could be read"],
    ]);
  });

  it("takes a cell of 1 MB", async () => {
    expect((await cells(csv(`name\n${"x".repeat(1_000_000)}`)))[0]?.[0]).toHaveLength(1_000_000);
  });

  it.each([
    ["120,001 rows", `name\n${"x\n".repeat(120_001)}`, "The file has more than 120,000 rows"],
    [
      "ten million commas",
      `name\n${",".repeat(9_000_000)}`,
      "The file has more than 6,000,000 cells, blank ones included",
    ],
    [
      "1,001 columns",
      `name${Array.from({ length: 1000 }, (_, at) => `,c${at}`).join("")}\nx`,
      "The file has more than 1,000 columns",
    ],
    [
      "nine million blank lines",
      `name\n${"\n".repeat(9_000_000)}`,
      "The file has more than 200,000 rows, blank ones included",
    ],
    ["nothing", "", "The file is empty"],
    ["blanks", " \n \n", "The file is empty"],
    [
      "HTML",
      "<html><table><tr><td>name</td></tr></table>",
      "This is a web page, not a spreadsheet. Save it as .xlsx or .csv.",
    ],
    [
      "XML",
      '<?xml version="1.0"?><rss><channel/></rss>',
      "This is an XML file, not a spreadsheet. Save it as .xlsx or .csv.",
    ],
    ["JSON", '[\n  { "name": "Zx" }\n]', "This is JSON, not a spreadsheet. Save it as .xlsx or .csv."],
    ["a line of JSON", '{"name":"Zx"}\n', "This is JSON, not a spreadsheet. Save it as .xlsx or .csv."],
    ["NULs", "name\0\0x", "The file is damaged or is not a spreadsheet"],
  ])("%s", async (_, text, message) => {
    expect(await refusal("a.csv", text)).toBe(message);
  });
});

describe(".xlsx", () => {
  it("is read with its texts, numbers, booleans, formulas and blanks where they stand", async () => {
    const sheet = `<worksheet><sheetData>
      <row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>
      <row r="4"><c r="B4" t="str"><f>1+1</f><v>two</v></c><c r="D4"><v>29.989999999999998</v></c><c r="E4" t="b"><v>1</v></c></row>
      <row r="1048576"><c r="XFD1048576" s="1"/></row></sheetData></worksheet>`;
    const strings =
      "<sst><si><t>name</t></si><si><r><t>pri</t></r><r><t>ce_x0041_</t></r><rPh><t>no</t></rPh></si></sst>";
    const rels = `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="/xl/worksheets/sheet1.xml"/><Relationship Id="rId2" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>`;
    const file = xlsx(sheet, { "xl/sharedStrings.xml": strings, "xl/_rels/workbook.xml.rels": rels });
    expect(await readSheet("a.xlsx", file)).toMatchObject({
      headers: ["name", "priceA"],
      rows: [{ line: 4, cells: ["", "two", "", 29.99, "TRUE"] }],
      name: "Stock",
      delimiter: null,
    });
  });

  it("is read from its first sheet that isn't hidden", async () => {
    const workbook = `<workbook xmlns:r="r"><sheets><sheet name="Lists" state="hidden" r:id="rId9"/><sheet name="Stock" r:id="rId1"/></sheets></workbook>`;
    const file = xlsx(sheetXml([["name"], ["Mug"]]), { "xl/workbook.xml": workbook });
    expect((await readSheet("a.xlsx", file)).name).toBe("Stock");
  });

  const sheet = "xl/worksheets/sheet1.xml";
  const simple = xlsx(sheetXml([["name"], ["Mug"]]));
  const bomb = xlsx(`<worksheet><sheetData>${" ".repeat(60_000_000)}</sheetData></worksheet>`);
  const wide = `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c></row>
    <row r="2"><c r="A2" t="inlineStr"><is><t>Mug</t></is></c><c r="ZZZZZ2"><v>1</v></c><c r="XFD2"><v>1</v></c></row></sheetData></worksheet>`;
  const far = Array.from({ length: 20_000 }, () => `<row><c r="ALL1"><v>1</v></c></row>`).join("");
  const entries = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`f${i}`, new Uint8Array(0)]));

  it.each([
    [
      "another zip",
      zipSync({ "a.txt": strToU8("a") }),
      "This is a zip file, not a spreadsheet. Save it as .xlsx or .csv.",
    ],
    [
      "HTML",
      strToU8("<!DOCTYPE html><p>x"),
      "This is a web page, not a spreadsheet. Save it as .xlsx or .csv.",
    ],
    ["10,000 entries", zipSync(entries), "The file holds more than 1,000 entries"],
    ["60 MB that say so", bomb, "The spreadsheet unpacks to more than 50 MB"],
    [
      "60 MB that claim to be 1,000 bytes",
      lyingAbout(bomb, sheet, 1000),
      "The file is damaged or is not a spreadsheet",
    ],
    [
      "60 MB that claim to be 40",
      lyingAbout(bomb, sheet, 40_000_000),
      "The file is damaged or is not a spreadsheet",
    ],
    ["half of a file", simple.slice(0, simple.length / 2), "The file is damaged or is not a spreadsheet"],
    [
      "XML that isn't closed",
      xlsx("<worksheet><sheetData><row>"),
      "The file is damaged or is not a spreadsheet",
    ],
    [
      "an entity of its own",
      xlsx('<!DOCTYPE x [<!ENTITY a "b">]><worksheet>&a;</worksheet>'),
      "The file is damaged or is not a spreadsheet",
    ],
    ["cells a million columns out", xlsx(wide), "was read: 1 rows"],
    [
      "20,000 rows of a single far cell",
      xlsx(
        `<worksheet><sheetData><row><c t="inlineStr"><is><t>name</t></is></c></row>${far}</sheetData></worksheet>`,
      ),
      "The file has more than 6,000,000 cells, blank ones included",
    ],
    [
      "1,001 columns",
      xlsx(sheetXml([["name", ...Array.from({ length: 1000 }, (_, at) => `c${at}`)], ["x"]])),
      "The file has more than 1,000 columns",
    ],
    [
      "120,001 rows",
      xlsx(
        `<worksheet><sheetData><row><c t="inlineStr"><is><t>name</t></is></c></row>${Array.from({ length: 120_001 }, (_, i) => `<row><c><v>${i}</v></c></row>`).join("")}</sheetData></worksheet>`,
      ),
      "The file has more than 120,000 rows",
    ],
    ["no rows", xlsx(sheetXml([])), "The file is empty"],
  ])("%s", async (_, bytes, message) => {
    expect(await refusal("a.xlsx", bytes)).toBe(message);
  });
});

/** Price and stock as the German sheet shows them. */
const SAVED_AS_TEXT = [
  ["12,50", "1.200"],
  ["1.299,00", "7"],
  ["9,90", "0"],
  ["", "3"],
] as const;

describe(".xls and others", () => {
  it("reads what LibreOffice saved, in each of the three formats", async () => {
    const rows = [
      [
        "Schlüsselanhänger",
        "Aus Messing, graviert",
        12.5,
        1200,
        "Engraving",
        "Gold, Silber",
        "https://bilder.example/a.jpg",
      ],
      [
        "Tasse „Köln“",
        "Zwei Zeilen:\ndie zweite",
        1299,
        7,
        "home decor",
        "Weiß",
        "https://bilder.example/b.jpg, https://bilder.example/c.jpg",
      ],
      ["Hülle für Handy", "", 9.9, 0, "Phone-Case"],
      ["Ohne Preis", "", "", 3, "OTHERS"],
    ];
    expect(await cells(readSheet("a.xlsx", decoded("xlsx")))).toEqual(rows);
    expect(await cells(readSheet("a.xls", decoded("xls")))).toEqual(rows);
    const text = await cells(readSheet("a.csv", decoded("csv")));
    expect(text).toEqual(
      rows.map((row, place) =>
        [...row.slice(0, 2), ...(SAVED_AS_TEXT[place] ?? []), ...row.slice(4), "", ""].slice(0, 7),
      ),
    );
  });

  it.each([
    ["half of a .xls", "a.xls", decoded("xls").slice(0, 3000)],
    ["the head of a .xls alone", "a.xls", decoded("xls").slice(0, 512)],
    [
      "a .xls with noise after its head",
      "a.xls",
      decoded("xls").map((byte, at) => (at < 512 ? byte : (byte * 7) & 255)),
    ],
  ])("%s", async (_, name, bytes) => {
    expect(await refusal(name, bytes)).toMatch(/^The file is (?:damaged or is not a spreadsheet|empty)$/);
  });

  it.each([
    ["letters of a zip", "a.xlsx", "PKxx"],
    ["the end of an empty zip", "a.xlsx", `PK\x05\x06${"\0".repeat(18)}`],
    ["a line of text", "a.xls", "The export has failed"],
    ["a picture", "a.csv", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01"],
    ["text and compressed bytes", "a.csv", `%PDF-1.4\n1 0 obj\n${"\x01\x02\x9c\x14ab".repeat(40)}`],
  ])("%s named %s is no spreadsheet", async (_, name, bytes) => {
    expect(
      await refusal(
        name,
        Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)),
      ),
    ).toBe("The file is damaged or is not a spreadsheet");
  });

  it("reads text that a program saved as a workbook", async () => {
    for (const name of ["a.xlsx", "a.xls"])
      expect(await cells(readSheet(name, strToU8("name\tprice\nMug\t5\n")))).toEqual([["Mug", "5"]]);
  });

  it("refuses other names", async () => {
    for (const name of ["a.pdf", "a.ods", "a.exe", "csv"])
      expect(await refusal(name, "name\nx")).toBe("Only .csv, .tsv, .txt, .xlsx and .xls files can be read");
  });
});
