import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SHOPIFY, SHOPIFY_NEW, WOOCOMMERCE } from "../fixtures/other-shops";
import { importCase } from "../support/import-cases";
import { manager } from "../support/people";
import {
  commit,
  importFile,
  listedUnits,
  planFile,
  productsByName,
  shirts,
  unitsByName,
} from "../support/product-import";
import { hold, json } from "../support/sales";
import { addProduct, call } from "../support/shop";

let token = "";
beforeAll(async () => {
  token = (await manager()).token;
});
beforeEach(() =>
  env.DB.exec(
    "DELETE FROM hold_lines; DELETE FROM products; DELETE FROM import_mappings; DELETE FROM import_runs; DELETE FROM product_changes",
  ),
);

const upload = (content: BlobPart, choices?: unknown) => importFile(token, content, { choices });
const rows = async <T>(query: string) => (await env.DB.prepare(query).all<T>()).results;

const listed = (name: string) => listedUnits(token, name);
const unitsOf = (name: string) => unitsByName(token, name);

describe("variants of other shops' exports", () => {
  it("of Shopify become units, with their prices, stocks, codes and pictures", async () => {
    expect(await upload(SHOPIFY)).toMatchObject({ created: 3, errors: 1 });
    expect(await listed("Felt sleeve")).toEqual([
      ["13 / Grey", 49, 4, ""],
      ["13 / Blue", 52, 0, ""],
      ["15 / Grey", 55, 3, ""],
    ]);
    expect((await unitsOf("Felt sleeve"))[2]?.image).toBe("https://cdn.shop.example/sleeve-15.jpg");
    expect(await listed("Signet ring")).toEqual([["", 161.5, 1, ""]]);
    expect((await productsByName())["Felt sleeve"]).toMatchObject({
      price: 49,
      stock: 7,
      colors: ["Grey", "Blue"],
    });
    await upload(SHOPIFY_NEW);
    expect(await listed("Desk lamp")).toEqual([
      ["Brass", 89, 10, ""],
      ["Black", 89, 5, ""],
    ]);
  });

  it("of WooCommerce become units", async () => {
    expect(await upload(WOOCOMMERCE)).toMatchObject({ created: 4, errors: 0 });
    expect(await listed("Phone grip")).toEqual([
      ["Red", 12, 2, "TEE-R"],
      ["Blue", 13, 5, ""],
    ]);
    expect(await listed("Beeswax candle")).toEqual([["", 7.5, 8, "CANDLE"]]);
  });

  it.each([
    [
      "square_min.csv",
      "Zq Candle",
      [
        ["Small", 12, 10, "C-S"],
        ["Large", 18, 4, "C-L"],
      ],
    ],
    [
      "squarespace_min.csv",
      "Zq Ring",
      [
        ["6", 40, 3, "R-1"],
        ["7", 40, 2, "R-2"],
      ],
    ],
    [
      "wix_min.csv",
      "Zq Card",
      [
        ["Red", 25, 4, ""],
        ["Blue", 25, 6, ""],
      ],
    ],
    ["magento_min.csv", "Zq Hoodie", [["S / Black", 45, 100, "MH01-S-Black"]]],
    [
      "bigcommerce_min.csv",
      "Zq Lamp",
      [
        ["Red", 44, 3, "LAMP-R"],
        ["Blue", 39, 4, "LAMP-B"],
      ],
    ],
    [
      "loyverse_min.csv",
      "Zq Tee",
      [
        ["Red", 20, 3, "10000"],
        ["Blue", 22, 4, "10001"],
      ],
    ],
  ])("%s is stored, and changes nothing when it is sent again", async (name, product, units) => {
    const send = () => importFile(token, importCase(name), { name });
    expect(await send()).toMatchObject({ created: 1 });
    expect(await listed(product)).toEqual(units);
    const before = await rows("SELECT * FROM units ORDER BY id");
    const moved = () => rows("SELECT count(*) AS n FROM stock_movements");
    const movements = await moved();
    expect(await send()).toMatchObject({ created: 0, updated: 0 });
    expect(await rows("SELECT * FROM units ORDER BY id")).toEqual(before);
    expect(await moved()).toEqual(movements);
  });

  it("tells that a row of the product as a whole leaves their stock", async () => {
    await upload(shirts("S,5,2,A", "M,5,3,B"));
    const note = "Its stock is counted for each choice: it stays as it is";
    const whole = "name,price,stock\nShirt,6,99\n";
    expect((await planFile(token, whole)).rows).toMatchObject([{ action: "update", notes: note }]);
    expect(await upload(whole)).toMatchObject({ updated: 1, notes: [{ row: 2, product: "Shirt", note }] });
    expect((await productsByName()).Shirt?.stock).toBe(5);
  });

  it("moves the stock of each unit, with the import as its reason", async () => {
    await upload(shirts("S,5,2,A", "M,5,3,B"));
    await upload(shirts("S,5,4,A", "M,5,3,B"));
    expect(
      await rows(
        "SELECT choice, quantity, reason FROM stock_movements WHERE unit_id IS NOT NULL ORDER BY row DESC LIMIT 3",
      ),
    ).toEqual([
      { choice: "S", quantity: 2, reason: "import" },
      { choice: "M", quantity: 3, reason: "import" },
      { choice: "S", quantity: 2, reason: "import" },
    ]);
  });

  it("are read from a file in which a parent stands after its variants, far away", async () => {
    const others = Array.from({ length: 300 }, (_, i) => `${i + 100},simple,,Other ${i},1,5,1,,,`).join("\n");
    const file = `ID,Type,SKU,Name,Published,Regular price,Stock,Parent,Attribute 1 name,Attribute 1 value(s)
21,variation,V-1,,1,9,2,id:20,Size,S
${others}
22,variation,V-2,,1,9,3,id:20,Size,M
20,variable,V,Vest,1,,,,Size,"S, M"
`;
    expect(await upload(file)).toMatchObject({ created: 301, errors: 0 });
    expect(await listed("Vest")).toEqual([
      ["S", 9, 2, "V-1"],
      ["M", 9, 3, "V-2"],
    ]);
  });
});

