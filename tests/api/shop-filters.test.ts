import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { CATEGORIES } from "~/features/catalogue/categories";
import { coverPrices, priceBand } from "~/features/catalogue/price-bands";
import { SORTS } from "~/features/catalogue/schema";
import { generatedProduct, generateProducts } from "../../scripts/seed/generated";
import { costOf } from "../support/cost";
import { call } from "../support/shop";

const COUNT = 3000;
/** Rows read by the first view of a filtered list, at any size of the catalogue. */
const MAX_ROWS = 250;
const cookie = "emporia_seen=1";
const products = Array.from({ length: COUNT }, (_, number) => generatedProduct(number));

interface Filter {
  category?: string;
  min?: number;
  max?: number;
  stock?: "in";
  sort?: (typeof SORTS)[number];
}

const query = (filter: Filter & { limit?: number; offset?: number }) =>
  new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)])).toString();

/** The same list by a plain filter and sort. */
function expected({ category, min = 0, max = 1e9, stock, sort = "default" }: Filter): string[] {
  const compare = <T>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0);
  type Row = (typeof products)[number];
  const orders: Record<string, (a: Row, b: Row) => number> = {
    default: (a, b) =>
      compare(Number(b.stock > 0), Number(a.stock > 0)) ||
      compare(b.created_at, a.created_at) ||
      compare(b.id, a.id),
    "price-asc": (a, b) => compare(a.price_cents, b.price_cents) || compare(a.id, b.id),
    "price-desc": (a, b) => compare(b.price_cents, a.price_cents) || compare(b.id, a.id),
    "name-asc": (a, b) => compare(a.name_key, b.name_key) || compare(a.id, b.id),
    "name-desc": (a, b) => compare(b.name_key, a.name_key) || compare(b.id, a.id),
  };
  return products
    .filter((row) => !category || row.category === category)
    .filter((row) => row.price_cents >= min * 100 && row.price_cents <= max * 100)
    .filter((row) => !stock || row.stock > 0)
    .sort(orders[sort])
    .map(({ id }) => id);
}

const RANGES: Filter[] = [
  {},
  { max: 24.99 },
  { min: 20 },
  { min: 18, max: 30 },
  { min: 40.99, max: 40.99 },
  { min: 12.5, max: 13.75 },
  { min: 99.99, max: 320 },
  { min: 5000 },
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
  it.each(FILTERS.map((filter) => [query(filter), filter] as const))(
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

  it.each(FILTERS.map(query))(`the first page of /shop?%s reads ≤ ${MAX_ROWS} rows`, async (text) => {
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
    const numberAfter = (label: string) =>
      Number(new RegExp(`${label}(?:<!-- -->)? <span>(\\d+)</span>`).exec(html)?.[1]);
    const jewelry: Filter = { category: "JEWELRY", stock: "in" };
    expect(numberAfter("In stock")).toBe(expected({ ...jewelry, min: 10 }).length);
    expect(numberAfter("Under \\$25")).toBe(expected({ ...jewelry, max: 24.99 }).length);
    expect(numberAfter("\\$25 to \\$50")).toBe(expected({ ...jewelry, min: 25, max: 49.99 }).length);
    expect(numberAfter("\\$50 and up")).toBe(expected({ ...jewelry, min: 50 }).length);
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
