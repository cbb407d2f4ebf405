import { describe, expect, it } from "vitest";
import { readImport as read } from "../../../tests/support/read-import";

const file = (text: string) => new TextEncoder().encode(text);
const MAGENTO = "sku,store_view_code,product_type,name,product_online,visibility,price\n";
const LOYVERSE = "Handle,Name,Option 1 name,Option 1 value,Available for sale [Shop],Price [Shop]\n";
const VEND =
  "handle,sku,name,variant_option_one_name,variant_option_one_value,retail_price,active,track_inventory,inventory_Main,inventory_Attic\n";

describe("a product that the other shop does not offer", () => {
  it.each([
    ["PrestaShop", "Product ID;Active (0/1);Name *;Price tax included\n7;0;Mug;5\n", "Is not active"],
    [
      "Square",
      "Token,Item Name,Variation Name,Archived,Sellable,Price\na,Mug,Regular,Y,Y,5\n",
      "Is archived",
    ],
    [
      "Square, not sold",
      "Token,Item Name,Variation Name,Archived,Sellable,Price\na,Mug,Regular,N,N,5\n",
      "Is not for sale",
    ],
    ["Magento, offline", `${MAGENTO}m,,simple,Mug,2,"Catalog, Search",5\n`, "Is not enabled"],
    ["Magento, unseen", `${MAGENTO}m,,simple,Mug,1,Not Visible Individually,5\n`, "Is not visible"],
    [
      "BigCommerce",
      "Item Type,Product Name,Product Code/SKU,Price,Product Visible?\nProduct,Mug,M,5,N\n",
      "Is not visible",
    ],
    ["Loyverse", `${LOYVERSE}mug,Mug,,,N,5\n`, "Is not for sale"],
    ["Lightspeed X-Series", `${VEND}mug,M,Mug,,,5,0,1,1,\n`, "Is not active"],
    ["OpenCart", "product_id,name(en-gb),model,price,status\n7,Mug,M,5,0\n", "Is not enabled"],
    ["a feed", "id,title,price,image_link,visibility\n7,Mug,5,,hidden\n", "Is not visible"],
  ])("is left out with the reason: %s", async (_, text, reason) => {
    const { products, skipped, rejected } = await read("a.csv", {}, file(text));
    expect([products, rejected, skipped]).toEqual([[], [], [[2, `${reason} in the other shop`]]]);
  });

  it("is left out of a Medusa export, whose price staff name", async () => {
    const text =
      "Product Handle,Product Title,Product Status,Variant Inventory Quantity,Price CAD\nmug,Mug,draft,1,5\n";
    const { skipped } = await read("a.csv", { names: { price: "Price CAD" } }, file(text));
    expect(skipped).toEqual([[2, "Is not published in the other shop"]]);
  });

  it("is offered where the column says so", async () => {
    const text = "Product ID;Active (0/1);Name *;Price tax included\n7;1;Mug;5\n";
    expect((await read("a.csv", {}, file(text))).products).toMatchObject([{ name: "Mug", notes: [] }]);
  });

  it("may be one of several variants, which is named", async () => {
    const { products } = await read("a.csv", {}, file(`${LOYVERSE}mug,Mug,Color,Red,Y,5\nmug,,,Blue,N,6\n`));
    expect(products[0]?.units?.units.map(({ values }) => values)).toEqual([["Red"]]);
    expect(products[0]?.notes).toEqual(["Row 3 is left out. Is not for sale in the other shop"]);
  });
});

describe("a Lightspeed X-Series export", () => {
  it("has units with the stock of all outlets", async () => {
    const { title, products, unread } = await read(
      "a.csv",
      {},
      file(`${VEND}tee,T-S,Tee,Size,S,25.00,1,1,5,2\ntee,T-M,Tee,Size,M,27.00,1,1,6,\n`),
    );
    expect([title, unread]).toEqual(["a Lightspeed X-Series export", []]);
    expect(products[0]?.units?.units).toMatchObject([
      { values: ["S"], sku: "T-S", cents: 2500, stock: 7 },
      { values: ["M"], sku: "T-M", cents: 2700, stock: 6 },
    ]);
  });
});

