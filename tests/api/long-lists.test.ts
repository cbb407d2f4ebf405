import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { manager } from "../support/people";
import { hold, json } from "../support/sales";
import { addProduct, call } from "../support/shop";

/** More rows than one chunk of `readList` (1,000). */
const ROWS = 1003;

let token: string;
let productId: string;
let customerId: string;

beforeAll(async () => {
  ({ token } = await manager());
  productId = await addProduct({ name: "Counted lamp", stock: 5 });
  customerId = (await json<{ id: string }>(call("/api/customer", { token, json: { name: "Regular" } }))).id;
  await hold(token, { customerId, lines: [{ productId, quantity: 1 }] });
  const count = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?1)";
  await env.DB.batch([
    env.DB.prepare(`${count} INSERT INTO stock_movements (id, product_id, quantity, reason, actor, stock_after, created_at,
        ordinal) SELECT 'm' || i, ?2, 1 - 2 * (i % 2), 'adjustment', 'Pat', 5 - i % 2, i, i + 1 FROM n`).bind(
      ROWS + 1,
      productId,
    ),
    env.DB.prepare(`${count} INSERT INTO holds (id, customer_id, until, request_hash, created_at, created_by)
      SELECT 'h' || i, ?2, ?1, 'none', i, 'Pat' FROM n`).bind(ROWS, customerId),
    env.DB.prepare(`INSERT INTO hold_lines (hold_id, product_id, name, quantity, until, counted)
      SELECT id, ?1, 'Lamp', 1, until, false FROM holds WHERE created_by = 'Pat'`).bind(productId),
  ]);
});

describe.each([
  ["movements of a product", () => `product/${productId}/movements`],
  ["a customer's timeline", () => `customer/${customerId}/timeline`],
])("%s", (_, path) => {
  const list = async (query = "") => {
    const answer = await call(`/api/${path()}${query}`, { token });
    return { total: Number(answer.headers.get("X-Total-Count")), rows: await json<{ id: string }[]>(answer) };
  };

  it("without a limit, lists everything once", async () => {
    const { rows, total } = await list();
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(rows.length).toBe(total);
    expect(total).toBeGreaterThan(ROWS);
  });

  it("limit and offset return part of the list, with the total of all rows", async () => {
    const [all, page] = [await list(), await list("?limit=3&offset=1001")];
    expect(page).toEqual({ total: all.total, rows: all.rows.slice(1001, 1004) });
    expect((await list("?limit=3&offset=5000")).rows).toEqual([]);
    expect((await list("?offset=2")).rows).toEqual(all.rows.slice(2));
  });

  it.each(["limit=0", "limit=1001", "offset=-1", "limit=x"])("refuses %s", async (query) => {
    expect((await call(`/api/${path()}?${query}`, { token })).status).toBe(400);
  });
});
