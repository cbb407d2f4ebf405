import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { CATEGORIES } from "~/domain/categories";
import { SORTS } from "~/features/catalogue/schema";
import { STOCK_SORTS } from "~/features/inventory/list-params";
import { cartCookie } from "~/session/cookies.server";
import { generatedProduct, generateProducts, generateUnits } from "../../../scripts/seed/generated";
import { type Cost, costOf } from "../../support/cost";
import { FILTERED_PAGES } from "../../support/filtered-pages";
import { manager } from "../../support/people";
import { addUser, call, cookiesOf } from "../../support/shop";

/** Rows read by a first view, at any size of the catalogue (docs/bench.md). */
const MAX_ROWS = 250;
/** Rows that a random product adds, with or without a picture in stock. */
const SLACK = 40;
const MAX_ROUND_TRIPS = 3;
const FEW = 1_000;
const MANY = 5_000;
const MAX_CART_LINES = 50;
/** Milliseconds that writing 15,000 units and reading the filtered pages may take. */
const UNITS_WITHIN = 300_000;

/** A cookie of ours, so that nothing comes from the edge. */
const cookie = "emporia_seen=1";
const FIRST_VIEWS = [
  "/",
  "/shop",
  "/shop?category=JEWELRY",
  ...SORTS.flatMap((sort) => [`/shop?sort=${sort}`, `/shop?sort=${sort}&category=HOME_DECOR`]),
  "/shop?page=2",
  "/shop?search=xyzzy+under+30",
  `/products/${generatedProduct(7).id}`,
  "/cart",
  "/sitemap.xml",
  "/api/product/random",
  "/api/product/categories",
  "/api/product/all?limit=24&sort=price-asc",
  "/api/product/category/jewelry?limit=24",
  `/api/product/id/${generatedProduct(7).id}`,
];

/** The inventory's first views, for staff: by each of its sorts, and what is low or out. */
const INVENTORY = [
  "",
  ...STOCK_SORTS.flatMap((sort) => [`?sort=${sort}`, `?sort=${sort}&dir=desc`]),
  ...STOCK_SORTS.map((sort) => `?sort=${sort}&category=JEWELRY`),
  "?level=low",
  "?level=out",
].map((query) => `/admin/inventory-management${query}`);

/** Measures the cost of pages. @param token of somebody who is signed in, in place of cookies */
async function costs(paths: string[], cookies = cookie, token?: string): Promise<Map<string, Cost>> {
  const found = new Map<string, Cost>();
  for (const path of paths) {
    const answer = await call(path, token ? { token } : { cookie: cookies });
    expect(answer.status, path).toBe(200);
    found.set(path, costOf(answer));
    await answer.text();
  }
  return found;
}

it(`the page of a product with 100 units reads ≤ ${MAX_ROWS} rows, as any product's in ≤ ${MAX_ROUND_TRIPS} trips`, async () => {
  const { token } = await manager();
  const sizes = Array.from({ length: 100 }, (_, i) => `${i + 1} mm`);
  const units = sizes.map((Size, i) => ({ options: { Size }, stock: i % 3, price: 10 + i }));
  const options = [{ name: "Size", values: sizes }];
  const json = { name: "Ring of any size", price: 10, category: "JEWELRY", options, units };
  const { id } = (await (await call("/api/product", { json, token })).json()) as { id: string };
  const found = await costs([`/products/${id}`, `/products/${id}?Size=7+mm`, "/shop?search=any+size"]);
  for (const [path, { rowsRead, roundTrips }] of found) {
    expect(rowsRead, path).toBeLessThanOrEqual(MAX_ROWS);
    expect(roundTrips, path).toBeLessThanOrEqual(MAX_ROUND_TRIPS);
  }
  await call(`/api/product/${id}`, { method: "DELETE", token });
});

describe(`with ${MANY} products`, () => {
  let withFew: Map<string, Cost>;
  let withMany: Map<string, Cost>;

  beforeAll(async () => {
    await generateProducts(env.DB, 0, FEW);
    const { token } = await manager();
    withFew = await costs(FIRST_VIEWS);
    for (const [path, cost] of await costs(INVENTORY, "", token)) withFew.set(path, cost);
    await generateProducts(env.DB, FEW, MANY);
    withMany = await costs(FIRST_VIEWS);
    for (const [path, cost] of await costs(INVENTORY, "", token)) withMany.set(path, cost);
  });

  it.each([...FIRST_VIEWS, ...INVENTORY].filter((path) => path !== "/sitemap.xml"))(
    `%s reads ≤ ${MAX_ROWS} rows`,
    (path) => {
      const [few, many] = [withFew.get(path)?.rowsRead, withMany.get(path)?.rowsRead];
      expect(many).toBeLessThanOrEqual(MAX_ROWS);
      expect(many).toBeLessThanOrEqual((few ?? 0) + SLACK);
    },
  );

  it(`every page makes ≤ ${MAX_ROUND_TRIPS} round trips, signed in with a full cart, also for a search`, async () => {
    const searches = ["walnut lamp", "lamp", "wlnut", "xyzzy", "a", "walnut xyzzy lamp", "kyechains"].map(
      (text) => `/shop?search=${text}`,
    );
    const paths = [...FIRST_VIEWS, ...searches, "/shop?search=lamp&page=2&sort=name-asc&category=HOME_DECOR"];
    const found = await costs([...paths, "/account", "/shop?page=99999"], await fullCart());
    const dear = [...found].filter(([, { roundTrips }]) => roundTrips > MAX_ROUND_TRIPS);
    expect(dear).toEqual([]);
  });

  it(`the inventory makes ≤ ${MAX_ROUND_TRIPS} round trips, its own one among them`, () => {
    for (const path of INVENTORY) expect(withMany.get(path)?.roundTrips, path).toBeLessThanOrEqual(2);
  });

  it("every category is there, so that the counts above are of a full shop", async () => {
    expect(await (await call("/api/product/categories")).json()).toEqual(CATEGORIES);
  });

  describe("every second one in five sizes, two of them at another price", () => {
    let filtered: Map<string, Cost>;

    beforeAll(async () => {
      await generateUnits(env.DB, 0, MANY);
      filtered = await costs(FILTERED_PAGES);
    }, UNITS_WITHIN);

    it(`none of ${FILTERED_PAGES.length} filtered first pages reads > ${MAX_ROWS} rows or makes > ${MAX_ROUND_TRIPS} trips`, () => {
      const dear = [...filtered].filter(
        ([, { rowsRead, roundTrips }]) => rowsRead > MAX_ROWS || roundTrips > MAX_ROUND_TRIPS,
      );
      expect(dear).toEqual([]);
    });
  });
});

/** Cookies of somebody who is signed in and has as many things in the cart as it takes. */
async function fullCart(): Promise<string> {
  const { email, password } = await addUser();
  const login = await call("/api/auth/login", { json: { email, password } });
  expect(login.status).toBe(200);
  const lines = Array.from({ length: MAX_CART_LINES }, (_, i) => ({
    id: generatedProduct(i).id,
    quantity: 1,
    color: null,
    engraving: null,
  }));
  const cart = (await cartCookie(lines, env.COOKIE_SECRET, false)).split(";")[0];
  const session = cookiesOf(login) || `emporia_session=${((await login.json()) as { token: string }).token}`;
  return `${session}; ${cart}`;
}
