import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SPREADSHEETS } from "../fixtures/spreadsheets";
import { manager, readAnswer } from "../support/people";
import { commit, importFile, planFile, productsByName } from "../support/product-import";
import { addProduct, call, storeImages } from "../support/shop";

let token = "";
beforeAll(async () => {
  token = (await manager()).token;
  await storeImages("products/new.jpg", "products/q.jpg");
});
beforeEach(() => env.DB.exec("DELETE FROM products"));

const upload = (content: BlobPart, name?: string, choices?: unknown) =>
  importFile(token, content, { name, choices });
const decoded = (name: keyof typeof SPREADSHEETS) =>
  Uint8Array.from(atob(SPREADSHEETS[name]), (letter) => letter.charCodeAt(0));

describe("POST product/bulk-upload", () => {
  it("stores valid rows and reports the others, the headers being row 1", async () => {
    const result = await upload(
      [
        "Stock,NAME,price,category,colors,imageUrls,description",
        '12,Walnut board,$64.00,home decor,"Walnut, Oak, walnut","https://a.example/1.jpg, https://a.example/2,3.jpg",<p>Hand<script>x</script>made</p>',
        ',Slate coaster,"1,299.00",,,,',
        "1,,5,OTHERS,,,",
        "1,Silver ring,free,JEWELRY,,,",
        "-3.5,Cup,5,OTHERS,,,",
        "many,Jar,-1,Gadgets,,ftp://x,",
      ].join("\n"),
    );
    expect(result).toMatchObject({ created: 2, updated: 0, errors: 4 });
    expect(result.message).toBe("2 created, 0 updated, 4 rejected");
    expect(
      result.errorDetails.map(({ row, product, error }) => [row, product, error.split(". ")[0]]),
    ).toEqual([
      [4, "", "Name is empty"],
      [5, "Silver ring", "Price “free” is not a price"],
      [6, "Cup", "Stock “-3.5” is not a whole number"],
      [7, "Jar", "Price “-1” is not above 0"],
    ]);
    expect(result.errorDetails[3]?.error).toMatch(
      /Stock “many” is not a number.*Category “Gadgets” is not one of the nine.*Images: “ftp:\/\/x”/s,
    );
    const products = await productsByName();
    expect(products["Walnut board"]).toMatchObject({
      price: 64,
      stock: 12,
      category: "HOME_DECOR",
      colors: ["Walnut", "Oak"],
      imageUrls: ["https://a.example/1.jpg", "https://a.example/2,3.jpg"],
      description: "<p>Handmade</p>",
    });
    expect(products["Slate coaster"]).toMatchObject({
      price: 1299,
      stock: 0,
      category: "OTHERS",
      colors: [],
    });
  });

  it("updates the product of the same name, ignoring case, and keeps values of blank cells", async () => {
    await addProduct({
      name: "Blue mug",
      priceCents: 500,
      stock: 7,
      category: "HOME_DECOR",
      colors: ["Blue"],
      description: "<p>Old</p>",
    });
    const result = await upload("name,price,stock,colors\n  BLUE mug ,9.50,,\nNew,,,\n");
    expect(result).toMatchObject({ created: 0, updated: 1, errors: 1 });
    expect(result.errorDetails).toEqual([
      { row: 3, product: "New", error: "Price is empty. A new product needs one, such as 161.50" },
    ]);
    expect((await productsByName())["Blue mug"]).toMatchObject({
      price: 9.5,
      stock: 7,
      colors: ["Blue"],
      description: "<p>Old</p>",
      category: "HOME_DECOR",
    });
  });

  it("updates stock without a price column", async () => {
    await addProduct({ name: "Mug", stock: 1 });
    expect(await upload("name;stock\nMug;30")).toMatchObject({ updated: 1, errors: 0 });
    expect((await productsByName()).Mug?.stock).toBe(30);
  });

  it("merges rows of the same name, the later over the earlier", async () => {
    const file = "name,price,stock,category\nMug,6,1,Jewelry\nmug,6,,Others\nMUG,,,Others\n";
    expect(await upload(file)).toMatchObject({ created: 1, updated: 0, errors: 0 });
    expect(await upload(file)).toMatchObject({ created: 0, updated: 0, errors: 0 });
    const { message } = await upload(file.replaceAll(",6,", ",7,"));
    expect(message).toBe("0 created, 1 updated, 2 skipped");
    expect(Object.values(await productsByName())).toMatchObject([
      { name: "Mug", price: 7, stock: 1, category: "OTHERS" },
    ]);
  });

  describe.each([
    [
      "was added by the shop",
      (name: string) => call("/api/product", { token, json: { name, price: 5, category: "OTHERS" } }),
    ],
    ["has the key of an earlier version", (name: string) => addProduct({ name, priceCents: 500 })],
  ])("of a product that %s", (_, add) => {
    it.each([
      ["Maker’s mug", "Maker's MUG"],
      ["Maker's mug", "Maker‘s mug"],
      ["A–B mug", "A-B mug"],
      ["A-B mug", "A\u2011B mug"],
      ["6” ruler", '6"" ruler'],
      ["ＡＢＣ mug", "abc mug"],
      ["ﬁne mug", "Fine mug"],
      ["Blue  mug", "Blue mug"],
      ["Blue mug", " Blue\u00a0 mug"],
      ["So\u00adft mug\u200b", "Soft mug"],
      ["Café", "Cafe\u0301"],
      ["Straße", "STRASSE"],
    ])("%s, the name %s is the same", async (stored, name) => {
      await add(stored);
      const rows = `name,price\n"${name}",9\n"${stored.replaceAll('"', '""')}",9\n`;
      expect((await planFile(token, rows)).rows).toMatchObject([{ action: "skip" }, { action: "update" }]);
      expect(await upload(rows)).toMatchObject({ created: 0, updated: 1, errors: 0 });
      expect(await upload(rows)).toMatchObject({ created: 0, updated: 0, errors: 0 });
      expect(await upload(`id,name,price\n7,"${name}",8\n`)).toMatchObject({ created: 0, updated: 1 });
      expect(Object.values(await productsByName())).toMatchObject([{ price: 8 }]);
      const unsorted = await env.DB.prepare("SELECT sort_key FROM products WHERE sort_key LIKE '% '").all();
      expect(unsorted.results).toEqual([]);
    });
  });

  it.each([
    ["Café", "Cafe"],
    ["A-B mug", "A B mug"],
    ["Mug 07", "Mug 7"],
  ])("tells %s and %s apart", async (stored, name) => {
    await addProduct({ name: stored });
    expect(await upload(`name,price\n${name},9\n`)).toMatchObject({ created: 1, updated: 0 });
  });

  it("keeps alternative texts with their images", async () => {
    const id = await addProduct({
      name: "Pair",
      imageUrls: ["minio:a", "minio:b"],
      imageAlts: ["First", "Second"],
    });
    await upload('name,imageUrls\nPair,"minio:products/new.jpg, minio:b"');
    const row = await env.DB.prepare("SELECT image_alts FROM products WHERE id = ?").bind(id).first();
    expect(row?.image_alts).toBe('["Pair","Second"]');
  });

  it("updates search, counters and images in use", async () => {
    await upload("name,price,category,imageUrls\nQuetzal brooch,5,Jewelry,minio:products/q.jpg");
    expect(await (await call("/api/product/all?search=quetzal")).json()).toHaveLength(1);
    expect((await call("/api/product/all?category=JEWELRY")).headers.get("X-Total-Count")).toBe("1");
    const inUse = await env.DB.prepare("SELECT key FROM product_images WHERE key LIKE 'products/q%'").first(
      "key",
    );
    expect(inUse).toBe("products/q.jpg");
  });

  it.each(["xlsx", "xls", "csv"] as const)("reads a German .%s of LibreOffice", async (format) => {
    expect(await upload(decoded(format), `lager.${format}`)).toMatchObject({ created: 3, errors: 1 });
    expect(await productsByName()).toMatchObject({
      Schlüsselanhänger: { price: 12.5, stock: 1200, category: "ENGRAVING", colors: ["Gold", "Silber"] },
      "Tasse „Köln“": { price: 1299, stock: 7, description: "<p>Zwei Zeilen:<br />die zweite</p>" },
      "Hülle für Handy": { price: 9.9, category: "PHONE_CASE" },
    });
  });
});

