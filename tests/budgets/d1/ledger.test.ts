import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { openDb } from "~/db/client.server";
import { readAnalytics } from "~/features/analytics/page.server";
import { readDashboard } from "~/features/dashboard/page.server";
import { expenses, invoices } from "~/features/ledger/operations/kinds.server";
import { checkLedger, purgeDeletedEntries } from "~/features/ledger/operations/maintenance.server";
import { EXPENSE_SORTS, INVOICE_SORTS } from "~/features/ledger/schema";
import { EXPENSE_RULES, INVOICE_RULES, invoicesCsv } from "~/features/ledger-pages/page.server";
import type { StaffContext } from "~/http/operation.server";
import { shopSettings } from "~/http/shop-settings.server";
import { parseListParams } from "~/ui/DataTable/list-params";
import { generateLedger } from "../../../scripts/seed/generated-ledger";
import { LEDGER_CALLS } from "../../support/api-routes";
import { type Cost, costOf } from "../../support/cost";
import { ledgerContext } from "../../support/ledger";
import { manager } from "../../support/people";
import { type RecordedStatement, recordedD1 } from "../../support/recorded-d1";
import { call } from "../../support/shop";

/** Rows read of a first view, for any number of entries. */
const MAX_ROWS = 250;
const MAX_ROUND_TRIPS = 3;
/** Tolerance for random data: combinations of business, category and payment of two days. */
const SLACK = 2 * 54;
const FEW = 1_000;
const MANY = 5_000;
/** Afternoon of the newest generated day. */
const NOW = Date.parse("2026-10-31T20:00:00Z") / 1000;

/** Routes of the ledger's figures; its lists are tried in each order. */
const FIGURES = LEDGER_CALLS.filter(({ method }) => method === "GET")
  .map(({ path }) => path)
  .filter((path) => !/(?:(?:invoice|expense)\/all|\/file)$/.test(path));

type Work = (context: StaffContext) => Promise<unknown>;

const staff = {
  user: async () => ({ id: "staff", isAdmin: true }),
  key: async () => null,
} as unknown as StaffContext["caller"];
const contextOn = (database: D1Database) => {
  const { db, meter } = openDb(database, null);
  return { context: { ...ledgerContext(NOW), db, caller: staff } as StaffContext, meter };
};
const invoicePage = (query: string) => (context: StaffContext) =>
  invoices.readPage(context, parseListParams(new URLSearchParams(query), INVOICE_RULES));
const expensePage = (query: string) => (context: StaffContext) =>
  expenses.readPage(context, parseListParams(new URLSearchParams(query), EXPENSE_RULES));
const sorted = (sorts: readonly string[]) =>
  sorts.flatMap((sort) => [`sort=${sort}`, `sort=${sort}&dir=desc`]);

const FIRST_VIEWS: [what: string, work: Work][] = [
  ...["", ...sorted(INVOICE_SORTS)].map((query): [string, Work] => [`invoices ${query}`, invoicePage(query)]),
  ...["", ...sorted(EXPENSE_SORTS)].map((query): [string, Work] => [`expenses ${query}`, expensePage(query)]),
  ["dashboard", (context) => readDashboard.execute(context, { url: "https://shop.test/admin" })],
  [
    "analytics",
    (context) => readAnalytics.execute(context, { url: "https://shop.test/admin/graphs?year=2026" }),
  ],
  ["an invoice's dialog", (context) => invoices.readRow(context, "invoice-5")],
];

async function costs(): Promise<Map<string, Cost>> {
  const found = new Map<string, Cost>();
  for (const [what, work] of FIRST_VIEWS) {
    const { context, meter } = contextOn(env.DB);
    // Read in the round trip of the session, which these calls do without.
    await shopSettings(context);
    const before = { ...meter };
    await work(context);
    found.set(what, {
      ...meter,
      rowsRead: meter.rowsRead - before.rowsRead,
      roundTrips: meter.roundTrips - before.roundTrips,
    });
  }
  return found;
}

