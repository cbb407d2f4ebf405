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
  ])("%s reads 250 rows at most", async (path) => {
    const answer = await call(path, { token });
    expect(answer.status).toBe(200);
    expect(costOf(answer).rowsRead).toBeLessThanOrEqual(MAX_ROWS);
  });
});
