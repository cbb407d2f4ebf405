import { describe, expect, it } from "vitest";
import { readImport as read } from "../../../tests/support/read-import";
import type { MappingChoices } from "./layouts/recognise";
import { NO_READING } from "./sheet";
import { xlsxFile } from "./xlsx-file.server";

const prices = async (name: string, choices?: Partial<MappingChoices>) =>
  (await read(name, choices)).products.map(({ name, price }) => [name, price]);

describe("columns that are not taken over", () => {
  it("are named, of another shop's export without those that its layout reads", async () => {
    expect((await read("shopify_sametitle.csv")).unread).toEqual(["Vendor"]);
    expect((await read("cost_price.csv")).unread).toContain("Cost Price");
    expect((await read("buy_sell.csv")).unread, "before the price is chosen").toEqual([]);
  });

  it.each([
    ["id,name,price,weight\n7,Mug,5,2", ["weight"]],
    ["Handle,name,price,id\nmug,Mug,5,7", ["id"]],
    ["name,price,currency,weight\nMug,5,CAD,2", ["weight"]],
    ["name,price,sku,ean,option1 name,option1 value\nMug,5,M,4,Size,L", []],
  ])("of %j are %j: a key, a currency, codes and options are read", async (text, unread) => {
    expect((await read("a.csv", {}, new TextEncoder().encode(text))).unread).toEqual(unread);
  });
});

describe("the price column", () => {
  it.each([
    [
      "buy_sell.csv",
      [
        ["Buy Price", "cost"],
        ["Sell Price", "synonym"],
      ],
      "Sell Price",
      1800,
    ],
    [
      "avg_price.csv",
      [
        ["Avg Price", "uncertain"],
        ["Our Price", "uncertain"],
      ],
      "Our Price",
      1800,
    ],
    [
      "net_gross.csv",
      [
        ["PriceNet", "uncertain"],
        ["PriceGross", "synonym"],
      ],
      "PriceGross",
      1800,
    ],
    [
      "medusa_min.csv",
      [
        ["Price EUR", "uncertain"],
        ["Price CAD", "synonym"],
      ],
      "Price CAD",
      1550,
    ],
  ] as const)("of %s is asked for", async (file, question, chosen, cents) => {
    const asked = await read(file);
    expect([asked.question, asked.products]).toEqual([question, []]);
    expect((await read(file, { names: { price: chosen } })).products[0]?.price).toBe(cents);
    expect((await read(file, { names: { price: "-" } })).products[0]?.price).toBeNull();
  });

  it.each([
    ["cost_price.csv", "Zq Cost", 1800],
    ["priceold.csv", "Zq PO", 1800],
    ["fr_headers.csv", "Zq Fr", 1800],
    ["it_headers.csv", "Zq It", 1800],
    ["leading_lines.csv", "Zq Lead", 500],
    ["merchant_feed.tsv", "Zq Feed Lamp", 1200],
  ])("of %s is certain", async (file, name, cents) => {
    expect(await prices(file)).toEqual([[name, cents]]);
  });

  it.each([
    ["Name,Price EUR", "Cup,5", [["Price EUR", "uncertain"]]],
    [
      "Name,Wholesale price,Recommended price",
      "Cup,5,6",
      [
        ["Wholesale price", "cost"],
        ["Recommended price", "uncertain"],
      ],
    ],
    ["Name,Net price", "Cup,5", [["Net price", "uncertain"]]],
    [
      "Name,Preis netto,Preis brutto",
      "Cup,5,6",
      [
        ["Preis netto", "uncertain"],
        ["Preis brutto", "synonym"],
      ],
    ],
    [
      "Name,Einkaufspreis,Verkaufspreis",
      "Cup,5,6",
      [
        ["Einkaufspreis", "cost"],
        ["Verkaufspreis", "synonym"],
      ],
    ],
    ["Name,Price ($),Price (US$)", "Cup,5,6", [["Price (US$)", "uncertain"]]],
    [
      "Name,Unit price,List price",
      "Cup,5,6",
      [
        ["Unit price", "synonym"],
        ["List price", "uncertain"],
      ],
    ],
  ])("of %s is not guessed", async (headers, row, question) => {
    const { question: asked, products } = await read(
      "a.csv",
      {},
      new TextEncoder().encode(`${headers}\n${row}\n`),
    );
    if (headers.includes("($)")) expect(products[0]?.price).toBe(500);
    else expect(asked).toEqual(question);
  });

  it.each([["Name,Price (CAD)"], ["Name,Price CAD"], ["Name,priceCAD"], ["Name,Unit Price"], ["Name,Preis"]])(
    "of %s is taken by itself",
    async (headers) => {
      const { products } = await read("a.csv", {}, new TextEncoder().encode(`${headers}\nCup,5\n`));
      expect(products[0]?.price).toBe(500);
    },
  );

  it("of a file that has a cost alone is none, and nothing is asked", async () => {
    const { question, products } = await read("a.csv", {}, new TextEncoder().encode("Item,Cost\nCup,5\n"));
    expect([question, products[0]?.price]).toEqual([undefined, null]);
  });
});

