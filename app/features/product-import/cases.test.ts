import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Choices, NO_CHOICES, recogniseLayout } from "./layouts/recognise";
import { mergeRows, readDrafts } from "./read-rows.server";
import { readSheet } from "./readers/read-sheet.server";
import { NO_READING } from "./sheet";

const bytesOf = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../../../tests/fixtures/import/${name}`, import.meta.url)));

/** Reads a file up to the point where it is compared with the stored products. */
async function read(name: string, choices: Partial<Choices> = {}, bytes = bytesOf(name)) {
  const all = { ...NO_CHOICES, ...choices };
  const sheet = await readSheet(name, bytes, all.reading);
  const recognised = recogniseLayout(sheet, all, 1_800_000_000);
  const { entries, rejected, skipped } = mergeRows(readDrafts(recognised.drafts), () => 0, true);
  return {
    sheet,
    reading: sheet.reading,
    problem: recognised.problem,
    question: recognised.priceColumns?.map(({ header, kind }) => [header, kind]),
    products: entries.map(({ values, rows, key }) => ({
      ...values,
      by: key && `${key.title} ${key.value}`,
      notes: rows.flatMap(({ draft }) => draft.notes),
    })),
    rejected: rejected.map(({ draft, error }) => [draft.row, error]),
    skipped: skipped.map(({ row, skip }) => [row, skip]),
  };
}

const prices = async (name: string, choices?: Partial<Choices>) =>
  (await read(name, choices)).products.map(({ name, price }) => [name, price]);

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
    ["lightspeed_min.csv", "Zq Bell", 2999],
    ["fr_headers.csv", "Zq Fr", 1800],
    ["it_headers.csv", "Zq It", 1800],
    ["leading_lines.csv", "Zq Lead", 500],
    ["merchant_feed.tsv", "Zq Feed Lamp", 1500],
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
    ["ebay_min.csv", null, 2, "Zq Watch"],
  ])("of %s are found", async (file, name, headerRow, product) => {
    const { sheet, reading, products } = await read(file);
    expect([sheet.name, reading.headerRow, products[0]?.name]).toEqual([name, headerRow, product]);
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

describe("line ends", () => {
  it.each([
    ["mixed_eol.csv", ["Zq Lf", "Zq Crlf", "Zq Third"]],
    ["crlf_lf_in_cells.csv", ["Zq One", "Zq Two"]],
    ["mac_cr.csv", ["Zq Mac", "Zq Mac2"]],
  ])("of %s are read", async (file, names) => {
    expect((await read(file)).products.map(({ name }) => name)).toEqual(names);
  });
});