describe("a stored product", () => {
  it("without options gets units, as the dry run says", async () => {
    const id = await addProduct({ name: "Shirt", stock: 37, priceCents: 500 });
    const file = shirts("S,5,15,A", "M,5,12,B", "L,6,10,C");
    const { rows: planned } = await planFile(token, file);
    expect(planned[0]).toMatchObject({
      action: "update",
      changes: [
        { field: "Stock", from: "37, counted together", to: "3 units by Size: 15 + 12 + 10 = 37" },
        { field: "Prices", from: "$5.00", to: "$5.00 to $6.00" },
      ],
    });
    expect(await upload(file)).toMatchObject({ updated: 1, errors: 0 });
    expect(await listed("Shirt")).toEqual([
      ["S", 5, 15, "A"],
      ["M", 5, 12, "B"],
      ["L", 6, 10, "C"],
    ]);
    expect((await productsByName()).Shirt).toMatchObject({ id, stock: 37, price: 5 });
  });

  it("keeps units that the file doesn't name, and gets new ones", async () => {
    await upload(shirts("S,5,1,A", "M,5,2,B"));
    const { rows: planned } = await planFile(token, shirts("M,5,9,B", "XL,5,4,D"));
    expect(planned[0]?.changes).toEqual([
      { field: "Units", from: "2", to: "3" },
      { field: "Stock, M", from: "2", to: "9" },
    ]);
    await upload(shirts("M,5,9,B", "XL,5,4,D"));
    expect(await listed("Shirt")).toEqual([
      ["S", 5, 1, "A"],
      ["M", 5, 9, "B"],
      ["XL", 5, 4, "D"],
    ]);
  });

  it("keeps the stock of its units when a row names the product as a whole", async () => {
    await upload(shirts("S,5,1,A", "M,5,2,B"));
    const { rows: planned } = await planFile(token, "name,price,stock\nShirt,5,40\n");
    expect(planned).toMatchObject([{ action: "skip" }]);
    expect(await upload("name,price,stock\nShirt,5,40\n")).toMatchObject({ updated: 0, errors: 0 });
    expect(await listed("Shirt")).toEqual([
      ["S", 5, 1, "A"],
      ["M", 5, 2, "B"],
    ]);
  });

  it("keeps the pictures of its units when the file names none of theirs", async () => {
    const picture = (name: string) => `https://pictures.example/${name}.jpg`;
    const file = (images: string, red: string, blue: string) =>
      [
        "Handle,Title,Image Src,Option1 Name,Option1 Value,Variant Price,Variant Inventory Qty,Variant Image",
        `mug,Glazed mug,${images},Colour,Red,12,3,${red}`,
        `mug,,,,Blue,12,4,${blue}`,
      ].join("\n");
    await upload(file(picture("all"), picture("red"), picture("blue")));
    const images = async () => (await unitsOf("Glazed mug")).map(({ image }) => image);
    expect(await images()).toEqual([picture("red"), picture("blue")]);
    await upload(file(picture("new"), "", ""));
    expect(await images()).toEqual([picture("red"), picture("blue")]);
    expect((await productsByName())["Glazed mug"]?.imageUrls).toEqual(["new", "red", "blue"].map(picture));
  });

  it("is one when two people send the same file at once", async () => {
    const file = [
      "handle,name,price,option1 name,option1 value,stock,sku",
      "jug,Twin jug,12,Size,S,3,TW-S",
      "jug,Twin jug,12,Size,L,4,TW-L",
    ].join("\n");
    const results = await Promise.all([upload(file), upload(file), upload(file)]);
    expect(results.map(({ created }) => created).sort()).toEqual([0, 0, 1]);
    expect(await listed("Twin jug")).toEqual([
      ["S", 12, 3, "TW-S"],
      ["L", 12, 4, "TW-L"],
    ]);
  });

  it("on hold keeps its unit: the row says so", async () => {
    const id = await addProduct({ name: "Shirt", stock: 5, priceCents: 500 });
    await hold(token, {
      lines: [{ productId: id, quantity: 2 }],
      until: Math.floor(Date.now() / 1000) + 3600,
    });
    const { errorDetails } = await upload(shirts("S,5,3,A", "M,5,2,B"));
    expect(errorDetails).toMatchObject([{ row: 2, error: expect.stringContaining("Shirt is on hold: 2") }]);
    expect(await listed("Shirt")).toEqual([["", 5, 5, ""]]);
  });
});

