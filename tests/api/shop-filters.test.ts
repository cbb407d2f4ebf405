import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { CATEGORIES } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { coverPrices, priceBand } from "~/features/catalogue/price-bands";
import { SORTS } from "~/features/catalogue/schema";
import { generatedProduct, generateProducts } from "../../scripts/seed/generated";
import { costOf } from "../support/cost";
import { type Filter, filterQuery, numberBeside, plainList } from "../support/filtered-list";
import { call } from "../support/shop";

const COUNT = 5000;
/** Rows read by the first view of a filtered list, at any size of the catalogue. */
const MAX_ROWS = 250;
const cookie = "emporia_seen=1";
const products = Array.from({ length: COUNT }, (_, number) => generatedProduct(number));

const expected = (filter: Filter) => plainList(products, filter);

const RANGES: Filter[] = [
  {},
  { max: 24.99 },
  { min: 20 },
  { min: 18, max: 30 },
  { min: 40.99, max: 40.99 },
  { min: 12.5, max: 13.75 },
  { min: 99.99, max: 320 },
  { min: 5000 },
  // Many price bands, each with a few products.
  { min: 25, max: 50 },
  { min: 12.5, max: 30 },
  { min: 15, max: 60 },
  { min: 51, max: 89.5 },
  { min: 50, max: 100 },
  // Few prices of many bands.
  { max: 1 },
  { min: 1, max: 10 },
  { min: 300 },
];
const FILTERS: Filter[] = RANGES.flatMap((range) =>
  SORTS.flatMap((sort) =>
    [{}, { stock: "in" as const }].flatMap((stock) =>
      [{}, { category: "HOME_DECOR" }].map((category) => ({ ...range, sort, ...stock, ...category })),
    ),
  ),
);

beforeAll(async () => {
  await generateProducts(env.DB, 0, COUNT);
});

describe("filters of the product list", () => {
  it.each(FILTERS.map((filter) => [filterQuery(filter), filter] as const))(
    "?%s lists what a plain filter and sort of everything lists",
    async (text, filter) => {
      const all = expected(filter);
      for (const offset of [0, 48]) {
        const answer = await call(`/api/product/all?${text}&limit=24&offset=${offset}`);
        expect(answer.headers.get("X-Total-Count")).toBe(String(all.length));
        const ids = ((await answer.json()) as { id: string }[]).map(({ id }) => id);
        expect(ids).toEqual(all.slice(offset, offset + 24));
      }
    },
  );

  it.each(FILTERS.map(filterQuery))(`the first page of /shop?%s reads ≤ ${MAX_ROWS} rows`, async (text) => {
    const answer = await call(`/shop?${text}`, { cookie });
    expect(costOf(answer).rowsRead).toBeLessThanOrEqual(MAX_ROWS);
    expect(costOf(answer).roundTrips).toBeLessThanOrEqual(3);
    await answer.text();
  });

  it.each([
    ["min=20&max=10", "max"],
    ["min=-1", "min"],
    ["max=1e9", "max"],
    ["min=NaN", "min"],
    ["stock=out", "stock"],
  ])("%s is a 400 at %s", async (text, path) => {
    const answer = await call(`/api/product/all?${text}`);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { details: { path: string }[] }).details[0]?.path).toBe(path);
  });

  it("/shop ignores what is no price, and turns an inverted range round", async () => {
    const page = async (text: string) => (await call(`/shop?${text}`)).text();
    const found = async (text: string) => /(\d+)(?:<!-- -->)? products found/.exec(await page(text))?.[1];
    expect(await found("min=abc&max=&stock=maybe")).toBe(String(COUNT));
    expect(await found("min=$30&max=18.00")).toBe(String(expected({ min: 18, max: 30 }).length));
  });
});

