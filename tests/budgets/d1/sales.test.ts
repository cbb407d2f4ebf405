import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { generateHolds, generateSales } from "../../../scripts/seed/generated-sales";
import { costOf } from "../../support/cost";
import { admin } from "../../support/people";
import { addProduct, call } from "../../support/shop";

const MANY = 5000;
const MAX_ROWS = 250;
let token: string;

beforeAll(async () => {
  ({ token } = await admin());
  await addProduct({ id: "moved", name: "Moved lamp", stock: 0 });
  await generateSales(env.DB, MANY, 6000);
});

describe(`sales screens with ${MANY} documents, customers and movements`, () => {
  it.each([
    ["/admin/documents", "G-2026-005000"],
    ["/admin/documents?page=2", "G-2026-004990"],
    ["/admin/documents?page=500", "G-2026-000001"],
    ["/admin/documents?business=LASER", "G-2026-004998"],
    ["/admin/documents?from=2026-12-01&to=2026-12-05", "All 72 documents"],
    ["/admin/documents?q=005000", "1 document"],
    ["/admin/documents/document-4711", "Person 4711"],
    ["/admin/invoices-management", "G-2026-005000"],
    ["/admin/invoices-management?document=G-2026-004711", "1 result<"],
    ["/admin/customers", "Person 5000"],
    ["/admin/customers?sort=name", "Person 1"],
    ["/admin/customers?q=person4711@", "Person 4711"],
    ["/admin/customers/customer-4711", "G-2026-004711"],
    ["/admin/inventory-management?movements=moved", "The 20 movements and the 4,980 before them"],
    ["/api/product/moved/movements?limit=20", "movement-5000"],
    ["/api/sale?limit=10", "G-2026-005000"],
    ["/api/customer?limit=10", "Person 5000"],
  ])("%s reads 250 rows at most in 3 round trips", async (path, text) => {
    const answer = await call(path, { token });
    expect(await answer.text()).toContain(text);
    const { rowsRead, roundTrips } = costOf(answer);
    expect(rowsRead).toBeLessThanOrEqual(MAX_ROWS);
    expect(roundTrips).toBeLessThanOrEqual(3);
  });

  it.each([
    ["/admin/bookkeeping", 0],
    ["/admin/bookkeeping?period=2026-03", 0],
    // The documents of three days and of the days around them, with the lines of the three, each found by an index.
    ["/admin/bookkeeping?period=days&from=2026-01-31&to=2026-08-02", 2 * (7 * 15 + 3 * 15 * 3)],
  ])("%s does not read the documents of whole months", async (path, rows) => {
    const answer = await call(path, { token });
    expect(answer.status).toBe(200);
    expect(costOf(answer).rowsRead).toBeLessThanOrEqual(MAX_ROWS + rows);
  });

  it.each(["sale", "customer"])("GET %s without a limit lists all, once each", async (path) => {
    const answer = await call(`/api/${path}`, { token });
    const ids = ((await answer.json()) as { id: string }[]).map(({ id }) => id);
    expect(answer.headers.get("X-Total-Count")).toBe(String(MANY));
    expect([ids.length, new Set(ids).size]).toEqual([MANY, MANY]);
    const rest = (await (await call(`/api/${path}?offset=3990`, { token })).json()) as { id: string }[];
    expect(rest.map(({ id }) => id)).toEqual(ids.slice(3990));
  });

  it.each([
    ["/admin/customers?q=person", "1,000+"],
    ["/admin/customers?q=person&sort=name&open=duplicate", "1,000+"],
    ["/admin/customers/customer-1?merge=&q=person", "Person 5000"],
  ])("%s considers the 1,000 matches that were added last", async (path, text) => {
    const answer = await call(path, { token });
    const html = (await answer.text()).replaceAll("<!-- -->", "");
    expect(html).toContain(text);
    const isList = text === "1,000+";
    if (isList) expect(html).toContain("Listed are the 1,000 customers among them who were added last.");
    // Each match is read by the text index and for its order, twice to sort it, and again to count it.
    const { rowsRead, roundTrips } = costOf(answer);
    expect(rowsRead).toBeLessThanOrEqual(MAX_ROWS + 6 * 1000);
    expect(roundTrips).toBeLessThanOrEqual(3);
  });

  it("a search with fewer matches lists all, and the API all of any number", async () => {
    const html = await (await call("/admin/customers?q=person+47", { token })).text();
    expect(html).not.toContain("who were added last");
    const answer = await call("/api/customer?q=person&limit=1", { token });
    expect(answer.headers.get("X-Total-Count")).toBe(String(MANY));
  });

  it("a search of documents computes the rows of its page alone", async () => {
    const answer = await call("/admin/documents?q=lamp", { token });
    expect(await answer.text()).toContain("All 5,000 documents");
    // Each match is read twice, for its order and for the sums; never its lines.
    expect(costOf(answer).rowsRead).toBeLessThanOrEqual(7 * MANY);
  });
});

