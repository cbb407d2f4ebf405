import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { PRODUCT_SORTS } from "~/features/product-admin/list-params";
import { PRODUCTS_PATH } from "~/features/product-import/plan";
import { generateProducts } from "../../../scripts/seed/generated";
import { costOf } from "../../support/cost";
import { manager } from "../../support/people";
import { call } from "../../support/shop";

/** Two sizes of the shop, between which no first view may read more. */
const [FEW, MANY] = [500, 3000];
const SLACK = 5;

const ORDERS = ["", ...PRODUCT_SORTS.flatMap((sort) => [`sort=${sort}&dir=asc`, `sort=${sort}&dir=desc`])];
const PATHS = ORDERS.flatMap((order) => [
  `${PRODUCTS_PATH}?${order}`,
  `${PRODUCTS_PATH}?category=JEWELRY&${order}`,
]);

let token = "";
const first = new Map<string, number>();

async function rowsRead(path: string): Promise<number> {
  const answer = await call(path, { token });
  expect(answer.status).toBe(200);
  await answer.text();
  const { rowsRead: rows, roundTrips } = costOf(answer);
  expect(roundTrips).toBeLessThanOrEqual(3);
  return rows;
}

beforeAll(async () => {
  token = (await manager()).token;
  await generateProducts(env.DB, 0, FEW);
  for (const path of PATHS) first.set(path, await rowsRead(path));
  await generateProducts(env.DB, FEW, MANY);
}, 120_000);

it.each(PATHS)("%s reads ≤ 250 rows, and the same of a larger shop", async (path) => {
  const rows = await rowsRead(path);
  expect(rows).toBeLessThanOrEqual(250);
  expect(rows).toBeLessThanOrEqual((first.get(path) ?? 0) + SLACK);
});
