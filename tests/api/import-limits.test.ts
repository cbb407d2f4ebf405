import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { manager, readAnswer } from "../support/people";
import { commit, importFile } from "../support/product-import";
import { call } from "../support/shop";
import { sheetXml, xlsx } from "../support/spreadsheets";

let token = "";
beforeAll(async () => {
  token = (await manager()).token;
});
beforeEach(() => env.DB.exec("DELETE FROM products"));

async function send(content: BlobPart, name: string) {
  const answer = await commit(token, { content, name });
  return { status: answer.status, ...(await readAnswer(answer)) } as Record<string, unknown>;
}

describe("hostile files", () => {
  it("rejects a .xlsx whose cells repeat one long text beyond the limit of characters", async () => {
    const rels = `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>`;
    const sheet = (cell: string) =>
      `<worksheet><sheetData><row><c t="inlineStr"><is><t>name</t></is></c><c t="inlineStr"><is><t>description</t></is></c></row>${`<row>${cell}${cell}</row>`.repeat(5000)}</sheetData></worksheet>`;
    const bomb = xlsx(sheet('<c t="s"><v>0</v></c>'), {
      "xl/sharedStrings.xml": `<sst><si><t>${"long text ".repeat(20_000)}</t></si></sst>`,
      "xl/_rels/workbook.xml.rels": rels,
    });
    expect(bomb.length).toBeLessThan(200_000);
    expect(await send(bomb, "a.xlsx")).toMatchObject({
      status: 413,
      message: "The file holds more than 16 million characters",
    });
  });

  it("rejects descriptions with more than 500 tags, and accepts one that is a tag alone", async () => {
    const rows = Array.from({ length: 400 }, (_, i) => `Mug ${i},5,${"<p>a".repeat(4800)}`);
    const answer = await send(`name,price,description\n${rows.join("\n")}`, "a.csv");
    expect(answer).toMatchObject({ status: 200, created: 0, errors: 400 });
    expect(await send(`name,price,description\n${"Mug,5,<b>\n".repeat(3)}`, "a.csv")).toMatchObject({
      created: 1,
    });
  });

  it("rejects a description that gets too long when sanitised, in files and in the API", async () => {
    const description = "&".repeat(19_000);
    expect(await send(`name,price,description\nMug,5,${description}`, "a.csv")).toMatchObject({ errors: 1 });
    const answer = await call("/api/product", {
      json: { name: "Mug", price: 5, category: "OTHERS", description },
      token,
    });
    expect([answer.status, (await readAnswer(answer)).details]).toEqual([
      400,
      [{ path: "description", message: "Must be at most 20,000 characters" }],
    ]);
  });
});

describe("ambiguous and malformed rows", () => {
  const errors = async (content: BlobPart, name = "a.csv") =>
    (await importFile(token, content, { name })).errorDetails.map(({ row, error }) => [
      row,
      error.split(". ")[0],
    ]);

  it("rejects more cells than columns", async () => {
    expect(await errors("name,price,stock\nMug,12,50,4\nCup,12\nJar,5,1,,\n")).toEqual([
      [2, "The row has 4 cells, the file 3 columns"],
    ]);
  });

  it("rejects only the row that contains a NUL", async () => {
    expect(await errors(`name,price\nMug\0,5\n${"Cup,6\n".repeat(300)}`)).toEqual([
      [2, expect.stringContaining("Contains characters that are not allowed")],
    ]);
  });

  it("rejects a stock of either thousands or three decimals", async () => {
    expect(await errors("name,price,stock\nMug,5,1.000\nCup,5,1200\n")).toEqual([
      [2, "Stock “1.000” can mean thousands or decimals"],
    ]);
  });

  it("rejects a row with a failed formula", async () => {
    const sheet = sheetXml([["name", "price"]]).replace(
      "</sheetData>",
      '<row><c t="e"><v>#REF!</v></c><c><v>5</v></c></row></sheetData>',
    );
    expect(await errors(xlsx(sheet), "a.xlsx")).toEqual([[2, "A cell shows the error #REF!"]]);
  });

  it("rejects two files in one request", async () => {
    const form = new FormData();
    for (const name of ["a.csv", "b.csv"]) form.append("file", new File(["name,price\nMug,5"], name));
    const answer = await call("/api/product/bulk-upload", { body: form, token });
    expect([answer.status, (await readAnswer(answer)).message]).toEqual([
      400,
      "Validation error: file: Send one file at a time",
    ]);
  });
});
