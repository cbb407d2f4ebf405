import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { LOW_STOCK } from "~/domain/stock-levels";
import { STOCK_RULE } from "~/features/inventory/stock-edit";
import { dataUrl, loaderData } from "../support/loader-data";
import { manager, person } from "../support/people";
import { addProduct, call } from "../support/shop";

const PAGE = "/admin/inventory-management";
let token: string;

beforeAll(async () => {
  ({ token } = await manager());
  await addProduct({ id: "lamp", name: "Walnut lamp", stock: 12, category: "HOME_DECOR", priceCents: 6400 });
  await addProduct({ id: "case", name: "Clear case", stock: 5, category: "PHONE_CASE", priceCents: 1900 });
  await addProduct({ id: "ring", name: "Signet ring", stock: 0, category: "JEWELRY", priceCents: 9900 });
  await addProduct({ id: "hub", name: "=HYPERLINK(1)", stock: 1, category: "COMPUTER_ACCESSORY" });
  await addProduct({ id: "tag", name: "@home tag, small", stock: 6, category: "OTHERS", priceCents: 1 });
});

interface Page {
  rows: { id: string; name: string; stock: number }[];
  total: number;
  counts: { all: number; low: number; out: number };
  place: { page: number };
  failure: string | null;
}
const pageOf = (query = "") => loaderData<Page>(`${PAGE}?${query}`, { token });
const idsOf = async (query: string) => (await pageOf(query)).rows.map(({ id }) => id);
const stockOf = (id: string) =>
  env.DB.prepare("SELECT stock FROM products WHERE id = ?").bind(id).first<number>("stock");

/** Submits the form of a row, as the script does or as a plain form. */
function set(fields: Record<string, string>, { quietly = true, as = token } = {}) {
  const form = { intent: "setStock", ...(quietly && { quietly: "1" }), ...fields };
  const path = quietly ? dataUrl(PAGE) : PAGE;
  return call(path, { method: "POST", body: new URLSearchParams(form), token: as });
}
const errorOf = async (answer: Response) =>
  (await answer.json()) as { failure: string; lastResult: { error: Record<string, string[]> } };

describe("stock table", () => {
  it("lists products by name and counts low and out of stock", async () => {
    const { rows, total, counts } = await pageOf();
    expect(rows.map(({ id }) => id)).toEqual(["tag", "hub", "case", "ring", "lamp"]);
    expect([total, counts]).toEqual([5, { all: 5, low: 2, out: 1 }]);
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual([
      "available",
      "barcode",
      "category",
      "choice",
      "held",
      "id",
      "isHidden",
      "isOwnPrice",
      "kind",
      "lowStock",
      "name",
      "priceCents",
      "productId",
      "sku",
      "stock",
      "waiting",
    ]);
  });

  it.each([
    ["sort=stock&dir=asc", ["ring", "hub", "case", "tag", "lamp"]],
    ["sort=stock&dir=desc", ["lamp", "tag", "case", "hub", "ring"]],
    ["sort=price&dir=asc", ["tag", "hub", "case", "lamp", "ring"]],
    ["sort=category&dir=asc", ["hub", "lamp", "ring", "tag", "case"]],
    ["level=low", ["hub", "case"]],
    ["level=out", ["ring"]],
    ["level=low&category=PHONE_CASE", ["case"]],
    ["q=wlnut", ["lamp"]],
    ["q=lamp&level=out", []],
    ["q=%21%21", []],
    ["page=2&size=2", ["case", "ring"]],
    ["page=3&size=2", ["lamp"]],
  ])("%s", async (query, ids) => expect(await idsOf(query)).toEqual(ids));

  it("counts levels within a category and within a search", async () => {
    expect((await pageOf("category=JEWELRY&level=low")).counts).toEqual({ all: 1, low: 0, out: 1 });
    expect((await pageOf("q=case")).counts).toEqual({ all: 1, low: 1, out: 0 });
  });

  it("labels low and out of stock", async () => {
    const html = await (await call(PAGE, { token })).text();
    expect(html).toContain('<span class="stock-level low">Low stock</span>');
    expect(html).toContain('<span class="stock-level out">Out of stock</span>');
  });
});

/** Expects the counters of products and of units to be what a count of all finds. */
async function expectCounted() {
  const rows = async (query: string) => (await env.DB.prepare(query).all()).results;
  const level = `CASE WHEN u.stock = 0 THEN 0 WHEN u.stock <= ${LOW_STOCK} THEN 1 ELSE 2 END AS level`;
  expect(
    await rows("SELECT category, level, products FROM stock_counts WHERE products > 0 ORDER BY 1, 2"),
  ).toEqual(
    await rows(
      `SELECT category, ${level}, count(*) AS products FROM products AS u GROUP BY 1, 2 ORDER BY 1, 2`,
    ),
  );
  expect(
    await rows(
      "SELECT category, level, units, unit_products FROM stock_counts WHERE units > 0 ORDER BY 1, 2",
    ),
  ).toEqual(
    await rows(`SELECT category, ${level}, count(*) AS units, count(DISTINCT product_id) AS unit_products
      FROM units AS u JOIN products AS p ON p.id = u.product_id GROUP BY 1, 2 ORDER BY 1, 2`),
  );
}