describe("decimals", () => {
  it("of three digits are decimals where WooCommerce wrote them, and asked about elsewhere", async () => {
    const woo = new TextEncoder().encode(
      "ID,Type,SKU,Name,Published,Stock,Regular price,Categories\n1,simple,a,Cup,1,2,8.264,Mugs\n",
    );
    const { products } = await read("a.csv", {}, woo);
    expect(products).toMatchObject([
      { name: "Cup", price: 826, notes: expect.arrayContaining(["Price “8.264” was rounded to 8.26"]) },
    ]);
    const other = new TextEncoder().encode("name,price\nCup,1.299\n");
    expect((await read("a.csv", {}, other)).rejected[0]?.[1]).toContain("Price “1.299” is ambiguous");
  });

  it.each([
    [
      "calculated.xlsx",
      [
        ["Zq calc", 1237],
        ["00042", 500],
      ],
      "Price “12.3735” was rounded to 12.37",
    ],
    ["woo_decimals.csv", [["Zq Woo tax", 826]], "Price “8.264463” was rounded to 8.26"],
  ])("of %s are rounded as a spreadsheet shows them", async (file, expected, note) => {
    expect(await prices(file)).toEqual(expected);
    expect((await read(file)).products[0]?.notes).toContain(note);
  });
});

/** Puts a byte that is no UTF-8 between two texts. */
const odd = (before: string, byte: number, after: string) =>
  new Uint8Array([...new TextEncoder().encode(before), byte, ...new TextEncoder().encode(after)]);

describe("text", () => {
  it("with one odd byte stays UTF-8, and its row says so", async () => {
    const { products, reading } = await read("bad_byte.csv");
    expect([products.map(({ name }) => name), reading.encoding]).toEqual([
      ["Zq Café crème", "Zq Théi"].map((n) => n.replace("éi", "é")),
      "utf-8",
    ]);
    expect(products.map(({ notes }) => notes)).toEqual([
      [],
      ["A byte that is not UTF-8 was read as “é”: check the text"],
    ]);
  });

  it("of the old Mac is recognised, with samples", async () => {
    const { products, reading } = await read("macroman_cr.csv");
    expect(products.map(({ name }) => name)).toEqual(["Zq Café", "Zq Brûlée"]);
    expect(reading).toMatchObject({
      encoding: "macintosh",
      isGuessed: true,
      samples: ["Zq Café", "Zq Brûlée"],
    });
    const chosen = await read("macroman_cr.csv", { reading: { ...NO_READING, encoding: "windows-1252" } });
    expect(chosen.products[0]?.name).toBe("Zq CafŽ");
  });

  it("with an odd byte among its headers says so", async () => {
    const bytes = odd("name,price,cat", 0xe9, "gorie\nCafé,5,Thé\n");
    const { reading, sheet } = await read("a.csv", {}, bytes);
    expect([sheet.headers[2], reading.encoding]).toEqual(["catégorie", "utf-8"]);
    expect(reading.headerNotes).toEqual(["A byte that is not UTF-8 was read as “é”: check the text"]);
  });

  it("has its entities decoded once", async () => {
    const { products } = await read("entities.csv");
    expect(products.map(({ name }) => name)).toEqual(["Zq A & B", 'Zq 6" Ruler', "Zq Mom's Mug", "Zq Café"]);
  });

  it("has escaped descriptions unescaped once", async () => {
    const { products } = await read("escaped_html.csv");
    expect(products[0]?.description).toBe("<p>The <b>30-inch</b> display</p>");
  });
});

