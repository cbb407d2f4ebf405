import { describe, expect, it } from "vitest";
import { readImport } from "../../../tests/support/read-import";
import { certainPrice, priceColumns } from "./price-column";

const read = (text: string, price?: string) =>
  readImport("a.csv", price === undefined ? {} : { names: { price } }, new TextEncoder().encode(text));

/** Header of the price, or null where staff are asked. */
const taken = (headers: string[]) => headers[certainPrice(priceColumns(headers, [])) ?? -1] ?? null;

describe("of several headers", () => {
  it.each([
    ["Price 1", "Price 2", null],
    ["Price1", "Price2", null],
    ["Price A", "Price B", null],
    ["Price (1)", "Price (2)", null],
    ["Price_1", "Price_2", null],
    ["VK1", "VK2", null],
    ["VK", "VK 2", null],
    ["Preis 1", "Preis 2", null],
    ["Prix 1", "Prix 2", null],
    ["Price", "Price 2", null],
    ["Price", "Price.1", null],
    ["Price", "Price (CAD)", null],
    ["Price EUR", "Price USD", null],
    ["Price R$", "Price C$", null],
    ["Selling price", "Tier price", null],
    ["Unit price", "Total price", null],
    ["Preis netto", "Preis brutto", null],
    ["Price", "Sale Price", null],
    ["Price", "Special price", null],
    ["Price", "Promo price", null],
    ["Price", "Price on sale", null],
    ["Preis", "Angebotspreis", null],
    ["Start Price", "Buy It Now Price", null],
    ["Price", "Tier price", "Price"],
    ["Price", "Member price", "Price"],
    ["Price", "Buy It Now Price", "Price"],
    ["Price", "Price before tax", "Price"],
    ["Price", "Staffelpreis", "Price"],
    ["Price", "Retail Price", "Price"],
    ["Price", "Price ex GST", "Price"],
    ["Price", "Price EUR", "Price"],
    ["Price", "Old price", "Price"],
    ["Price", "Wholesale", "Price"],
  ])("%s and %s, the price is %s", (first, second, expected) => {
    expect(taken([first, second])).toBe(expected);
    expect(taken([second, first])).toBe(expected);
  });

  it.each([
    "Price2",
    "Price 1",
    "Preis 2",
    "Price C",
    "VK1",
    "Tier price",
    "Group price",
    "Price R$",
    "Amount",
    "Buy It Now Price",
    "BuyItNowPrice",
    "Buy Now Price",
    "Price to buy",
    "Prix d’achat immédiat",
    "Price incl. shipping",
    "Price (delivery included)",
    "Price before tax",
  ])("%s alone is asked about", (header) => {
    expect(taken(["Name", header])).toBeNull();
    expect(priceColumns([header], [])).toMatchObject([{ kind: "uncertain" }]);
  });

  it.each(["Buy", "Buying", "Purchase", "Supplier", "Shipping"])("%s price is a cost", (word) => {
    expect(priceColumns([`${word} price`, `Price ${word}`], [])).toMatchObject([
      { kind: "cost", reason: "a cost" },
      { kind: "cost", reason: "a cost" },
    ]);
  });

  it.each([
    ["Price before tax", "a price without tax"],
    ["Pre-tax price", "a price without tax"],
    ["Price excl. VAT", "a price without tax"],
    ["Prix avant taxes", "a price without tax"],
    ["Price before", "a former price"],
    ["Price before discount", "a former price"],
    ["Price without shipping", undefined],
    ["Buy It Now Price", undefined],
    ["Member price", "a price for quantities or groups"],
    ["Clearance price", "a reduced price"],
  ])("%s is %s", (header, reason) => {
    expect(priceColumns([header], []).map((column) => column.reason)).toEqual([reason]);
  });

  it("of an auction at a fixed price is asked about, none of its rows is rejected", async () => {
    const { question, rejected } = await read("name,Buy It Now Price,stock\nZx,9,1\n");
    expect([question, rejected]).toEqual([[["Buy It Now Price", "uncertain"]], []]);
  });

  it("beside a reduced one is asked about where the reduced one has values", async () => {
    expect((await read("name,Price,Sale Price\nCup,20,15\n")).question).toEqual([
      ["Price", "price"],
      ["Sale Price", "uncertain"],
    ]);
    expect((await read("name,Price,Sale Price\nCup,20,\n")).products).toMatchObject([{ price: 2000 }]);
  });

  it.each(["Price", "VK", "Price in CAD", "Price C$", "Price ($)", "Prix CAD"])(
    "%s alone is taken",
    (header) => {
      expect(taken(["Name", header])).toBe(header);
    },
  );

  it.each(["POA", "tbd", "NaN"])(
    "a word such as %s in place of a price is none, in its row alone",
    (word) => {
      const rows = [10, word].map((price, at) => ({ line: at + 2, cells: [`Bowl ${at}`, price] }));
      expect(certainPrice(priceColumns(["Name", "Price"], rows))).toBe(1);
    },
  );

  it("dates beside the price are no candidates", async () => {
    expect((await read("Name,Price 1,Price since\nCup,5,2026-01-02\n")).question).toEqual([
      ["Price 1", "uncertain"],
    ]);
  });

  it("numbered ones are headers below a title as well", async () => {
    const { reading, question } = await read("Our list\n\nName;Price 1;Price 2\nCup;5;6\n");
    expect([reading.headerRow, question?.length]).toEqual([3, 2]);
  });
});