describe(`with ${MANY} invoices and half as many expenses`, () => {
  let withFew: Map<string, Cost>;
  let withMany: Map<string, Cost>;
  let token: string;

  beforeAll(async () => {
    token = (await manager()).token;
    await generateLedger(env.DB, FEW, FEW / 2);
    withFew = await costs();
    await env.DB.batch([env.DB.prepare("DELETE FROM invoices"), env.DB.prepare("DELETE FROM expenses")]);
    await generateLedger(env.DB, MANY, MANY / 2);
    // Bills of the latest expenses.
    await env.DB.prepare(`INSERT INTO expense_files (key, expense_id, hash, name, content_type, size, created_at)
      SELECT recent.id || bill.value, recent.id, bill.value, 'bill.pdf', 'application/pdf', 9, created_at
      FROM (SELECT id, created_at FROM expenses ORDER BY created_at DESC LIMIT 100) AS recent, json_each('[1,2,3]') AS bill`).run();
    withMany = await costs();
  });

  it.each(FIRST_VIEWS.map(([what]) => what))(`%s: ≤ ${MAX_ROWS} rows, one round trip`, (what) => {
    const [few, many] = [withFew.get(what), withMany.get(what)];
    expect(many?.rowsRead).toBeGreaterThan(0);
    expect(many?.rowsRead).toBeLessThanOrEqual(MAX_ROWS);
    expect(many?.rowsRead).toBeLessThanOrEqual((few?.rowsRead ?? 0) + SLACK);
    expect(many?.roundTrips).toBe(1);
  });

  it.each([
    ...FIGURES,
    "/admin/invoices-management",
    "/admin/invoices-management?businessType=LASER",
    "/admin/invoices-management?tax=without",
    "/admin/expenses-management",
    "/admin/expenses-management?tax=with",
    "/admin/expenses-management?dialog=new",
    "/admin/expenses-management?edit=expense-0",
    "/admin/expenses-management?duplicate=expense-0",
    "/admin/bookkeeping",
    "/admin/bookkeeping?period=days&from=2025-03-20&to=2026-09-10",
    ...sorted(INVOICE_SORTS).map((query) => `/api/invoice/all?limit=10&${query}`),
    ...sorted(EXPENSE_SORTS).map((query) => `/api/expense/all?limit=10&${query}`),
  ])("%s, session included", async (path) => {
    const answer = await call(path, { token });
    expect(answer.status).toBe(200);
    expect(costOf(answer).rowsRead).toBeLessThanOrEqual(MAX_ROWS);
    expect(costOf(answer).roundTrips).toBeLessThanOrEqual(MAX_ROUND_TRIPS);
  });

  it.each([
    ["page=490", 250],
    ["page=490&sort=amount", 220],
    ["page=3&category=JEWELRY", 200],
    ["category=JEWELRY&sort=amount", 400],
    ["paymentMode=CASH&sort=quantity&dir=desc", 400],
    ["from=2026-10-31&to=2026-10-31", 400],
    ["from=2026-10-31&to=2026-10-31&category=JEWELRY&sort=description", 800],
    ["from=2025-01-01", 250],
    ["from=2025-03-20&to=2026-09-10", 2500],
    ["q=walnut tray by", 2000],
    ["q=42.50", 250],
    ["q=42", 250],
    ["tax=without", 250],
    ["tax=without&sort=amount", 250],
    ["tax=without&businessType=LASER&from=2025-01-01", 250],
  ])("a filtered or far page, %s, reads ≤ %i rows in ≤ 2 round trips", async (query, rows) => {
    const { context, meter } = contextOn(env.DB);
    await invoicePage(query)(context);
    expect(meter.roundTrips).toBeLessThanOrEqual(2);
    expect(meter.rowsRead).toBeLessThanOrEqual(rows);
  });

  it("a list without limit streams every entry once, in order", async () => {
    const answer = await call("/api/invoice/all?sort=amount&dir=desc", { token });
    expect(answer.headers.get("X-Total-Count")).toBe(String(MANY));
    const all = (await answer.json()) as { id: string; amount: number }[];
    expect(new Set(all.map(({ id }) => id)).size).toBe(MANY);
    expect(all.every(({ amount }, i) => i === 0 || amount <= (all[i - 1]?.amount ?? 0))).toBe(true);
    const rest = (await (
      await call("/api/invoice/all?sort=amount&dir=desc&offset=4700", { token })
    ).json()) as unknown[];
    expect(rest).toEqual(all.slice(4_700));
  });

  it("the CSV export streams every entry once, in order", async () => {
    const answer = await call("/admin/invoices-management.csv?sort=description", { token });
    const lines = (await answer.text()).trimEnd().split("\r\n");
    expect(lines).toHaveLength(MANY + 1);
  });

  it("the nightly check finds no difference", () => checkLedger(env as Env));
});