describe("hostile variants", () => {
  const refusal = async (file: string) => (await upload(file)).errorDetails.map(({ error }) => error);

  it.each([
    ["one choice twice", shirts("S,5,1,A", "S,5,2,B"), "Rows 2 and 3 have the same choice, S"],
    [
      "choices that differ in case alone",
      shirts("s,5,1,A", "S,5,2,B"),
      "Rows 2 and 3 have the same choice, s",
    ],
    ["a choice without a value", shirts("S,5,1,A", ",5,2,B"), "Row 3 has no Size"],
    [
      "101 choices",
      shirts(...Array.from({ length: 101 }, (_, i) => `${i},5,1,A${i}`)),
      "Must be at most 100",
    ],
    ["a price that is none", shirts("S,5,1,A", "M,free,2,B"), "Row 3: Price “free” is not a price"],
    [
      "too long a code",
      shirts("S,5,1,A", `M,5,1,${"x".repeat(61)}`),
      "Row 3: sku. Must be at most 60 characters",
    ],
  ])("of %s are one clear error", async (_, file, error) => {
    expect(await refusal(file)).toEqual([expect.stringContaining(error)]);
    expect(await productsByName()).toEqual({});
  });

  it("with a negative stock have none, with a note", async () => {
    const { notes } = await upload(shirts("S,5,-3,A", "M,5,2,B"));
    expect(notes?.map(({ note }) => note)).toContain("Stock “-3” is below 0: it is stored as 0");
    expect(await listed("Shirt")).toEqual([
      ["S", 5, 0, "A"],
      ["M", 5, 2, "B"],
    ]);
  });
});

