import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { importCase } from "../support/import-cases";
import { manager, readAnswer } from "../support/people";
import {
  commit,
  importFile,
  type PlanAnswer,
  planFile,
  productsByName,
  requestPlan,
} from "../support/product-import";
import { addProduct, call } from "../support/shop";

let token = "";
beforeAll(async () => {
  token = (await manager()).token;
});
beforeEach(() => env.DB.exec("DELETE FROM products; DELETE FROM import_mappings"));

const PAGE = "/admin/products-management?dialog=bulk-upload";
const NO_READING = { sheet: null, header: null, encoding: null };

const plan = async (name: string, choices?: unknown) =>
  (await requestPlan(token, { content: importCase(name), name }, choices)).json<PlanAnswer>();

/** Sends the page's form without JavaScript. */
function submit(intent: string, fields: Record<string, string | File>) {
  const form = new FormData();
  form.append("intent", intent);
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return call(PAGE, { body: form, token });
}

/** Values of a page's hidden and chosen fields. */
function hiddenField(page: string, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? "";
  return value.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

describe("an uncertain price column", () => {
  it.each([
    ["buy_sell.csv", ["Buy Price", "Sell Price"]],
    ["avg_price.csv", ["Avg Price", "Our Price"]],
    ["net_gross.csv", ["PriceNet", "PriceGross"]],
    ["medusa_min.csv", ["Price EUR", "Price CAD"]],
  ])("of %s is asked for, and the API names the candidates", async (name, candidates) => {
    await addProduct({ name: "Zq BuySell", priceCents: 3000 });
    const answer = await commit(token, { content: importCase(name), name });
    const { message } = await readAnswer(answer);
    expect(answer.status).toBe(400);
    for (const candidate of candidates) expect(message).toContain(`“${candidate}”`);
    expect((await productsByName())["Zq BuySell"]).toMatchObject({ price: 30 });
    const planned = await plan(name);
    expect(planned).toMatchObject({
      rows: [],
      prices: {
        columns: candidates.map((header) => ({
          header,
          samples: expect.arrayContaining([expect.stringMatching(/\d/)]),
        })),
      },
    });
  });

  it("is asked for with the prices that would be stored", async () => {
    const file = "Item Name;Buy Price;Sell Price\nLamp;5;1.850\nCup;6;12,50\nHat;1.005;call us\n";
    expect(await planFile(token, file)).toMatchObject({
      prices: {
        columns: [
          { header: "Buy Price", samples: ["$5.00", "$6.00", "1.005"] },
          { header: "Sell Price", samples: ["$1,850.00", "$12.50", "call us"] },
        ],
      },
    });
  });

  it("is taken once it is chosen, and remembered for such files", async () => {
    const { mapping, run } = await plan("buy_sell.csv");
    const columns = (mapping as (string | null)[]).map((field, at) => (at === 3 ? "price" : field));
    const planned = await (await requestPlan(token, { run }, { columns })).json<PlanAnswer>();
    expect(planned).not.toHaveProperty("prices");
    expect(planned.rows).toMatchObject([{ action: "create", summary: "Others, $18.00, 3 in stock" }]);
    expect(await (await commit(token, { run }, { choices: { columns } })).json()).toMatchObject({
      created: 1,
    });
    expect(await plan("buy_sell.csv")).toMatchObject({ remembered: true, rows: [{ action: "skip" }] });
  });

  it("in another currency is asked for, and taken with a note on each price", async () => {
    const file = "name,price\nCup,15.00 EUR\nMug,12\n";
    const refused = await readAnswer(await commit(token, { content: file }));
    expect(refused.message).toContain("“price” (some prices in EUR)");
    const columns = ["name", "price"];
    const planned = await (
      await requestPlan(token, { content: file, name: "a.csv" }, { columns })
    ).json<PlanAnswer>();
    const notes = "Price “15.00 EUR” says EUR, not CAD: it was read as $15.00";
    expect(planned.rows).toMatchObject([{ action: "create", notes }, { action: "create" }]);
    expect(planned.rows[1]).not.toHaveProperty("notes");
  });

  it("is named in a field of the API's form, also as none", async () => {
    const send = (price: string) => {
      const form = new FormData();
      form.append("file", new File([importCase("buy_sell.csv")], "buy_sell.csv"));
      form.append("column-price", price);
      return call("/api/product/bulk-upload", { body: form, token });
    };
    expect(await (await send("Sell Price")).json()).toMatchObject({ created: 1 });
    expect((await productsByName())["Zq BuySell"]).toMatchObject({ price: 18, stock: 3 });
    expect(await (await send("-")).json()).toMatchObject({ created: 0, updated: 0, errors: 0 });
  });

  it("is asked for without JavaScript, before anything is stored", async () => {
    const file = new File([importCase("buy_sell.csv")], "buy_sell.csv");
    const asked = await submit("bulkUpload", { file });
    const page = await asked.text();
    expect(asked.status).toBe(200);
    expect(page).toContain("Which column is your price?");
    expect(page).toMatch(/<input[^>]*name="column-price"[^>]*value="Sell Price"/);
    expect(page).toMatch(/<input[^>]*name="column-price"[^>]*disabled=""[^>]*value="Buy Price"/);
    expect(await productsByName()).toEqual({});
    const fields = { run: hiddenField(page, "run"), choices: hiddenField(page, "choices"), header: "1" };
    const planned = await (await submit("planUpload", { ...fields, "column-price": "Sell Price" })).text();
    expect(planned).toContain("$18.00, 3 in stock");
    expect(planned).not.toContain("Which column is your price?");
    const done = await submit("bulkUpload", { ...fields, choices: hiddenField(planned, "choices") });
    expect(done.status).toBe(303);
    expect((await productsByName())["Zq BuySell"]).toMatchObject({ price: 18 });
    const again = await submit("bulkUpload", { ...fields, choices: hiddenField(planned, "choices") });
    expect(again.headers.get("Location")).toBe(done.headers.get("Location"));
  });
});

describe("rows of one name with prices of their own", () => {
  const FILE = "name,price,stock\nEyes Six,7,1\nEyes Six,5,2\n";
  const ASKED = "Its variants cost $7.00, $5.00. Choose the lowest, the highest or the first price";

  it("are asked about by the API and by the dry run, and stored at the chosen price", async () => {
    expect(await importFile(token, FILE)).toMatchObject({
      created: 0,
      errors: 2,
      errorDetails: [
        { row: 2, error: ASKED },
        { row: 3, error: ASKED },
      ],
    });
    const planned = await planFile(token, FILE);
    expect(planned).toMatchObject({
      variants: { products: 1, name: "Eyes Six", prices: ["$7.00", "$5.00"] },
      rows: [
        { row: 2, action: "reject", reason: ASKED },
        { row: 3, action: "reject", reason: ASKED },
      ],
    });
    const form = new FormData();
    form.append("file", new File([FILE], "a.csv"));
    form.append("variantPrice", "highest");
    const stored = await call("/api/product/bulk-upload", { body: form, token });
    expect(await stored.json()).toMatchObject({
      created: 1,
      updated: 0,
      errors: 0,
      notes: [{ row: 3, note: "Stock added up: 1 + 2" }],
    });
    expect((await productsByName())["Eyes Six"]).toMatchObject({ price: 7, stock: 3 });
  });

  it("are asked about as they would be stored, and not where they are the same", async () => {
    const shopify = (prices: string[]) =>
      `Handle;Title;Variant Price\n${prices.map((price) => `lamp;Lamp;${price}\n`).join("")}`;
    expect(await planFile(token, shopify(["1.850", "12,50"]))).toMatchObject({
      variants: { products: 1, name: "Lamp", prices: ["$1,850.00", "$12.50"] },
    });
    expect(await planFile(token, shopify(["1.850,00", "1850"]))).not.toHaveProperty("variants");
  });

  it("make one product, which every count says", async () => {
    const file = new TextDecoder().decode(importCase("template_variants.csv"));
    expect((await planFile(token, file)).rows).toMatchObject([
      { row: 2, action: "create", summary: "Others, $5.00, 7 in stock" },
      { row: 3, action: "skip", reason: "Taken together with row 2 of the same name" },
    ]);
    expect(await importFile(token, file)).toMatchObject({ created: 1, updated: 0, errors: 0 });
    const latest =
      "SELECT created, updated, unchanged FROM import_runs WHERE state = 'done' ORDER BY rowid DESC";
    expect(await env.DB.prepare(latest).first()).toEqual({ created: 1, updated: 0, unchanged: 1 });
    const more = `${file}Zq Two Rows,5.00,5\n`;
    expect(await importFile(token, more)).toMatchObject({ created: 0, updated: 1, errors: 0 });
    expect((await productsByName())["Zq Two Rows"]).toMatchObject({ price: 5, stock: 12 });
  });

  it("that are stored already leave nothing to upload, which the form says", async () => {
    await addProduct({ name: "Eyes Six", priceCents: 700, stock: 1 });
    const stored = new File(["name,price,stock\nEyes Six,7,1\n"], "a.csv");
    expect(await (await submit("planUpload", { file: stored })).text()).toContain(
      "Nothing to upload: 1 row to skip",
    );
    const rejected = new File(["name,price,stock\nEyes Six,x,1\n"], "a.csv");
    expect(await (await submit("planUpload", { file: rejected })).text()).toContain("Nothing to upload yet");
  });

  it("stand for the stored products of that name, in order", async () => {
    await addProduct({ name: "Eyes Six", priceCents: 700, stock: 1 });
    await addProduct({ name: "Eyes Six", priceCents: 500, stock: 2 });
    expect(await importFile(token, FILE)).toMatchObject({ created: 0, updated: 0, errors: 0 });
  });

  it("are asked about without JavaScript before anything is stored", async () => {
    const page = await (await submit("bulkUpload", { file: new File([FILE], "a.csv") })).text();
    expect(page).toContain("Which price of their variants do products get?");
    expect(await productsByName()).toEqual({});
    const fields = { run: hiddenField(page, "run"), choices: hiddenField(page, "choices"), header: "1" };
    const done = await submit("bulkUpload", { ...fields, variantPrice: "lowest" });
    expect(done.status).toBe(303);
    expect((await productsByName())["Eyes Six"]).toMatchObject({ price: 5, stock: 3 });
  });
});

describe("the text of a file", () => {
  it("of an old code page shows a sample before anything is stored, and can be read differently", async () => {
    const name = "macroman_cr.csv";
    const planned = await plan(name);
    expect(planned.reading).toMatchObject({
      encoding: "macintosh",
      isGuessed: true,
      samples: ["Zq Café", "Zq Brûlée"],
    });
    const page = await (await submit("bulkUpload", { file: new File([importCase(name)], name) })).text();
    expect(page).toContain("The text reads “Zq Café”, “Zq Brûlée”.");
    expect(await productsByName()).toEqual({});
    const reading = { ...NO_READING, encoding: "windows-1252" };
    expect((await plan(name, { reading })).rows[0]).toMatchObject({ product: "Zq CafŽ" });
    expect(await importFile(token, importCase(name), { name })).toMatchObject({
      created: 2,
      notes: [{ note: "The text was read as Mac Roman: “Zq Café”, “Zq Brûlée”" }],
    });
  });
});

describe("sheets and headers", () => {
  it("are chosen without JavaScript, and a choice that can't be applied is told", async () => {
    const name = "numbers_export.xlsx";
    const page = await (await submit("bulkUpload", { file: new File([importCase(name)], name) })).text();
    expect(page).toContain("Sheet 1 - Table 1 (2 of 2)");
    const fields = { run: hiddenField(page, "run"), choices: hiddenField(page, "choices") };
    const other = await (await submit("planUpload", { ...fields, sheet: "0", header: "1" })).text();
    expect(other).toContain("none of them is “name”");
    const wrong = await (await submit("planUpload", { ...fields, sheet: "1", header: "77" })).text();
    expect(wrong).toContain("Row 77 is empty");
    const done = await submit("bulkUpload", { ...fields, sheet: "1", header: "1" });
    expect(done.status).toBe(303);
    expect(await productsByName()).toHaveProperty(["Zq Second Sheet"]);
  });

  it("are found below a title, which the result says", async () => {
    expect(await importFile(token, importCase("title_rows.xlsx"), { name: "title_rows.xlsx" })).toMatchObject(
      {
        created: 1,
        notes: [{ note: "The headers were found in row 4 of the file" }],
      },
    );
  });

  it.each([
    [{ sheet: -1 }, 400],
    [{ header: 0 }, 400],
    [{ header: "x" }, 400],
    [{ encoding: "utf-7" }, 400],
    [{ headerRow: 40 }, 400],
    [{ header: 1 }, 200],
    [{ sheet: 999_999 }, 200],
  ])("refuse the reading %j", async (reading, status) => {
    const answer = await requestPlan(token, { content: "name,price\nA,5" }, { reading });
    expect(answer.status).toBe(status);
  });
});

describe("the key of a file", () => {
  const shopify = (rows: string) => `Handle,Title,Variant Price,Variant Inventory Qty\n${rows}`;

  it("tells two products of one title apart, also in the second import", async () => {
    const name = "shopify_sametitle.csv";
    expect(await importFile(token, importCase(name), { name })).toMatchObject({ created: 2, errors: 0 });
    const twins = async () =>
      (await env.DB.prepare("SELECT name, price_cents, stock FROM products ORDER BY row").all()).results;
    expect(await twins()).toEqual([
      { name: "Zq Ring Same", price_cents: 50_000, stock: 2 },
      { name: "Zq Ring Same", price_cents: 5000, stock: 9 },
    ]);
    const planned = await planFile(
      token,
      shopify("ring-silver,Zq Ring Same,55,9\nring-gold,Zq Ring Same,500,1"),
    );
    expect(planned.rows).toMatchObject([
      { action: "update", by: "Handle", changes: [{ field: "Price", from: "$50.00", to: "$55.00" }] },
      { action: "update", by: "Handle", changes: [{ field: "Stock", from: "2", to: "1" }] },
    ]);
    await importFile(token, shopify("ring-silver,Zq Ring Same,55,9\nring-gold,Zq Ring Same,500,1"));
    expect(await twins()).toMatchObject([
      { price_cents: 50_000, stock: 1 },
      { price_cents: 5500, stock: 9 },
    ]);
  });

  it("finds a product whose title has changed, and renames it", async () => {
    await importFile(token, shopify("mug,Mug,5,1"));
    const planned = await planFile(token, shopify("mug,Big mug,5,1"));
    expect(planned.rows).toMatchObject([
      { action: "update", by: "Handle", changes: [{ field: "Name", from: "Mug", to: "Big mug" }] },
    ]);
    expect(await importFile(token, shopify("mug,Big mug,5,1"))).toMatchObject({ created: 0, updated: 1 });
    expect(Object.keys(await productsByName())).toEqual(["Big mug"]);
    expect(await (await call("/api/product/all?search=big")).json()).toHaveLength(1);
    expect(await importFile(token, shopify("mug,Big mug,5,1"))).toMatchObject({ created: 0, updated: 0 });
  });

  it("is given to a stored product of the same name once", async () => {
    await addProduct({ name: "Mug", priceCents: 500, stock: 4 });
    const file = "id,name,price\n7,Mug,6\n8,Mug,7\n";
    expect((await planFile(token, file)).rows).toMatchObject([
      { action: "update", by: "Name", notes: "From now on by its ID" },
      { action: "create", by: "New" },
    ]);
    expect(await importFile(token, file)).toMatchObject({ created: 1, updated: 1, errors: 0 });
    expect((await planFile(token, file)).rows).toMatchObject([
      { action: "skip", by: "ID" },
      { action: "skip", by: "ID" },
    ]);
    expect(await importFile(token, file)).toMatchObject({ created: 0, updated: 0, errors: 0 });
  });

  it("leaves with its product, and no concurrent import doubles it", async () => {
    const file = "handle,name,price\na,One,5\nb,One,6\n";
    await Promise.all([importFile(token, file), importFile(token, file)]);
    const count = () => env.DB.prepare("SELECT count(*) AS n FROM products").first("n");
    expect(await count()).toBe(2);
    await env.DB.exec("DELETE FROM products");
    expect(await env.DB.prepare("SELECT count(*) AS n FROM product_keys").first("n")).toBe(0);
    expect(await importFile(token, file)).toMatchObject({ created: 2 });
  });

  it("is no key where its cell is blank", async () => {
    await addProduct({ name: "Mug", priceCents: 500 });
    expect(await importFile(token, "id,name,price\n,Mug,6\n")).toMatchObject({ created: 0, updated: 1 });
    expect(await env.DB.prepare("SELECT count(*) AS n FROM product_keys").first("n")).toBe(0);
  });
});

describe("entities", () => {
  it("of names survive the shop's own export", async () => {
    await call("/api/product", {
      json: {
        name: "A &amp; B",
        price: 5,
        category: "OTHERS",
        colors: ["Red &amp; blue"],
        description: "&lt;p&gt;",
      },
      token,
    });
    const file = await (await call("/admin/products-management.csv", { token })).text();
    expect(await importFile(token, file)).toMatchObject({ created: 0, updated: 0, errors: 0 });
    expect(await importFile(token, importCase("entities.csv"))).toMatchObject({ created: 4 });
    expect(await productsByName()).toHaveProperty(["Zq A & B"]);
    expect(
      await importFile(token, "name,price,colors,category\nCup,5,Black &amp; White,Home &amp; Decor"),
    ).toMatchObject({ errors: 1 });
    expect(await importFile(token, "name,price,colors\nCup,5,Black &amp; White")).toMatchObject({
      created: 1,
    });
    expect((await productsByName()).Cup?.colors).toEqual(["Black & White"]);
  });
});

it("a wrong choice of sheet, headers or column is refused at its field, in words", async () => {
  const send = async (fields: Record<string, string>) => {
    const form = new FormData();
    form.append("file", new File(["name,price\nMug,3"], "a.csv"));
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    const answer = await call("/api/product/bulk-upload", { body: form, token });
    return [answer.status, ((await answer.json()) as { details?: unknown }).details];
  };
  const whole = (min: number) => `Must be a whole number from ${min} to 2,000,000`;
  expect(await send({ sheet: "first" })).toEqual([400, [{ path: "sheet", message: whole(0) }]]);
  expect(await send({ header: "0" })).toEqual([400, [{ path: "header", message: whole(1) }]]);
  const long = [{ path: "column-price", message: "Must be at most 500 characters" }];
  expect(await send({ "column-price": "p".repeat(501) })).toEqual([400, long]);
});