describe("setting a stock", () => {
  it("stores the stock and redirects a plain form with a toast", async () => {
    expect(await (await set({ id: "lamp", stock: "11", was: "12" })).json()).toEqual({
      lastResult: null,
      failure: null,
    });
    const answer = await set({ id: "lamp", stock: "10", was: "11" }, { quietly: false });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, PAGE]);
    expect(answer.headers.get("Set-Cookie")).toContain("toast");
    expect(await stockOf("lamp")).toBe(10);
  });

  it.each([
    "",
    " ",
    "+",
    "--1",
    "+1.5",
    "1.5",
    "1e3",
    "1000001",
    "9007199254740993",
    "ten",
    "1,00",
    "1.000",
    "NaN",
  ])("rejects %j at the field", async (stock) => {
    const answer = await set({ id: "lamp", stock, was: "10" });
    expect(answer.status).toBe(400);
    const { failure, lastResult } = await errorOf(answer);
    expect(lastResult.error.stock).toEqual([STOCK_RULE]);
    expect(failure).toBe(`Stock not saved: ${STOCK_RULE}`);
    expect(await stockOf("lamp")).toBe(10);
  });

  it.each(["1,000", "1 000", "1000"])("reads %j as a thousand", async (stock) => {
    await set({ id: "lamp", stock, was: "10" });
    expect(await stockOf("lamp")).toBe(1000);
    await set({ id: "lamp", stock: "10", was: "1000" });
  });

  it("a rejected plain form keeps the input and shows the error", async () => {
    const answer = await set({ id: "lamp", stock: "many", was: "10" }, { quietly: false });
    expect(answer.status).toBe(400);
    const html = await answer.text();
    expect(html).toMatch(/aria-label="Stock of Walnut lamp"[^>]*value="many"/);
    expect(html).toContain("Must be a whole number from 0 to 1,000,000");
    expect(html).toMatch(/role="status"[^>]*>.*Stock not saved/s);
  });

  it("reports an edit conflict and overwrites nothing", async () => {
    await set({ id: "lamp", stock: "7", was: "10" });
    const answer = await set({ id: "lamp", stock: "9", was: "10" });
    expect(answer.status).toBe(409);
    const { lastResult } = await errorOf(answer);
    expect(lastResult.error).toMatchObject({
      stock: ["Somebody else set it to 7. Save again to set it to 9."],
      was: ["7"],
    });
    expect(await stockOf("lamp")).toBe(7);
    expect((await set({ id: "lamp", stock: "9", was: "7" })).status).toBe(200);
    expect(await stockOf("lamp")).toBe(9);
  });

  it("accepts a repeated request and equal edits", async () => {
    for (let i = 0; i < 2; i++) expect((await set({ id: "lamp", stock: "4", was: "9" })).status).toBe(200);
    expect(await stockOf("lamp")).toBe(4);
  });

  it("accepts one of twenty simultaneous edits and reports the conflict to the others", async () => {
    const before = await stockOf("tag");
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => set({ id: "tag", stock: String(100 + i), was: String(before) })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(19).fill(409)]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(await stockOf("tag")).toBe(100 + winner);
  });

  it("reports a deleted product", async () => {
    const answer = await set({ id: "gone", stock: "1", was: "0" });
    expect([answer.status, (await errorOf(answer)).failure]).toEqual([
      404,
      "Stock not saved: Product not found",
    ]);
  });

  it("is for staff only", async () => {
    const customer = await person();
    const refused = await set({ id: "lamp", stock: "1", was: "4" }, { as: customer.token, quietly: false });
    expect([refused.status, refused.headers.get("Location")]).toEqual([303, "/unauthorized"]);
    const stranger = await call(PAGE, {
      method: "POST",
      body: new URLSearchParams({ intent: "setStock", id: "lamp", stock: "1", was: "4" }),
    });
    const back = `/login?${new URLSearchParams({ redirectTo: PAGE })}`;
    expect([stranger.status, stranger.headers.get("Location")]).toEqual([303, back]);
    const unknown = await call(PAGE, { method: "POST", body: new URLSearchParams({ intent: "guess" }) });
    expect([unknown.status, unknown.headers.get("Location")]).toEqual([303, back]);
    expect(await stockOf("lamp")).toBe(4);
  });

  it("counters follow every write", async () => {
    await addProduct({ id: "later", stock: 3, category: "JEWELRY" });
    await set({ id: "later", stock: "30", was: "3" });
    await call("/api/product/later", { method: "PUT", json: { category: "OTHERS", stock: 0 }, token });
    await call("/api/product/hub", { method: "DELETE", token });
    await expectCounted();
  });

  it("the level of a product with choices is that of its units: filters list them, and the numbers count them", async () => {
    const before = (await pageOf("category=PHONE_CASE")).counts;
    const colours = [..."abcdefgh"].map((letter) => `Colour ${letter}`);
    const units = colours.map((Colour, at) => ({ options: { Colour }, stock: at < 5 ? at : 20 }));
    const sent = { name: "Octopus sleeve", category: "PHONE_CASE", price: 9, description: "" };
    const options = [{ name: "Colour", values: colours }];
    const added = await call("/api/product", { json: { ...sent, options, units, id: "eight" }, token });
    expect(added.status).toBe(201);
    const levels = (all: number, low: number, out: number) => ({
      all: before.all + all,
      low: before.low + low,
      out: before.out + out,
    });
    expect((await pageOf("category=PHONE_CASE")).counts).toEqual(levels(8, 4, 1));
    expect((await pageOf("q=octopus")).counts).toEqual({ all: 8, low: 4, out: 1 });
    const low = await pageOf("q=octopus&level=low");
    expect(low.rows.map(({ stock }) => stock)).toEqual([70, 1, 2, 3, 4]);
    expect([low.total, (await pageOf("q=octopus&level=out")).rows.length]).toEqual([1, 2]);
    expect((await idsOf("level=low&category=PHONE_CASE")).slice(1, 2)).toEqual(["eight"]);
    const file = await (await call(`${PAGE}.csv?q=octopus&level=low`, { token })).text();
    expect(file.trimEnd().split("\r\n")).toHaveLength(5);
    const [, unit] = low.rows;
    await set({ id: unit?.id ?? "", stock: "9", was: "1" });
    expect((await pageOf("category=PHONE_CASE")).counts).toEqual(levels(8, 3, 1));
    await call("/api/product/eight", { method: "PUT", json: { category: "OTHERS" }, token });
    expect((await pageOf("category=PHONE_CASE")).counts).toEqual(before);
    await expectCounted();
    await call("/api/product/eight", { method: "DELETE", token });
    await expectCounted();
  });

  it("code, counters and index share one limit of low stock", async () => {
    const counts = () => pageOf("q=edge").then(({ counts }) => counts);
    await addProduct({ id: "edge-low", name: "Edge of low", stock: LOW_STOCK });
    await addProduct({ id: "edge-enough", name: "Edge of enough", stock: LOW_STOCK + 1 });
    expect(await counts()).toEqual({ all: 2, low: 1, out: 0 });
    const all = await pageOf();
    const low = await pageOf("level=low&size=100");
    expect(low.rows).toHaveLength(all.counts.low);
    expect(low.rows.map(({ id }) => id)).toContain("edge-low");
    // SQLite rejects INDEXED BY when the index does not cover the condition.
    const query = `SELECT count(*) AS low FROM products INDEXED BY products_units_low WHERE units_low > 0`;
    expect(await env.DB.prepare(query).first("low")).toBe(all.counts.low);
  });
});

