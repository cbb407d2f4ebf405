import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FIELDS } from "~/features/catalogue/product";
import { SHOPIFY } from "../fixtures/other-shops";
import { manager, readAnswer } from "../support/people";
import { commit, importFile, planFile, productsByName, requestRejectedRows } from "../support/product-import";
import { addProduct, call } from "../support/shop";

let token = "";
beforeAll(async () => {
  token = (await manager()).token;
});
beforeEach(() => env.DB.exec("DELETE FROM products"));

const PRODUCTS_PAGE = "/admin/products-management";
const WITHOUT_CATEGORIES =
  "Handle,Title,Type,Variant Price,Variant Inventory Qty\na,Odd thing,,5,1\nb,Silver ring,,5,\nc,Odd hat,Hats,5,1";

const plan = (content: string, choices?: unknown) => planFile(token, content, choices);

describe("products without a category in the file", () => {
  const summary = async (rows: string) => {
    const file = new File([`Handle,Title,Type,Variant Price\n${rows}`], "a.csv");
    const form = new FormData();
    form.append("intent", "planUpload");
    form.append("file", file);
    const page = await (await call(`${PRODUCTS_PAGE}?dialog=bulk-upload`, { body: form, token })).text();
    return /Categories(?:<!-- -->)? <span class="soft">([^<]*)/.exec(page)?.[1];
  };

  it("keep their stored category, and the dry run reports it", async () => {
    await addProduct({ name: "Odd thing", category: "JEWELRY" });
    expect(await summary("a,Odd thing,,5")).toBe("none in the file. 1 product keeps its category");
    await addProduct({ name: "Silver ring", category: "HOME_DECOR" });
    const file = "a,Odd thing,,5\nb,Silver ring,Trinket,5\nc,Vase,,5\nd,Hat,Hats,5";
    expect(await summary(file)).toBe(
      "2 in the file: Hats as Others. 2 products keep their category. 1 other without one: guessed by name",
    );
    await importFile(token, `Handle,Title,Type,Variant Price\n${file}`);
    const products = await productsByName();
    expect(["Odd thing", "Silver ring"].map((name) => products[name]?.category)).toEqual([
      "JEWELRY",
      "HOME_DECOR",
    ]);
  });

  it("get a category by name when they are new", async () => {
    expect(await summary("a,Odd thing,,5\nb,Silver ring,,5")).toBe(
      "none in the file. 2 products without one: guessed by name",
    );
  });
});