describe("codes of a file", () => {
  const WOO = "ID,Type,SKU,Name,Published,Regular price,Stock";
  it.each([
    "GTIN, UPC, EAN oder ISBN",
    "GTIN, UPC, EAN ou ISBN",
    "GTIN, UPC, EAN o ISBN",
    "GTIN, UPC, EAN of ISBN",
  ])("are read in WooCommerce: %s", async (header) => {
    const text = `${WOO},"${header}"\n7,simple,M,Mug,1,5,1,4006381333931\n`;
    expect((await read("a.csv", {}, file(text))).products).toMatchObject([{ barcode: "4006381333931" }]);
  });

  it.each(["'0012", '"=""0012"""'])("lose the mark of a text: %s", async (code) => {
    const text = `Handle,Title,Variant Price,Variant SKU,Variant Barcode,Option1 Name,Option1 Value\ncup,Cup,5,${code},${code},Size,S\n`;
    const { products } = await read("a.csv", {}, file(text));
    expect(products[0]?.units?.units).toMatchObject([{ sku: "0012", barcode: "0012" }]);
  });

  it("lose it in a product without variants and in its key", async () => {
    const text = "id,name,price,sku,barcode\n'07,Mug,5,'M,'0012\n";
    expect((await read("a.csv", {}, file(text))).products).toMatchObject([
      { sku: "M", barcode: "0012", by: "ID 07" },
    ]);
  });
});

describe("pictures that are named by a path", () => {
  it.each([
    ["magento_min.csv", "/m/h/mh01-black.jpg"],
    ["opencart_min.csv", "catalog/demo/apple.jpg"],
  ])("are told: %s", async (name, path) => {
    expect((await read(name)).products[0]?.notes).toContain(
      `Pictures named by a path are left out: “${path}” is no web address`,
    );
  });

  const SHOPIFY = "Handle,Title,Variant Price,Image Src,Option1 Name,Option1 Value,Variant Image";
  it.each([
    ["Shopify", `${SHOPIFY}\ncup,Cup,5,files/cup.jpg,Size,S,\n`, "files/cup.jpg"],
    ["Shopify, of a variant", `${SHOPIFY}\ncup,Cup,5,,Size,S,files/s.png\n`, "files/s.png"],
    [
      "WooCommerce",
      "ID,Type,SKU,Name,Published,Regular price,Stock,Images\n7,simple,M,Mug,1,5,1,2024/mug.jpg\n",
      "2024/mug.jpg",
    ],
    ...["C:\\pictures\\mug.jpg", "C:/pictures/mug.jpg", "file:///C:/mug.jpg"].map((path) => [
      `the template, ${path}`,
      `name,price,imageUrls\nMug,5,${path}\n`,
      path,
    ]),
  ])("are left out, and their product is read: %s", async (_, text, path) => {
    const { products, rejected } = await read("a.csv", {}, file(text));
    expect(rejected).toEqual([]);
    expect(products).toMatchObject([{ imageUrls: null }]);
    expect(products[0]?.notes).toContain(
      `Pictures named by a path are left out: “${path}” is no web address`,
    );
  });

  it("leave the addresses beside them", async () => {
    const text = `${SHOPIFY}\ncup,Cup,5,files/cup.jpg,Size,S,\ncup,,,https://cdn.example/cup.jpg,,,\n`;
    expect((await read("a.csv", {}, file(text))).products).toMatchObject([
      { imageUrls: ["https://cdn.example/cup.jpg"] },
    ]);
  });

  it("are not told where they are addresses", async () => {
    const text = "id,title,price,image_link\n7,Mug,5,cdn.example/a.jpg\n";
    expect((await read("a.csv", {}, file(text))).products[0]?.notes).toEqual([]);
  });
});

