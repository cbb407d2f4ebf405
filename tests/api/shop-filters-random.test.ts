import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { sortKey } from "~/db/text";
import { CATEGORIES } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { SORTS } from "~/features/catalogue/schema";
import { generatedProduct } from "../../scripts/seed/generated";
import { seededRandom } from "../../scripts/seed/random";
import { costOf } from "../support/cost";
import {
  type Filter,
  filterQuery,
  numberBeside,
  plainList,
  type StoredProduct,
} from "../support/filtered-list";
import { call } from "../support/shop";

const COUNT = 2000;
const FILTERS = 120;
const MAX_ROWS = 250;
const PAGE = 24;
/** Names that begin with each other, hold quotes and letters beyond ASCII, and are shared. */
const NAMES = [
  "a",
  "a b",
  "a-b",
  "a!",
  "ab",
  'a "b"',
  "é",
  "éa",
  "z",
  "日本",
  "💙",
  "a\u00a0b",
  "long ".repeat(8).trim(),
];

const random = seededRandom(20_261_123);
const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
/** Dollars between a cent and $99,999, as many cheap as dear, half of them round. */
const price = () => {
  const cents = Math.floor(10 ** (random() * 7));
  return (random() < 0.5 ? Math.ceil(cents / 100) * 100 : cents) / 100;
};

const products: StoredProduct[] = Array.from({ length: COUNT }, (_, number) => {
  const name = pick(NAMES);
  return {
    ...generatedProduct(number),
    id: `${pick(["a", "a-", "a-b", "b", "A"])}${number.toString(36).padStart(3, "0")}`,
    name,
    name_key: name.toLowerCase(),
    sort_key: sortKey(name),
    price_cents: Math.round(price() * 100),
    stock: pick([0, 1, 1, 2, 5, 9]),
    category: pick(CATEGORIES.slice(0, 3)),
    created_at: 1_700_000_000 + Math.floor(random() * 40),
  };
});

function randomFilter(): Filter {
  const [one, other] = [price(), price()].sort((a, b) => a - b);
  const near = random() < 0.5 && one !== undefined ? Math.round(one * (100 + random() * 80)) / 100 : other;
  return {
    min: random() < 0.8 ? one : undefined,
    max: random() < 0.8 ? near : undefined,
    category: random() < 0.4 ? pick(CATEGORIES.slice(0, 4)) : undefined,
    stock: random() < 0.5 ? "in" : undefined,
    sort: pick(SORTS),
  };
}

beforeAll(async () => {
  const columns = Object.keys(generatedProduct(0));
  const values = columns.map((name) => `value ->> '${name}'`).join(", ");
  // Each product has a hidden twin, which no list, number or budget may notice.
  for (const isHidden of [0, 1]) {
    const rows = products.map((product) => ({ ...product, id: `${isHidden ? "h" : ""}${product.id}` }));
    await env.DB.prepare(
      `INSERT INTO products (${columns.join(", ")}, is_hidden) SELECT ${values}, ${isHidden} FROM json_each(?)`,
    )
      .bind(JSON.stringify(rows))
      .run();
  }
});

const filters = Array.from({ length: FILTERS }, randomFilter).map(
  (filter) => [filterQuery(filter), filter] as const,
);

async function expectPlainList(text: string, filter: Filter, maxRows = MAX_ROWS) {
  const all = plainList(products, filter);
  for (const offset of [0, PAGE, Math.floor(all.length / 2)]) {
    const answer = await call(`/api/product/all?${text}&limit=${PAGE}&offset=${offset}`);
    expect(answer.headers.get("X-Total-Count")).toBe(String(all.length));
    const ids = ((await answer.json()) as { id: string }[]).map(({ id }) => id);
    expect(ids).toEqual(all.slice(offset, offset + PAGE));
  }
  const shop = await call(`/shop?${text}`, { cookie: "emporia_seen=1" });
  expect(costOf(shop).rowsRead).toBeLessThanOrEqual(maxRows);
  const html = await shop.text();
  const count = (change: Filter) => plainList(products, { ...filter, ...change }).length;
  expect(numberBeside(html, "In stock")).toBe(count({ stock: "in" }));
  for (const category of [undefined, ...CATEGORIES.slice(0, 3)]) {
    const listed = numberBeside(html, category ? categoryName(category) : "All");
    expect(listed || 0, category).toBe(count({ category }));
  }
  for (const [label, range] of [
    ["Under $25", { min: undefined, max: 24.99 }],
    ["$25 to $50", { min: 25, max: 49.99 }],
    ["$50 and up", { min: 50, max: undefined }],
  ] as const)
    expect(numberBeside(html, label) || 0, label).toBe(count(range));
}

describe("random filters of random products, with equal names and times", () => {
  it.each(filters)("?%s", (text, filter) => expectPlainList(text, filter));
});

describe("the same after holds have ended that nothing has settled", () => {
  beforeAll(async () => {
    const held = products.filter(({ stock }, at) => stock > 0 && at % 300 === 0);
    const lines = JSON.stringify(held.map(({ id, stock }) => ({ id, stock })));
    const soon = Math.floor(Date.now() / 1000) + 60;
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO holds (id, until, request_hash, created_at, created_by) VALUES ('ended', ?, '', 1, 'Pat')",
      ).bind(soon),
      env.DB.prepare(
        `INSERT INTO hold_lines (hold_id, product_id, name, quantity, until)
         SELECT 'ended', value ->> 'id', '', value ->> 'stock', ? FROM json_each(?)`,
      ).bind(soon, lines),
      env.DB.prepare("UPDATE hold_lines SET until = unixepoch() - 1"),
    ]);
    const freed = await env.DB.prepare(
      "SELECT count(*) AS n FROM products WHERE stock > 0 AND stock = held",
    ).first<number>("n");
    expect(freed).toBeGreaterThan(3);
  });

  // The page's products are read and sorted once more, with those that are available again.
  it.each(filters.slice(0, 50))("?%s", (text, filter) => expectPlainList(text, filter, MAX_ROWS + 4 * PAGE));

  it("nothing was settled", async () => {
    const counted = await env.DB.prepare("SELECT min(counted) AS n FROM hold_lines").first<number>("n");
    expect(counted).toBe(1);
  });
});