describe("the drawer of a day with many payments and expenses", () => {
  it("reads 250 rows at most", async () => {
    const day = "2026-12-03";
    const at = "unixepoch(?1) + 43200";
    const many = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)";
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO payments (id, number, business_type, mode, amount_cents, document_id, created_at, day, created_by)
         ${many} SELECT 'many-' || i, NULL, 'EMPORIA', 'CASH', 100, 'many-' || i, ${at}, ?1, 'Ada' FROM n`,
      ).bind(day),
      env.DB.prepare(
        `INSERT INTO expenses (id, description, description_key, business_type, expense_type, amount_cents, created_at, day, version, updated_at)
         ${many} SELECT 'many-' || i, 'Ride', 'ride', 'EMPORIA', 'TAXI', 100, ${at}, ?1, 1, ${at} FROM n`,
      ).bind(day),
      env.DB.prepare(
        "INSERT INTO drawers (id, business_type, day, float_cents, opened_by, opened_at) VALUES ('many', 'EMPORIA', ?, 100, 'Ada', 1)",
      ).bind(day),
    ]);
    const answer = await call("/admin/sales/drawer", { token });
    expect(await answer.text()).toContain("Close the drawer");
    const { rowsRead, roundTrips } = costOf(answer);
    expect(rowsRead).toBeLessThanOrEqual(MAX_ROWS);
    expect(roundTrips).toBeLessThanOrEqual(3);
  });
});

describe(`pages with ${MANY} active holds`, () => {
  beforeAll(async () => {
    for (let i = 0; i < 30; i += 1) await addProduct({ id: `shown-${i}`, name: `Shown lamp ${i}`, stock: 3 });
    await generateHolds(env.DB, MANY);
  });

  it.each(["/", "/shop", "/shop?category=OTHERS", "/products/shown-1", "/api/product/random"])(
    "%s reads 250 rows at most",
    async (path) => {
      const answer = await call(path, { headers: { Cookie: "emporia_seen=1" } });
      expect(answer.status).toBe(200);
      expect(costOf(answer).rowsRead).toBeLessThanOrEqual(MAX_ROWS);
    },
  );

  it.each([
    "/admin/inventory-management",
    "/admin/customers",
    "/admin/inventory-management?movements=shown-1",
    "/admin/holds",
    "/admin/holds?sort=until",
    "/admin/holds?page=500",
    "/admin/holds?state=released",
    "/api/hold?limit=10",
  ])("%s reads 250 rows at most", async (path) => {
    const answer = await call(path, { token });
    expect(answer.status).toBe(200);
    expect(costOf(answer).rowsRead).toBeLessThanOrEqual(MAX_ROWS);
  });

  it("the active ones are counted up to 1,000", async () => {
    const answer = await call("/admin/holds?state=active", { token });
    expect((await answer.text()).replaceAll("<!-- -->", "")).toContain("1,000</b> results");
    expect(costOf(answer).rowsRead).toBeLessThanOrEqual(MAX_ROWS + 1000);
  });
});

describe(`what waits, and the search, with ${MANY} of everything`, () => {
  beforeAll(async () => {
    const fill = (statement: string) =>
      env.DB.prepare(
        `WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ${MANY}) ${statement}`,
      ).run();
    const quote = (
      state: string,
    ) => `INSERT INTO quotes (id, chat_id, title, lines, files, ready_by, valid_until, note,
        state, total_cents, request_hash, created_at, created_by)
      SELECT '${state}-' || n, 'chat-' || n, 'Lamp ' || n, '[]', '[]', date('2026-01-01', n || ' days'),
        unixepoch() + n + 60, '', '${state}', 12345, '', n, 'Pat' FROM many`;
    await fill(`INSERT INTO chats (id, user_name, last_message, last_message_at, revision, created_at, unread_count,
        waiting_since, month)
      SELECT 'chat-' || n, 'Lampert ' || n, 'lamp', n, 1, n, 1, n, '2026-01' FROM many`);
    await fill(quote("sent"));
    await fill(quote("accepted"));
    await fill(`INSERT INTO expenses (id, description, description_key, business_type, expense_type, amount_cents, created_at,
        day, updated_at)
      SELECT 'expense-' || n, 'Lamp ' || n, 'lamp ' || n, 'EMPORIA', 'TAXI', 12345, n, '2026-01-01', n FROM many`);
    await env.DB.batch(
      [
        "UPDATE holds SET until = unixepoch() + 1 + abs(random() % 2)",
        "UPDATE products SET stock_change = json_object('id', 'low-' || id, 'reason', 'adjustment', 'actor', ''), stock = 2 WHERE id LIKE 'shown-%'",
      ].map((statement) => env.DB.prepare(statement)),
    );
  });

  it.each([
    ["/admin/today", "5,000 without an answer"],
    ["/admin/today", "4+ to do, by the day that is promised"],
    ["/api/today", "sent-1"],
    ["/admin/quotes", "10,000</b> results"],
    ["/admin/quotes?state=accepted", "5,000</b> results"],
    ["/api/quote?limit=10", "sent-5000"],
    ["/admin/search?q=lamp", "All documents with"],
    ["/admin/search?q=la", "Lampert 5000"],
    ["/admin/search?q=123.45", "expense-5000"],
    ["/admin/search?q=person", "Person 5000"],
    ["/api/search?q=lamp", "expense-5000"],
  ])("%s reads 250 rows at most in 3 round trips", async (path, text) => {
    const answer = await call(path, { token });
    expect((await answer.text()).replaceAll("<!-- -->", "")).toContain(text);
    const { rowsRead, roundTrips } = costOf(answer);
    expect(rowsRead).toBeLessThanOrEqual(MAX_ROWS);
    expect(roundTrips).toBeLessThanOrEqual(3);
  });
});
