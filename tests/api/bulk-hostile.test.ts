import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { manager, readAnswer } from "../support/people";
import { productsByName, sendFile, uploaded } from "../support/product-import";
import { sheetXml, xlsx } from "../support/sheets";
import { addProduct, call } from "../support/shop";

let token = "";
beforeAll(async () => {
  token = (await manager()).token;
});
beforeEach(() => env.DB.exec("DELETE FROM products"));

/** What a file is answered, and that it is soon: generous, for machines that do other things too. */
async function soon(content: BlobPart, name: string) {
  const started = Date.now();
  const answer = await sendFile(token, content, name);
  expect(Date.now() - started, "milliseconds").toBeLessThan(8000);
  return { status: answer.status, ...(await readAnswer(answer)) } as Record<string, unknown>;
}

describe("files that were made to burst", () => {
  it("a .xlsx whose cells all say one long text is refused for all that they say", async () => {
    const rels = `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>`;
    const sheet = (cell: string) =>
      `<worksheet><sheetData><row><c t="inlineStr"><is><t>name</t></is></c><c t="inlineStr"><is><t>description</t></is></c></row>${`<row>${cell}${cell}</row>`.repeat(5000)}</sheetData></worksheet>`;
    const bomb = xlsx(sheet('<c t="s"><v>0</v></c>'), {
      "xl/sharedStrings.xml": `<sst><si><t>${"long text ".repeat(20_000)}</t></si></sst>`,
      "xl/_rels/workbook.xml.rels": rels,
    });
    expect(bomb.length).toBeLessThan(200_000);
    expect(await soon(bomb, "a.xlsx")).toMatchObject({
      status: 413,
      message: "The file holds more than 16 million characters",
    });
  });

  it("descriptions of tags alone cost no more than a look", async () => {
    const rows = Array.from({ length: 400 }, (_, i) => `Mug ${i},5,${"<p>a".repeat(4800)}`);
    const answer = await soon(`name,price,description\n${rows.join("\n")}`, "a.csv");
    expect(answer).toMatchObject({ status: 200, created: 0, errors: 400 });
    expect(await soon(`name,price,description\n${"Mug,5,<b>\n".repeat(3)}`, "a.csv")).toMatchObject({
      created: 1,
    });
  });

  it("a description that would be too long once it is clean is refused, there and in the API", async () => {
    const description = "&".repeat(19_000);
    expect(await soon(`name,price,description\nMug,5,${description}`, "a.csv")).toMatchObject({ errors: 1 });
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

describe("rows that say what they can't mean", () => {
  const why = async (content: BlobPart, name = "a.csv") =>
    (await uploaded(token, content, name)).errorDetails.map(({ row, error }) => [row, error.split(". ")[0]]);

  it("more cells than columns", async () => {
    expect(await why("name,price,stock\nMug,12,50,4\nCup,12\nJar,5,1,,\n")).toEqual([
      [2, "The row has 4 cells, the file 3 columns"],
    ]);
  });

  it("a NUL is one row's matter", async () => {
    expect(await why(`name,price\nMug\0,5\n${"Cup,6\n".repeat(300)}`)).toEqual([
      [2, expect.stringContaining("Contains characters that are not allowed")],
    ]);
  });

  it("a stock of thousands, or of three decimals", async () => {
    expect(await why("name,price,stock\nMug,5,1.000\nCup,5,1200\n")).toEqual([
      [2, "Stock “1.000” could be read in two ways"],
    ]);
  });

  it("a cell whose formula came to nothing", async () => {
    const sheet = sheetXml([["name", "price"]]).replace(
      "</sheetData>",
      '<row><c t="e"><v>#REF!</v></c><c><v>5</v></c></row></sheetData>',
    );
    expect(await why(xlsx(sheet), "a.xlsx")).toEqual([[2, "A cell shows the error #REF!"]]);
  });

  it("two files at once", async () => {
    const form = new FormData();
    for (const name of ["a.csv", "b.csv"]) form.append("file", new File(["name,price\nMug,5"], name));
    const answer = await call("/api/product/bulk-upload", { body: form, token });
    expect([answer.status, (await readAnswer(answer)).message]).toEqual([
      400,
      "Validation error: file: Send one file at a time",
    ]);
  });
});

describe("the columns of a file", () => {
  async function plan(content: string, choices?: unknown): Promise<Record<string, unknown>> {
    const form = new FormData();
    form.append("file", new File([content], "a.csv"));
    if (choices) form.append("choices", JSON.stringify(choices));
    return (await call("/admin/products-management/plan", { body: form, token })).json();
  }
  const shopify = [
    "Handle,Title,Type,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant Price,Variant Inventory Qty,Variant Compare At Price,Image Src",
    "mug,Mug,Kitchen,Color,Red,Size,S,9,2,12,https://a.example/1.jpg",
    "mug,,,,Blue,,L,9.50,3,,",
  ].join("\n");

  it("of another shop's export are shown, and one of them can be taken for another", async () => {
    const guessed = await plan(shopify);
    const mapping = guessed.mapping as (string | null)[];
    expect(mapping).toEqual([
      null,
      "name",
      "category",
      null,
      "colors",
      null,
      null,
      "price",
      "stock",
      null,
      "imageUrls",
    ]);
    const columns = mapping.map((field, place) =>
      place === 7 || place === 4 ? null : place === 9 ? "price" : place === 6 ? "colors" : field,
    );
    await uploaded(token, shopify, "products_export.csv", { columns, categories: {} });
    expect((await productsByName()).Mug).toMatchObject({ price: 12, stock: 5, colors: ["S", "L"] });
    expect(await plan(shopify)).toMatchObject({ remembered: true, mapping: columns });
  });

  it("that nobody has said anything of are not told to be remembered", async () => {
    await uploaded(token, "name,price,category\nMug,5,Trinkets", "a.csv", {
      categories: { Trinkets: "JEWELRY" },
    });
    expect(await plan("name,price,category\nCup,5,Trinkets")).toMatchObject({
      remembered: false,
      rows: [{ does: "create", what: "Jewelry, $5.00, 0 in stock" }],
    });
  });

  it("can be named without a script, and are remembered there, too", async () => {
    const send = async (content: string, names: Record<string, string>) => {
      const form = new FormData();
      form.append("intent", "bulkUpload");
      form.append("file", new File([content], "a.csv"));
      for (const [field, name] of Object.entries(names)) form.append(`column-${field}`, name);
      return call("/admin/products-management?dialog=bulk-upload", { body: form, token });
    };
    const file = "Ding;VK;Lager\nTasse;12,50;3\n";
    const refused = await send(file, { name: "Ware" });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("The file has no column “Ware”");
    expect((await send(file, { name: "ding", price: "VK" })).status).toBe(303);
    expect((await productsByName()).Tasse).toMatchObject({ price: 12.5, stock: 3 });
    expect((await send(file.replace("12,50", "13"), {})).status).toBe(303);
    expect((await productsByName()).Tasse).toMatchObject({ price: 13 });
  });

  it("Titel, Preis and the like are known", async () => {
    expect(await uploaded(token, "Titel;Preis;Bestand\nTasse;12,50;3\n")).toMatchObject({ created: 1 });
  });
});

describe("the dry run", () => {
  it("promises of a name that stands twice what storing does", async () => {
    await addProduct({ name: "Mug", priceCents: 600 });
    const form = new FormData();
    form.append("file", new File(["name,price\nMug,5\nMug,6\n"], "a.csv"));
    const { rows } = await (await call("/admin/products-management/plan", { body: form, token })).json<{
      rows: { does: string }[];
    }>();
    expect(rows.map(({ does }) => does)).toEqual(["skip", "skip"]);
    expect(await uploaded(token, "name,price\nMug,5\nMug,6\n")).toMatchObject({ created: 0, updated: 0 });
  });

  it("gives its refused rows as a file", async () => {
    const form = new FormData();
    form.append("file", new File(["name;price\nMug;5\nCup;\n"], "list.csv"));
    const answer = await call("/admin/products-management/refused", { body: form, token });
    expect(answer.headers.get("Content-Disposition")).toBe('attachment; filename="refused-list.csv"');
    expect(await answer.text()).toMatch(/name;price;error\r\nCup;;Price is empty/);
    expect(await productsByName()).toEqual({});
  });
});