describe("identity", () => {
  it("makes two products of two handles with one title", async () => {
    expect(
      (await read("shopify_sametitle.csv")).products.map(({ by, price, stock }) => [by, price, stock]),
    ).toEqual([
      ["Handle ring-gold", 50_000, 2],
      ["Handle ring-silver", 5000, 9],
    ]);
  });

  it("leaves a row of totals out with a note", async () => {
    const { products, skipped, rejected } = await read("total_row.csv");
    expect([products, skipped]).toEqual([[], [[3, "Is a row of totals"]]]);
    expect(rejected[0]?.[1]).toContain("Name is empty");
  });
});

describe("sheets, headers and packages", () => {
  it.each([
    ["std.xlsx", "Sheet1", 1, "Zq Book"],
    ["otherdir.xlsx", "Sheet1", 1, "Zq Book"],
    ["backslash.xlsx", "Sheet1", 1, "Zq Book"],
    ["numbers_export.xlsx", "Sheet 1 - Table 1", 1, "Zq Second Sheet"],
    ["empty_first_sheet.xlsx", "Products", 1, "Zq Second Sheet"],
    ["title_rows.xlsx", "Sheet1", 4, "Zq below title"],
    ["leading_lines.csv", null, 4, "Zq Lead"],
  ])("of %s are found", async (file, name, headerRow, product) => {
    const { sheet, reading, products } = await read(file);
    expect([sheet.name, reading.headerRow, products[0]?.name]).toEqual([name, headerRow, product]);
  });

  it.each([0, 1, 2, 3])("leave the rows their numbers below %i lines", async (lines) => {
    const above = [["Export"], [""], [""]].slice(0, lines);
    const rows = [...above, ["name", "price"], ["Line A", "5"], [""], ["Line B", "free"]];
    const text = (delimiter: string) =>
      new TextEncoder().encode(rows.map((cells) => cells.join(delimiter)).join("\n"));
    const files = [
      ["a.csv", text(",")],
      ["a.tsv", text("\t")],
      ["a.xlsx", xlsxFile("Sheet", rows)],
    ] as const;
    for (const [name, bytes] of files) {
      const { reading, sheet, rejected } = await read(name, {}, bytes);
      const numbers = [reading.headerRow, sheet.rows[0]?.line, rejected[0]?.[0]];
      expect(numbers, name).toEqual([lines + 1, lines + 2, lines + 4]);
    }
  });

  it("can be chosen below many lines", async () => {
    const bytes = new TextEncoder().encode(`${"A line\n".repeat(39)}name,price\nCup,5\n`);
    const { reading, products } = await read("a.csv", { reading: { ...NO_READING, header: 40 } }, bytes);
    expect([reading.headerRow, products[0]?.name]).toEqual([40, "Cup"]);
  });

  it("can be chosen", async () => {
    const first = await read("numbers_export.xlsx", { reading: { ...NO_READING, sheet: 0 } });
    expect(first.sheet.name).toBe("Export Summary");
    const second = await read("title_rows.xlsx", { reading: { ...NO_READING, header: 1 } });
    expect([second.sheet.headers, second.reading.headerRow]).toEqual([["My shop price list"], 1]);
    await expect(read("title_rows.xlsx", { reading: { ...NO_READING, header: 99 } })).rejects.toThrow(
      "Row 99 is empty: it can’t name the columns",
    );
    await expect(read("title_rows.xlsx", { reading: { ...NO_READING, sheet: 7 } })).rejects.toThrow(
      "The spreadsheet has no such sheet",
    );
  });

  it("says that a .xls is protected by a password", async () => {
    await expect(read("password_rc4.xls")).rejects.toThrow("protected by a password");
  });
});