describe("CSV export of the inventory", () => {
  it("holds the filtered rows in list order and neutralises formulas", async () => {
    await addProduct({ id: "sum", name: "=SUM(A1:A9)", stock: 2, priceCents: 1250 });
    const answer = await call(`${PAGE}.csv?sort=stock&dir=asc`, { token });
    expect(answer.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("Content-Disposition")).toMatch(
      /^attachment; filename="inventory-[\d-]+\.csv"$/,
    );
    const [head, ...lines] = new TextDecoder("utf-8", { ignoreBOM: true })
      .decode(await answer.arrayBuffer())
      .trimEnd()
      .split("\r\n");
    expect(head).toBe("\ufeffName,Category,Price,Available,Stock,Level,Choice,SKU,Barcode");
    expect(lines).toContain(`"'=SUM(A1:A9)",Others,12.50,2,2,Low stock,,,`);
    expect(lines.find((line) => line.includes("@home"))).toMatch(
      /^"'@home tag, small",Others,0\.01,1\d\d,1\d\d,In stock,,,$/,
    );
    const stocks = lines.map((line) => Number(line.split(",").at(-5)));
    expect(stocks).toEqual(stocks.toSorted((a, b) => a - b));
    const low = await (await call(`${PAGE}.csv?level=low&q=sum`, { token })).text();
    expect(low.trimEnd().split("\r\n")).toHaveLength(2);
  });

  it("is for staff only", async () => {
    expect((await call(`${PAGE}.csv`)).headers.get("Location")).toMatch(/^\/login\?/);
    const customer = await person();
    expect((await call(`${PAGE}.csv`, { token: customer.token })).headers.get("Location")).toBe(
      "/unauthorized",
    );
  });
});