describe("feedback on an import", () => {
  it("lists skipped and guessed rows in the answer and on the run's page", async () => {
    const answer = (await (await commit(token, { content: SHOPIFY, name: "shop.csv" })).json()) as {
      notes: unknown[];
    };
    const [guessed, leftOut] = ["No category fits: Others", "Is draft in the other shop"];
    expect(answer.notes).toContainEqual(
      expect.objectContaining({ product: "Puzzling object", note: guessed }),
    );
    expect(answer.notes).toContainEqual(expect.objectContaining({ product: "Not yet", note: leftOut }));
    const run = await env.DB.prepare("SELECT id FROM import_runs WHERE file_name = 'shop.csv'").first("id");
    const page = await (await call(`${PRODUCTS_PAGE}?dialog=bulk-upload&run=${run}`, { token })).text();
    expect(page).toContain(guessed);
    expect(page).toContain(leftOut);
  });

  it("omits `notes` without any", async () => {
    expect(await importFile(token, "name,price\nMug,5")).not.toHaveProperty("notes");
  });

  it("reports a missing price column when the file has new products", async () => {
    expect(await plan("Item,Cost\nLamp,9.50")).toMatchObject({
      missing: "New products need a price, and no column is read as one",
    });
    const { errorDetails } = await importFile(token, "Item,Cost\nLamp,9.50");
    expect(errorDetails[0]?.error).toContain("no column is mapped to it");
    await addProduct({ name: "Lamp" });
    expect(await plan("Item,Qty\nLamp,9")).not.toHaveProperty("missing");
  });

  it("asks for the categories of importable products only", async () => {
    const listed = async (file: string) =>
      ((await plan(file)).categories as { sourceCategory: string; products: number }[]).map(
        ({ sourceCategory, products }) => [sourceCategory, products],
      );
    expect(await listed("name;price;old price;stock;category\nSemi &amp; Co;12,50;20,00;3;OTHERS")).toEqual(
      [],
    );
    const rows = "Mug,5,Cups\nCup,free,Cups\nJar,free,Jars\n,5,Hats\nOpen,5,Bags";
    expect(await listed(`name,price,category\n${rows}`)).toEqual([
      ["Cups", 1],
      ["Bags", 1],
    ]);
    expect(await listed("name,price,category\nMug,5,Cups\nMug,6,Cups")).toEqual([["Cups", 2]]);
    expect(await listed("name,price,category\nNew,,JEWELRY\nMug,5,JEWELRY")).toEqual([["JEWELRY", 1]]);
    expect(await listed("Handle,Title,Type,Variant Price,Status\na,Mug,Cups,5,draft")).toEqual([]);
  });

  it("lists products without a category by name and accepts one category for all of them", async () => {
    expect((await plan(WITHOUT_CATEGORIES)).categories).toEqual([
      { sourceCategory: "Odd thing", products: 1, kept: 0, category: "OTHERS", isUncategorised: true },
      { sourceCategory: "Silver ring", products: 1, kept: 0, category: "JEWELRY", isUncategorised: true },
      { sourceCategory: "Hats", products: 1, kept: 0, category: "OTHERS", isUncategorised: false },
    ]);
    await importFile(token, WITHOUT_CATEGORIES, {
      name: "a.csv",
      choices: {
        categories: { "": "CAR_ACCESSORY", "Silver ring": "JEWELRY" },
      },
    });
    const products = await productsByName();
    expect(["Odd thing", "Silver ring", "Odd hat"].map((name) => products[name]?.category)).toEqual([
      "CAR_ACCESSORY",
      "JEWELRY",
      "OTHERS",
    ]);
    expect((await plan(WITHOUT_CATEGORIES)).choices).toMatchObject({
      categories: { "silver ring": "JEWELRY" },
    });
    expect(JSON.stringify((await plan(WITHOUT_CATEGORIES)).choices)).not.toContain("CAR_ACCESSORY");
  });

  it("reads several columns as images, in the file's order", async () => {
    const sample = "https://example.com";
    const file = `name,price,Front,Back\nMug,5,${sample}/a.jpg,"${sample}/b.jpg, ${sample}/a.jpg"`;
    const columns = ["name", "price", "imageUrls", "imageUrls"];
    await importFile(token, file, { name: "a.csv", choices: { columns } });
    expect((await productsByName()).Mug?.imageUrls).toEqual([`${sample}/a.jpg`, `${sample}/b.jpg`]);
    expect(await plan(file)).toMatchObject({ mapping: columns, remembered: true });
  });

  it.each([
    [{ columns: ["nope"] }, `Must be null or one of ${FIELDS.join(", ")}`],
    [{ columns: ["name", "name"] }, "A field other than imageUrls may be given to one column only"],
    [{ columns: "name" }, "Must be a list"],
    [{ categories: { Hats: "HATS" } }, "There is no such category"],
    [[], "Must be an object"],
  ])("rejects the choices %j", async (choices, message) => {
    const answer = await commit(token, { content: "name\nx", name: "a.csv" }, { choices });
    expect([answer.status, (await readAnswer(answer)).details?.[0]?.message]).toEqual([400, message]);
  });

  it("rejects a file of one byte more than 10 MB", async () => {
    const file = new Uint8Array(10 * 1024 * 1024 + 1).fill(97);
    expect((await commit(token, { content: file })).status).toBe(413);
  });
});

describe("mapping of columns", () => {
  const shopify = [
    "Handle,Title,Type,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant Price,Variant Inventory Qty,Variant Compare At Price,Image Src",
    "mug,Mug,Kitchen,Color,Red,Size,S,9,2,12,https://a.example/1.jpg",
    "mug,,,,Blue,,L,9.50,3,,",
  ].join("\n");

  it("guesses the columns of another shop's export, and accepts another mapping", async () => {
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
    const columns = mapping.with(4, null).with(6, "colors").with(7, null).with(9, "price");
    await importFile(token, shopify, { name: "products_export.csv", choices: { columns, categories: {} } });
    expect((await productsByName()).Mug).toMatchObject({ price: 12, stock: 5, colors: ["Red", "Blue"] });
    expect(await plan(shopify)).toMatchObject({ remembered: true, mapping: columns });
  });

  it("does not remember columns that were guessed", async () => {
    await importFile(token, "name,price,category\nMug,5,Trinkets", {
      name: "a.csv",
      choices: {
        categories: { Trinkets: "JEWELRY" },
      },
    });
    expect(await plan("name,price,category\nCup,5,Trinkets")).toMatchObject({
      remembered: false,
      rows: [{ action: "create", summary: "Jewelry, $5.00, 0 in stock" }],
    });
  });

  it("accepts and remembers column names of the form without JavaScript", async () => {
    const send = async (content: string, names: Record<string, string>) => {
      const form = new FormData();
      form.append("intent", "bulkUpload");
      form.append("file", new File([content], "a.csv"));
      for (const [field, name] of Object.entries(names)) form.append(`column-${field}`, name);
      return call("/admin/products-management?dialog=bulk-upload", { body: form, token });
    };
    const file = "Ding;VK;Lager\nTasse;12,50;3\n";
    const rejected = await send(file, { name: "Ware" });
    expect(rejected.status).toBe(400);
    expect(await rejected.text()).toContain("The file has no column “Ware”");
    expect((await send(file, { name: "ding", price: "VK" })).status).toBe(303);
    expect((await productsByName()).Tasse).toMatchObject({ price: 12.5, stock: 3 });
    expect((await send(file.replace("12,50", "13"), {})).status).toBe(303);
    expect((await productsByName()).Tasse).toMatchObject({ price: 13 });
    const notes = await env.DB.prepare("SELECT notes FROM import_runs ORDER BY rowid DESC").first("notes");
    expect(notes).toContain("The columns are read as they were chosen for an earlier file of these headers");
  });

  it("knows common names such as Titel and Preis", async () => {
    expect(await importFile(token, "Titel;Preis;Bestand\nTasse;12,50;3\n")).toMatchObject({ created: 1 });
  });
});