describe("rejected files", () => {
  it.each([
    [
      "no header",
      "Mug,5\nCup,6",
      "a.csv",
      400,
      "The first row must name the columns: none of them is “name”",
    ],
    ["a header twice", "name,price,Price\nMug,5,6", "a.csv", 400, "The column “price” appears twice"],
    ["no rows", "name,price\n\n", "a.csv", 400, "The file has no rows below its headers"],
    ["nothing in it", "", "a.csv", 400, "The file is empty"],
    [
      "20,001 rows",
      `name,price\n${"Mug,5\n".repeat(20_001)}`,
      "a.csv",
      413,
      "The file has more than 20,000 rows",
    ],
    [
      "HTML named .xlsx",
      "<html><p>x",
      "a.xlsx",
      415,
      "This is a web page, not a spreadsheet. Save it as .xlsx or .csv.",
    ],
    ["another kind", "%PDF", "a.pdf", 415, "Only .csv, .tsv, .txt, .xlsx and .xls files can be read"],
  ])("%s", async (_, content, name, status, message) => {
    const answer = await commit(token, { content, name });
    expect([answer.status, (await readAnswer(answer)).message]).toEqual([status, message]);
  });

  it("rejects a missing file, more than 10 MB, and other bodies", async () => {
    const without = await call("/api/product/bulk-upload", { body: new FormData(), token });
    expect([without.status, (await readAnswer(without)).details]).toEqual([
      400,
      [{ path: "file", message: "Please select a file to upload" }],
    ]);
    expect((await commit(token, { content: new Uint8Array(11 * 1024 * 1024) })).status).toBe(413);
    expect((await call("/api/product/bulk-upload", { json: {}, token })).status).toBe(415);
    expect(
      (await commit(token, { content: "name\nx", name: "a.csv" }, { choices: { columns: ["nope"] } })).status,
    ).toBe(400);
  });
});
