import { env } from "cloudflare:workers";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SPREADSHEETS } from "../fixtures/spreadsheets";
import { manager } from "../support/people";
import { importFile, planFile, productsByName } from "../support/product-import";
import { call } from "../support/shop";
import { sheetXml, xlsx } from "../support/spreadsheets";

let token = "";
beforeAll(async () => {
  token = (await manager()).token;
});
beforeEach(() => env.DB.exec("DELETE FROM products; DELETE FROM import_runs"));

/** Imports a file and downloads its rejected rows. */
async function rejectedRowsOf(content: BlobPart, name: string, choices?: unknown) {
  await importFile(token, content, { name, choices });
  const run = await env.DB.prepare("SELECT id FROM import_runs ORDER BY rowid DESC LIMIT 1").first<string>(
    "id",
  );
  const answer = await call(`/admin/products-management/rejected/${run}`, { token });
  const fileName = answer.headers.get("Content-Disposition")?.match(/filename="(.*)"/)?.[1] ?? "";
  return { answer, fileName, bytes: new Uint8Array(await answer.arrayBuffer()) };
}

const SHEET = "xl/worksheets/sheet1.xml";
const xmlOf = (bytes: Uint8Array) => strFromU8(unzipSync(bytes)[SHEET] ?? new Uint8Array());

/** Replaces a text in the sheet of a .xlsx. */
function corrected(bytes: Uint8Array, from: string, to: string): Uint8Array<ArrayBuffer> {
  const xml = xmlOf(bytes);
  expect(xml).toContain(from);
  const files = { ...unzipSync(bytes), [SHEET]: strToU8(xml.replaceAll(from, to)) };
  return zipSync(files) as Uint8Array<ArrayBuffer>;
}

describe("rejected rows of a spreadsheet", () => {
  const rows = [
    ["Note", "Name", "Price", "Stock"],
    ["=1+1", "Mug", "free", 1200],
    ["", "Cup", 6.5, 3],
    ["@home & <away>", " Jar & Lid ", "free", -3],
  ];

  it("become a .xlsx of the same columns, with numbers and without formulas", async () => {
    const { answer, fileName, bytes } = await rejectedRowsOf(xlsx(sheetXml(rows)), "stock list.xlsx");
    expect([answer.headers.get("Content-Type"), fileName]).toEqual([
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      "rejected-stock-list.xlsx",
    ]);
    const xml = xmlOf(bytes);
    expect(xml).not.toContain("<f>");
    expect(xml).toContain(">'=1+1<");
    expect(xml).toContain(">'@home &amp; &lt;away&gt;<");
    expect(xml).toContain("<v>1200</v>");
    expect(xml).toContain(">error<");
    expect(xml).toContain("Price “free” is not a price");
    expect(xml).not.toContain("Cup");
  });

  it("can be imported again after correction", async () => {
    const { bytes } = await rejectedRowsOf(xlsx(sheetXml(rows)), "a.xlsx");
    const again = corrected(corrected(bytes, ">free<", ">12,50<"), "<v>-3</v>", "<v>4</v>");
    expect(await importFile(token, again, { name: "a.xlsx" })).toMatchObject({ created: 2, errors: 0 });
    expect(await productsByName()).toMatchObject({
      Mug: { price: 12.5, stock: 1200 },
      "Jar & Lid": { stock: 4 },
    });
  });

  it("become a .xlsx for a .xls", async () => {
    const xls = Uint8Array.from(atob(SPREADSHEETS.xls), (letter) => letter.charCodeAt(0));
    const { fileName, bytes } = await rejectedRowsOf(xls, "lager.xls");
    expect(fileName).toBe("rejected-lager.xlsx");
    expect(xmlOf(bytes)).toContain("Ohne Preis");
    const again = corrected(bytes, "<c/><c><v>3</v></c>", "<c><v>5</v></c><c><v>3</v></c>");
    expect(await importFile(token, again, { name: "a.xlsx" })).toMatchObject({ created: 1, errors: 0 });
  });
});

describe("rejected rows of text", () => {
  const text = async (content: string, name = "a.csv", choices?: unknown) => {
    const { bytes, fileName } = await rejectedRowsOf(content, name, choices);
    return { fileName, text: new TextDecoder().decode(bytes) };
  };

  it.each([
    [";", "name;price\r\nMug;gratis, free\r\n"],
    ["\t", "name\tprice\r\nMug\tgratis, free\r\n"],
    ["|", "name|price\r\nMug|gratis, free\r\n"],
  ])("keep the delimiter %j", async (delimiter, file) => {
    const { text: csv } = await text(file);
    expect(csv.split("\r\n")[0]).toBe(`name${delimiter}price${delimiter}error`);
    const again = csv.replace("gratis, free", "5,20");
    expect(await importFile(token, again)).toMatchObject({ created: 1, errors: 0 });
    expect((await productsByName()).Mug?.price).toBe(5.2);
  });

  it("of another shop keep its columns and all rows of the product", async () => {
    const head = "Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant Inventory Qty,Image Src";
    const { text: csv } = await text(
      `${head}\nmug,+Mug,Color,Red,free,2,\nmug,,,Blue,,3,\ncup,Cup,,,5,1,\n`,
      "products_export.csv",
    );
    const lines = csv.trim().split("\r\n");
    expect(lines[0]).toBe(`${head},error`);
    expect(lines.slice(1).map((line) => line.slice(0, 9))).toEqual(["mug,\"'+Mu", "mug,,,Blu"]);
    expect(await importFile(token, csv.replace(",free,", ",9.90,"))).toMatchObject({ created: 1, errors: 0 });
    expect((await productsByName())["+Mug"]).toMatchObject({ price: 9.9, stock: 5, colors: ["Red", "Blue"] });
  });

  it("are read with the mapping of their file despite the additional column", async () => {
    const choices = { columns: ["price", "name"], categories: {} };
    const { text: csv } = await text("A,B\nfree,Mug\n", "a.csv", choices);
    const plan = await planFile(token, csv.replace("free", "5"));
    expect(plan).toMatchObject({
      remembered: true,
      mapping: ["price", "name", null],
      rows: [{ product: "Mug", action: "create" }],
    });
  });
});
