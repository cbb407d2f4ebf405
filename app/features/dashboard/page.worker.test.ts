import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { openDb } from "~/db/client.server";
import { CHARTS } from "~/features/analytics/charts";
import { readAnalytics } from "~/features/analytics/page.server";
import type { StaffContext } from "~/http/operation.server";
import { generateLedger } from "../../../scripts/seed/generated-ledger";
import { costOf } from "../../../tests/support/cost";
import { ledgerContext } from "../../../tests/support/ledger";
import { manager } from "../../../tests/support/people";
import { call } from "../../../tests/support/shop";
import { readDashboard } from "./page.server";

/** The newest generated day. */
const NOW = Date.parse("2026-10-31T20:00:00Z") / 1000;

beforeAll(() => generateLedger(env.DB, 3000, 1500));

/** Builds a request whose D1 fails for every statement that names the table. */
function failing(table: string): StaffContext {
  const broken = {
    withSession: () => {
      const session = env.DB.withSession();
      return {
        prepare: (sql: string) =>
          session.prepare(sql.includes(`"${table}"`) ? "SELECT nothing FROM nowhere" : sql),
        batch: (statements: D1PreparedStatement[]) => session.batch(statements),
        getBookmark: () => null,
      };
    },
  } as unknown as D1Database;
  return { ...ledgerContext(NOW), db: openDb(broken, null).db };
}

const dashboard = (context = ledgerContext(NOW)) =>
  readDashboard.execute(context, { url: "https://shop.test/admin" });
const analytics = (year: number, context = ledgerContext(NOW)) =>
  readAnalytics.execute(context, { url: `https://shop.test/admin/graphs?year=${year}` });

describe("the year of the charts", () => {
  it("is that of a chosen period", async () => {
    const yearOf = async (search: string) =>
      (await readAnalytics.execute(ledgerContext(NOW), { url: `https://shop.test/admin/graphs?${search}` }))
        .year;
    expect(await yearOf("period=last-year")).toBe(2025);
    expect(await yearOf("period=this-month&year=2024")).toBe(2026);
    expect(await yearOf("year=2024")).toBe(2024);
  });
});

describe("the dashboard's reads fail independently", () => {
  it("returns both sales and expenses when nothing fails", async () => {
    const { sales, salesFailed, expenses, expensesFailed } = await dashboard();
    expect([salesFailed, expensesFailed]).toEqual([false, false]);
    const { cashAmount, emtAmount, cardAmount, totalAmount, todayAmount, currentMonthAmount } = sales;
    expect(cashAmount + emtAmount + cardAmount).toBe(totalAmount);
    expect(todayAmount).toBeGreaterThan(0);
    expect(currentMonthAmount).toBeGreaterThan(todayAmount);
    expect(expenses.emporia.totalAmount + expenses.laser.totalAmount).toBe(expenses.totalAmount);
  });

  it.each(["sale_dates", "sale_totals", "sale_months"])(
    "returns zero sales and unchanged expenses without %s",
    async (table) => {
      const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
      const page = await dashboard(failing(table));
      expect(page.salesFailed).toBe(true);
      expect(new Set(Object.values(page.sales))).toEqual(new Set([0]));
      expect(page.expenses).toEqual((await dashboard()).expenses);
      errors.mockClear();
    },
  );

  it("returns zero expenses and unchanged sales without expense_totals", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const page = await dashboard(failing("expense_totals"));
    expect(page.expensesFailed).toBe(true);
    expect(page.expenses.emporia).toMatchObject({ totalAmount: 0, shipping: 0, others: 0 });
    expect(page.sales.totalAmount).toBeGreaterThan(0);
    errors.mockClear();
  });
});

/** Adds chats of a month, each answered after a second more than the one before and every tenth sold. */
async function addChats(chats: number, month: string): Promise<void> {
  const many = "WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ?)";
  const statements = [
    `INSERT INTO chats (id, user_name, last_message_at, revision, created_at, month) ${many}
      SELECT 'many-' || n, 'Visitor', 1, 1, 1, '${month}' FROM many`,
    `INSERT INTO chat_first_answers ${many} SELECT 'many-' || n, 0, n * 1000 FROM many`,
    `INSERT INTO documents (id, kind, number, business_type, customer_name, chat_id, source, payment_mode, tax_name, tax_rate,
        tax_cents, tax_included, tax_number, rounding_cents, total_cents, request_id, request_hash, created_at, day,
        search_text, created_by) ${many}
      SELECT 'many-' || n, 'sale', 'many-' || n, iif(n % 20, 'LASER', 'EMPORIA'), '', 'many-' || n, 'chat', 'CARD', '', 0, 0, 1,
        '', 0, 100, n, '', 1, '${month}-07', '', '' FROM many WHERE n % 10 = 0`,
  ];
  await env.DB.batch(statements.map((statement) => env.DB.prepare(statement).bind(chats)));
}

it("reads at most 250 rows on the 31st after a month of 31 days, with documents of every kind and 5,000 chats", async () => {
  const kinds = `(SELECT 'EMPORIA' AS business UNION SELECT 'LASER'), (SELECT 'sale' AS kind UNION SELECT 'credit'),
    (SELECT 'CASH' AS mode UNION SELECT 'EMT' UNION SELECT 'CARD'), (SELECT 'chat' AS source UNION SELECT 'counter')`;
  await env.DB.prepare(
    `INSERT INTO document_sums SELECT period, business, kind, mode, source, 1, 100, 0, 0
     FROM (SELECT '2026-08' AS period UNION SELECT '2026-08-31'), ${kinds}`,
  ).run();
  await addChats(5000, "2026-08");
  vi.setSystemTime("2026-08-31T20:00:00Z");
  try {
    const dashboard = await call("/admin", { token: (await manager()).token });
    const html = await dashboard.text();
    expect(html.includes("from=2026-07-01&amp;to=2026-07-31")).toBe(true);
    expect(html.replace(/<[^>]+>/g, "")).toMatch(/500 of 5000.*\$500\.00.*41 min.*median of 5000/s);
    expect(costOf(dashboard).rowsRead).toBeLessThanOrEqual(250);
    expect(costOf(dashboard).roundTrips).toBeLessThanOrEqual(3);
  } finally {
    vi.useRealTimers();
  }
});

describe("the charts' reads fail independently", () => {
  it("fills months without entries with 0", async () => {
    const { monthly, payments, categories } = (await analytics(2026)).charts;
    const sales = monthly.data?.sales;
    expect(sales).toHaveLength(12);
    expect(sales?.slice(10)).toEqual([0, 0]);
    expect(sales?.slice(0, 10).every((amount) => amount > 0)).toBe(true);
    expect(payments.data?.map(({ mode }) => mode)).toEqual(["CASH", "EMT", "CARD"]);
    const amounts = categories.data?.map(({ amount }) => amount) ?? [];
    expect(amounts).toHaveLength(9);
    expect(amounts.toSorted((a, b) => b - a)).toEqual(amounts);
  });

  it.each([
    ["sale_months", ["monthly", "versus"]],
    ["expense_months", ["versus"]],
    ["sale_totals", ["categories", "payments"]],
  ])("loses only the charts that read %s", async (table, failed) => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { charts } = await analytics(2026, failing(table));
    const lost = CHARTS.filter(({ id }) => charts[id].data === null);
    expect(lost.map(({ id }) => id)).toEqual(failed);
    errors.mockClear();
  });

  it("returns twelve zeros for a year without entries", async () => {
    expect((await analytics(2031)).charts.monthly).toEqual({
      data: { sales: Array(12).fill(0) },
      failure: null,
    });
  });
});