describe("a column in another currency", () => {
  it.each([
    ["all its cells", "Name,Price\nCup,15.00 EUR\n", "Price", "a price in EUR"],
    ["some cells", "Name,Price\nCup,12\nMug,€15\n", "Price", "some prices in €"],
    ["a column of currencies", "Name,Price,Currency\nCup,12,USD\nMug,5,CAD\n", "Price", "some prices in USD"],
    [
      "a feed",
      "id,title,price,image_link\n1,Lamp,15.00 USD,https://x.example/a.jpg\n",
      "price",
      "a price in USD",
    ],
    [
      "an Etsy download",
      "TITLE,PRICE,CURRENCY_CODE,QUANTITY,IMAGE1\nVest,20,GBP,3,https://x.example/a.jpg\n",
      "PRICE",
      "a price in GBP",
    ],
    [
      "a template of eBay",
      "*Action(SiteID=US|Currency=USD|CC=UTF-8),*Title,*StartPrice,*Quantity\nAdd,Watch,19.99,2\n",
      "*StartPrice",
      "a price in USD",
    ],
    [
      "a template of eBay with a column for it",
      "*Action(SiteID=US),*Title,*StartPrice,*Quantity,Currency\nAdd,Watch,19.99,2,USD\n",
      "*StartPrice",
      "a price in USD",
    ],
    ["a Shopify export", "Handle,Title,Variant Price\nmug,Mug,9 EUR\n", "Variant Price", "a price in EUR"],
  ])("is asked about, by %s", async (_, file, header, reason) => {
    const asked = await read(file);
    expect([asked.question, asked.products]).toEqual([[[header, "uncertain"]], []]);
    expect(priceColumns(asked.sheet.headers, asked.sheet.rows)).toMatchObject([{ header, reason }]);
    const notes = (await read(file, header)).products.flatMap((product) => product.notes);
    expect(notes.filter((note) => note.includes("not CAD"))).toHaveLength(1);
    expect((await read(file, "-")).products[0]?.price ?? null).toBeNull();
  });

  it("is not asked about where the file says the shop's", async () => {
    const { products } = await read("Name,Price,Currency\nCup,12.00 CAD,CAD\nMug,$5,$\nHat,C$ 7,\n");
    expect(products.map(({ price, notes }) => [price, notes])).toEqual([
      [1200, []],
      [500, []],
      [700, []],
    ]);
  });

  it("is noted for each of a product's variants", async () => {
    const file = "Handle,Title,Variant Price\nmug,Mug,9 EUR\nmug,,9.50 EUR\n";
    expect((await read(file, "Variant Price")).products[0]?.notes).toContain(
      "Price “9 EUR” says EUR, not CAD: it was read as $9.00; Price “9.50 EUR” says EUR, not CAD: it was read as $9.50; Its variants cost $9.00, $9.50. It gets the first",
    );
  });

  it.each(["Currency=CAD|Version=1193", "Version=1193"])(
    "is not asked about where eBay's template says %s",
    async (stated) => {
      const { products } = await read(
        `*Action(SiteID=CA|${stated}),*Title,*StartPrice,*Quantity\nAdd,Cup,5,1\n`,
      );
      expect(products).toMatchObject([{ name: "Cup", price: 500, notes: [] }]);
    },
  );
});