describe("the plan", () => {
  it("predicts the effect on each row and stores no product", async () => {
    await addProduct({ name: "Mug", priceCents: 500, stock: 4, category: "HOME_DECOR", colors: ["Blue"] });
    await addProduct({ name: "Same", priceCents: 500 });
    const file =
      'name,price,stock,colors\nMug,6.00,36,"Blue, Red"\nSame,5,,\nNew,7,,\nNo price,,,\nBad,free,,\nNew,7,2,\n';
    expect((await plan(file)).rows).toEqual([
      {
        row: 2,
        product: "Mug",
        action: "update",
        by: "Name",
        changes: [
          { field: "Price", from: "$5.00", to: "$6.00" },
          { field: "Stock", from: "4", to: "36" },
          { field: "Colors", from: "Blue", to: "Blue, Red" },
        ],
      },
      { row: 3, product: "Same", action: "skip", by: "Name", reason: "Same as stored, nothing to change" },
      { row: 4, product: "New", action: "create", by: "New", summary: "Others, $7.00, 2 in stock" },
      {
        row: 5,
        product: "No price",
        action: "reject",
        reason: "Price is empty. A new product needs one, such as 161.50",
      },
      {
        row: 6,
        product: "Bad",
        action: "reject",
        reason: "Price “free” is not a price. Write it as a number above 0, such as 161.50",
      },
      {
        row: 7,
        product: "New",
        action: "skip",
        reason: "Taken together with row 4 of the same name",
        notes: "Same name as row 4",
      },
    ]);
    expect((await env.DB.prepare("SELECT count(*) AS n FROM products").first<{ n: number }>())?.n).toBe(2);
  });

  it("describes the mapping and remembers choices", async () => {
    const file = "Bezeichnung?,VK,Art\nMug,5,Gizmos\n";
    const first = await plan(file);
    expect(first).toMatchObject({
      source: "other",
      headers: ["Bezeichnung?", "VK", "Art"],
      samples: ["Mug", "5", "Gizmos"],
      remembered: false,
    });
    const choices = { columns: ["name", "price", "category"], categories: { Gizmos: "CAR_ACCESSORY" } };
    expect((await plan(file, choices)).rows).toMatchObject([
      { action: "create", summary: "Car Accessory, $5.00, 0 in stock" },
    ]);
    await importFile(token, file, { name: "a.csv", choices });
    expect(await plan(file)).toMatchObject({
      remembered: true,
      mapping: choices.columns,
      rows: [{ action: "skip" }],
    });
  });

  it("reports a missing column for the name", async () => {
    expect(await plan("x,y\n1,2\n")).toMatchObject({
      problem: expect.stringContaining("none of them is “name”"),
      rows: [],
    });
  });

  it("treats a repeated name like the import", async () => {
    await addProduct({ name: "Mug", priceCents: 600 });
    const file = "name,price,category\nMug,6,Jewelry\nMug,6,Others\n";
    const { rows } = await plan(file);
    expect(rows.map(({ action }) => action)).toEqual(["skip", "skip"]);
    expect(await importFile(token, file)).toMatchObject({ created: 0, updated: 0 });
  });

  it("returns its rejected rows as a file", async () => {
    const answer = await requestRejectedRows(token, {
      content: "name;price\nMug;5\nCup;\n",
      name: "list.csv",
    });
    expect(answer.headers.get("Content-Disposition")).toBe('attachment; filename="rejected-list.csv"');
    expect(await answer.text()).toMatch(/name;price;error\r\nCup;;"?Price is empty/);
    expect(await productsByName()).toEqual({});
  });
});