/** Plans that may scan: totals (54 and 20 rows), the spans of a report, which are values, and full-text matches. */
const SMALL =
  /^SCAN (?:CONSTANT ROW|found$|span$|shop_settings\b|sale_totals\b|expense_totals\b|json_each|\S+ VIRTUAL TABLE)/;

/** Returns the steps of a statement's plan that scan a whole table. */
async function tableScans({ sql, values }: RecordedStatement): Promise<string[]> {
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...values)
    .all<{ detail: string }>();
  const isLimited = /\bLIMIT \?/.test(sql);
  return results
    .map(({ detail }) => detail)
    .filter((detail) => /^SCAN (?!\(subquery)/.test(detail) && !SMALL.test(detail))
    .filter((detail) => !(isLimited && /USING (?:COVERING )?INDEX/.test(detail)))
    .map((detail) => `${detail}: ${sql}`);
}

async function statementsOf(work: Work): Promise<RecordedStatement[]> {
  const { database, statements } = recordedD1(env.DB);
  const { context } = contextOn(database);
  const result = await work(context);
  if (result instanceof Response) await result.text();
  return statements;
}

describe("no list, search, figure or write scans a table", () => {
  const filters = [
    "page=350",
    "page=200&sort=amount",
    "category=OTHERS&sort=amount",
    "category=OTHERS&paymentMode=CASH&businessType=LASER&page=3",
    "from=2026-10-01&to=2026-10-05",
    "from=2026-10-01&to=2026-10-05&sort=description",
    "q=walnut",
    "q=w&sort=quantity",
    "q=oak&category=JEWELRY&from=2026-01-01&page=2",
    "q=%2442",
    "q=42.50&category=OTHERS",
    "tax=without&page=20",
    "tax=without&category=OTHERS",
    "tax=without&from=2026-10-01&to=2026-10-05&sort=description",
  ];
  const works: [string, Work][] = [
    ...FIRST_VIEWS,
    ...filters.map((query): [string, Work] => [`invoices ${query}`, invoicePage(query)]),
    ["expenses expenseType=TAXI&sort=amount", expensePage("expenseType=TAXI&sort=amount")],
    ["all invoices", (context) => invoices.list.execute(context, { sort: "description", dir: "desc" })],
    [
      "all of a kind",
      (context) => invoices.list.execute(context, { category: "OTHERS", businessType: "LASER" }),
    ],
    ["all expenses found", (context) => expenses.list.execute(context, { q: "oak", sort: "amount" })],
    [
      "CSV",
      (context) =>
        invoicesCsv.execute(context, {
          url: "http://localhost/admin/invoices-management.csv?from=2026-06-01",
        }),
    ],
    ["adding", (context) => invoices.add.execute(context, { id: "new", amount: 5 })],
    [
      "editing",
      (context) => invoices.update.execute(context, { id: "new", amount: 6, createdAt: "2026-10-30" }),
    ],
    ["deleting", (context) => invoices.delete.execute(context, { id: "new" })],
    ["Undo", (context) => invoices.restore.execute(context, { id: "new" })],
  ];

  it.each(works)(
    "%s",
    async (_, work) => {
      const statements = await statementsOf(work);
      expect(statements.length).toBeGreaterThan(0);
      expect((await Promise.all(statements.map(tableScans))).flat()).toEqual([]);
    },
    30_000,
  );

  it("the first view is read in index order without sorting", async () => {
    for (const [what, work] of FIRST_VIEWS.filter(([name]) => /^(?:invoices|expenses)/.test(name))) {
      const plans = (await statementsOf(work)).map(({ sql, values }) =>
        env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
          .bind(...values)
          .all<{ detail: string }>(),
      );
      const details = (await Promise.all(plans)).flatMap(({ results }) =>
        results.map(({ detail }) => detail),
      );
      expect(
        details.filter((detail) => /TEMP B-TREE/.test(detail)),
        what,
      ).toEqual([]);
    }
  });

  it("the nightly purge", async () => {
    const { database, statements } = recordedD1(env.DB);
    await purgeDeletedEntries({ ...(env as Env), DB: database });
    expect((await Promise.all(statements.map(tableScans))).flat()).toEqual([]);
  });
});