describe("a Shopify product that nothing counts", () => {
  const HEADERS = "Handle,Title,Variant Price,Variant Inventory Tracker,Variant Inventory Qty";
  const UNTRACKED = "Stock is not tracked in the other shop: it stays as it is, 0 on a new product";
  it.each([
    ["cup,Cup,5,,0", null, [UNTRACKED]],
    ["cup,Cup,5,,", null, [UNTRACKED]],
    ["cup,Cup,5,shopify,0", 0, []],
    ["cup,Cup,5,shopify,-2", 0, ["Stock “-2” is below 0: it is stored as 0"]],
  ])("is asked about, also with a number of 0: %s", async (row, stock, notes) => {
    const { products } = await read("a.csv", {}, file(`${HEADERS}\n${row}\n`));
    expect(products).toMatchObject([{ stock, notes }]);
  });
});

describe("a file that ends within its last row", () => {
  const HEADERS = "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price";
  const WHOLE = "cup,Cup,Size,S,C-S,5\ncup,,,M,C-M,6\n";
  const NOTE = "The file ends within this row, after 4 of 6 cells: check that it is whole";

  it("says so at the row and of the whole", async () => {
    const { products, reading } = await read("a.csv", {}, file(`${HEADERS}\n${WHOLE}cup,,,L`));
    expect(products[0]?.notes).toContain(NOTE);
    expect(reading.cut).toBe(
      "The file ends within row 4, after 4 of 6 cells. It may have been cut off: check that it is whole",
    );
  });

  it.each([
    ["name;price;stock;category\nMug;5;1;Home\nCup;6", 3],
    ["name\tprice\tstock\nMug\t5\t1\nCup", 3],
    ["Token,Item Name,Variation Name,Price,SKU\na,Mug,Regular,5,M\nb,Cup,Reg", 3],
    ["ID,Type,SKU,Name,Published,Regular price,Stock\n7,simple,M,Mug,1,5,1\n8,simple,C,Cup,1", 3],
  ])("of any layout: %j", async (text, row) => {
    const { reading } = await read("a.csv", {}, file(text));
    expect(reading.cut).toContain(`The file ends within row ${row}, after `);
  });

  it.each([
    `${HEADERS}\n${WHOLE}`,
    `${HEADERS}\n${WHOLE.trim()}`,
    // A program that leaves out blank cells at the end of each row.
    "name,price,stock\nMug,5\nCup,6",
    "name,price,stock\nMug,5,1\nCup\n",
  ])("is told from a whole one: %j", async (text) => {
    const { reading, products } = await read("a.csv", {}, file(text));
    expect(reading.cut).toBeUndefined();
    expect(products.flatMap(({ notes }) => notes).join()).not.toContain("ends within");
  });
});

describe("the sale price of a feed", () => {
  const feed = (sale: string, period = "") =>
    file(
      `id,title,price,sale_price,sale_price_effective_date,image_link\n7,Mug,15.00 CAD,${sale},${period},\n`,
    );
  it.each([
    ["12.00 CAD", "", 1200],
    ["16.00 CAD", "", 1500],
    ["", "", 1500],
    ["12.00 CAD", "2020-01-01T00:00-0500/2020-02-01T23:59-0500", 1500],
    ["12.00 CAD", "2020-01-01T00:00-0500/2999-02-01T23:59-0500", 1200],
  ])("%j within %j makes %i", async (sale, period, price) => {
    expect((await read("a.csv", {}, feed(sale, period))).products).toMatchObject([{ price }]);
  });
});

describe("the shop's own category Others", () => {
  it("is no category that is missing", async () => {
    const text = "ID,Type,SKU,Name,Published,Regular price,Stock,Categories\n7,simple,M,Mug,1,5,1,Others\n";
    expect((await read("a.csv", {}, file(text))).products).toMatchObject([
      { category: "OTHERS", newCategory: null },
    ]);
  });
});