describe("exports of other systems", () => {
  it.each([
    ["etsy_min.csv", "Zq Vest, men's", { price: 19_999, stock: 16, colors: ["Black", "Brown"] }, 3],
    ["bigcommerce_min.csv", "Zq Lamp", { price: 3900, stock: null, category: "HOME_DECOR" }, 2],
    ["prestashop_grid.csv", "Zq Vase", { price: 1345, stock: 10 }, 1],
    [
      "opencart_min.csv",
      "Zq OpenCart Cinema",
      { price: 10_000, stock: 990, description: "<p>The <b>30-inch</b></p>" },
      0,
    ],
    ["qbo_products.csv", "Zq Bowl", { price: 4500, stock: 7, description: "Hand made" }, 0],
    ["merchant_feed.tsv", "Zq Feed Lamp", { price: 1200, stock: 4, category: "HOME_DECOR" }, 3],
    ["lightspeed_min.csv", "Zq Bell", { price: 2999, stock: 4 }, 0],
    ["woo_de.csv", "Zq Tasse", { price: 1250, stock: 4 }, 1],
    ["fr_headers.csv", "Zq Fr", { price: 1800, stock: 3, colors: ["Rouge"], description: "Beau" }, 1],
    ["it_headers.csv", "Zq It", { price: 1800, stock: 3, colors: ["Rosso"], description: "Bello" }, 1],
  ])("%s is read by itself", async (file, name, values, images) => {
    const { products, rejected } = await read(file);
    expect(rejected).toEqual([]);
    expect(products.map((each) => each.name)).toEqual([name]);
    expect(products[0]).toMatchObject(values);
    expect(products[0]?.imageUrls?.length ?? 0).toBe(images);
  });

  it("rejects a price that is none, and leaves out what the other shop hides", async () => {
    expect((await read("square_min.csv")).rejected).toEqual([
      [4, "Price “variable” is not a price. Write it as a number above 0, such as 161.50"],
    ]);
    expect((await read("squarespace_min.csv")).skipped).toEqual([[4, "Is not visible in the other shop"]]);
  });

  it("asks for the price of ebay_min.csv, which is in US dollars", async () => {
    expect((await read("ebay_min.csv")).question).toEqual([["*StartPrice", "uncertain"]]);
    const { products, reading } = await read("ebay_min.csv", { names: { price: "*StartPrice" } });
    expect(reading.headerRow).toBe(2);
    expect(products).toMatchObject([{ name: "Zq Watch", price: 1999, stock: 2 }]);
    expect(products[0]?.imageUrls).toHaveLength(2);
    expect(products[0]?.notes).toContain("Price “19.99” says USD, not CAD: it was read as $19.99");
  });

  it("asks for the price of prestashop_min.csv, which has one without tax alone", async () => {
    const { question } = await read("prestashop_min.csv");
    expect(question).toEqual([
      ["Price tax excluded", "uncertain"],
      ["Wholesale price", "cost"],
    ]);
    const { products } = await read("prestashop_min.csv", { names: { price: "Price tax excluded" } });
    expect(products[0]).toMatchObject({ name: "Zq Vase", price: 1250, stock: 10 });
    expect(products[0]?.imageUrls).toHaveLength(2);
  });

  it("reads all variants of medusa_min.csv as one product", async () => {
    const { products } = await read("medusa_min.csv", { names: { price: "Price CAD" } });
    expect(products).toMatchObject([{ price: 1550, by: "Handle zq-m" }]);
    expect(products[0]?.units?.units).toMatchObject([
      { values: ["Red"], cents: 1550, stock: 10, sku: "S1" },
      { values: ["Blue"], cents: 1550, stock: 4, sku: "S2" },
    ]);
    expect(products[0]?.imageUrls).toHaveLength(2);
  });

  it("adds up the stock of rows of one name that differ, and of repeated rows only once", async () => {
    expect((await read("template_variants.csv")).products).toMatchObject([
      { name: "Zq Two Rows", price: 500, stock: 7, notes: ["Stock added up: 3 + 4"] },
    ]);
    const twice = new TextEncoder().encode("name,price,stock\nCup,5,3\nCup,5,3\nCup,5,\n");
    expect((await read("a.csv", {}, twice)).products).toMatchObject([{ stock: 3 }]);
  });
});

describe("line ends", () => {
  it.each([
    ["mixed_eol.csv", ["Zq Lf", "Zq Crlf", "Zq Third"]],
    ["crlf_lf_in_cells.csv", ["Zq One", "Zq Two"]],
    ["mac_cr.csv", ["Zq Mac", "Zq Mac2"]],
  ])("of %s are read", async (file, names) => {
    expect((await read(file)).products.map(({ name }) => name)).toEqual(names);
  });

  it("in a header make it no other one", async () => {
    const descriptions = (await read("mac_cr.csv")).products.map(({ description }) => description);
    expect(descriptions).toEqual([expect.stringContaining("x"), expect.stringContaining("y")]);
  });
});