describe("a variant with another name", () => {
  const ids = async () => (await unitsOf("Shirt")).map(({ id }) => id);
  const optionsOf = async () =>
    (
      await json<{ options: { values: string[] }[] }>(
        call(`/api/product/id/${(await productsByName()).Shirt?.id}`, { token }),
      )
    ).options.map(({ values }) => values);

  it("is its unit, by the SKU: its id, stock, movements and holds stay, and the dry run says so", async () => {
    await upload(shirts("S,5,1,A", "M,5,4,B"));
    const [small, medium] = await ids();
    await hold(token, { lines: [{ unitId: medium, quantity: 2 }] });
    const file = shirts("S,5,1,A", "Medium,5,4,b", "L,5,2,C");
    expect((await planFile(token, file)).rows.flatMap(({ changes }) => changes ?? [])).toEqual([
      { field: "Units", from: "2", to: "3" },
      { field: "Choice", from: "M", to: "Medium" },
      { field: "SKU, Medium", from: "B", to: "b" },
    ]);
    expect(await upload(file)).toMatchObject({ updated: 1, errors: 0 });
    expect(await listed("Shirt")).toEqual([
      ["S", 5, 1, "A"],
      ["Medium", 5, 4, "b"],
      ["L", 5, 2, "C"],
    ]);
    expect((await ids()).slice(0, 2)).toEqual([small, medium]);
    expect(await optionsOf()).toEqual([["S", "Medium", "L"]]);
    expect(await rows("SELECT unit_id FROM hold_lines WHERE counted = 1")).toEqual([{ unit_id: medium }]);
    expect(await rows(`SELECT sum(quantity) AS n FROM stock_movements WHERE unit_id = '${medium}'`)).toEqual([
      { n: 4 },
    ]);
  });

  it("may swap its name with another, or get other options", async () => {
    await upload(shirts("S,5,1,A", "M,5,4,B"));
    const before = await ids();
    await upload(shirts("M,5,1,A", "S,5,4,B"));
    expect(await listed("Shirt")).toEqual([
      ["M", 5, 1, "A"],
      ["S", 5, 4, "B"],
    ]);
    const fits = shirts("Slim,5,1,A", "Wide,5,4,B").replace("Shirt,Size", "Shirt,Fit");
    expect(await upload(fits)).toMatchObject({ updated: 1, errors: 0 });
    expect(await listed("Shirt")).toEqual([
      ["Slim", 5, 1, "A"],
      ["Wide", 5, 4, "B"],
    ]);
    expect(await ids()).toEqual(before);
  });

  it("is another one where the SKU is that of several, and refused where the name is another unit's", async () => {
    await upload(shirts("S,5,1,A", "M,5,4,A", "L,5,2,B"));
    expect(await upload(shirts("S,5,1,A", "XL,5,4,A"))).toMatchObject({ updated: 1, errors: 0 });
    expect((await listed("Shirt")).map(([choice]) => choice)).toEqual(["S", "M", "L", "XL"]);
    const { errors, errorDetails } = await upload(shirts("S,5,2,B"));
    expect([errors, errorDetails]).toEqual([
      1,
      [expect.objectContaining({ error: expect.stringContaining("Two units have the same choice") })],
    ]);
  });
});

describe("stock that the other shop does not count", () => {
  const FILE = `handleId,fieldType,name,price,surcharge,inventory,visible,productOptionName1,productOptionDescription1
p,Product,Card,20,0,InStock,true,,
q,Product,Cup,9,0,InStock,true,Size,S;M
q,Variant,,,0,InStock,true,,S
q,Variant,,,0,3,true,,M
`;

  it("stays, or gets one number for the file", async () => {
    expect(await planFile(token, FILE)).toMatchObject({ untracked: { products: 2, name: "Card" } });
    await upload(FILE);
    expect([await listed("Card"), await listed("Cup")]).toEqual([
      [["", 20, 0, ""]],
      [
        ["S", 9, 0, ""],
        ["M", 9, 3, ""],
      ],
    ]);
    expect(await upload(FILE, { untracked: 50 })).toMatchObject({ updated: 2 });
    expect([await listed("Card"), await listed("Cup")]).toEqual([
      [["", 20, 50, ""]],
      [
        ["S", 9, 50, ""],
        ["M", 9, 3, ""],
      ],
    ]);
  });

  it.each([-1, 1.5, "many"])("is refused as %j", async (untracked) => {
    expect((await commit(token, { content: FILE }, { choices: { untracked } })).status).toBe(400);
  });
});

it("the export of the list is imported without a change", async () => {
  await upload(shirts("S,5,1,A", "M,6,2,B"));
  await upload(WOOCOMMERCE);
  const before = await rows("SELECT * FROM units ORDER BY id");
  const file = await (await call("/admin/products-management.csv", { token })).text();
  const { rows: planned } = await planFile(token, file);
  expect(planned.filter(({ action }) => action !== "skip")).toEqual([]);
  expect(await upload(file)).toMatchObject({ created: 0, updated: 0, errors: 0 });
  expect(await rows("SELECT * FROM units ORDER BY id")).toEqual(before);
  const changed = file.replace(",A,", ",A-2,");
  expect(await upload(changed)).toMatchObject({ updated: 1 });
  expect((await listed("Shirt"))[0]).toEqual(["S", 5, 1, "A-2"]);
});