describe("counts beside the filters", () => {
  it("respect the other filters", async () => {
    const html = await (await call("/shop?category=JEWELRY&min=10&stock=in")).text();
    const numberAfter = (label: string) => numberBeside(html, label);
    const jewelry: Filter = { category: "JEWELRY", stock: "in" };
    expect(numberAfter("In stock")).toBe(expected({ ...jewelry, min: 10 }).length);
    expect(numberAfter("Under $25")).toBe(expected({ ...jewelry, max: 24.99 }).length);
    expect(numberAfter("$25 to $50")).toBe(expected({ ...jewelry, min: 25, max: 49.99 }).length);
    expect(numberAfter("$50 and up")).toBe(expected({ ...jewelry, min: 50 }).length);
  });

  it.each<Filter>([
    { stock: "in" },
    { stock: "in", category: "JEWELRY", sort: "name-asc" },
    { max: 24.99 },
    { min: 25, max: 49.99, category: "JEWELRY" },
    { min: 13.37, max: 42, stock: "in", sort: "price-desc" },
    { min: 390, category: "HOME_DECOR", stock: "in" },
  ])("by category agree with the lists that the links of %j open", async ({ category, ...filter }) => {
    const html = await (await call(`/shop?${filterQuery({ ...filter, category })}`)).text();
    expect(numberBeside(html, "All")).toBe(expected(filter).length);
    for (const name of CATEGORIES) {
      const { length } = expected({ ...filter, category: name });
      const isShown = length > 0 || name === category;
      expect(numberBeside(html, categoryName(name)), name).toBe(isShown ? length : Number.NaN);
    }
  });

  it("stay right after changes of price, category and stock, after holds and deletions", async () => {
    const change = (sql: string) => env.DB.prepare(sql).run();
    await change("UPDATE products SET price_cents = price_cents + 137 WHERE row % 7 = 0");
    await change("UPDATE products SET category = 'OTHERS' WHERE row % 11 = 0");
    await change(
      `UPDATE products SET stock = 0, stock_change = json_object('id', id, 'reason', 'adjustment', 'actor', '') WHERE row % 5 = 0`,
    );
    await change("UPDATE products SET held = stock WHERE row % 13 = 0");
    await change("DELETE FROM products WHERE row % 17 = 0");
    const stored = await env.DB.prepare(
      "SELECT category, level, bucket, products, available FROM price_counts WHERE products > 0 ORDER BY 1, 2, 3",
    ).all();
    const { results } = await env.DB.prepare(
      "SELECT category, price_cents AS cents, stock > held AS available FROM products",
    ).all<{ category: string; cents: number; available: number }>();
    const counts = new Map<string, [number, number]>();
    for (const { category, cents, available } of results) {
      const band = priceBand(cents);
      for (const scope of ["", category])
        [Math.floor(band / 100), Math.floor(band / 10), band, cents].forEach((bucket, level) => {
          const key = JSON.stringify([scope, level, bucket]);
          const [all, inStock] = counts.get(key) ?? [0, 0];
          counts.set(key, [all + 1, inStock + available]);
        });
    }
    const found = new Map(
      stored.results.map((row) => [
        JSON.stringify([row.category, row.level, row.bucket]),
        [row.products, row.available],
      ]),
    );
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(counts));
    expect(counts.size).toBeGreaterThan(CATEGORIES.length);
    const rows = await env.DB.prepare("SELECT level, bucket, counts FROM price_categories").all<{
      level: number;
      bucket: number;
      counts: string;
    }>();
    const byCategory = rows.results.flatMap(({ level, bucket, counts }) =>
      Object.entries(JSON.parse(counts)).map(([name, count]) => [
        JSON.stringify([name, level, bucket]),
        count,
      ]),
    );
    expect(Object.fromEntries(byCategory)).toEqual(
      Object.fromEntries([...counts].filter(([key]) => !key.startsWith('[""'))),
    );
  });
});

describe("price bands", () => {
  it("cover a range exactly, by few buckets", () => {
    const bucketOf = (cents: number, level: number) =>
      [Math.floor(priceBand(cents) / 100), Math.floor(priceBand(cents) / 10), priceBand(cents), cents][
        level
      ] ?? 0;
    const prices = [
      0, 1, 9, 10, 99, 100, 999, 1000, 1999, 2000, 2499, 2500, 5000, 5001, 9999, 10_000, 123_456,
    ];
    for (const min of prices)
      for (const max of prices.filter((price) => price >= min)) {
        const cover = coverPrices(min, max);
        for (const price of [...prices, min + 1, max + 1, Math.max(0, min - 1)]) {
          const hits = cover.filter(({ level, from, to }) => {
            const bucket = bucketOf(price, level);
            return bucket >= from && bucket <= to;
          });
          expect(hits.length, `${price} in ${min} to ${max}`).toBe(price >= min && price <= max ? 1 : 0);
        }
      }
  });
});
