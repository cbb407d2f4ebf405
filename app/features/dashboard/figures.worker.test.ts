import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { openDb } from "~/db/client.server";
import type { StaffContext } from "~/http/operation.server";
import { generateLedger } from "../../../scripts/seed/generated-ledger";
import { ledgerContext } from "../../../tests/support/ledger";
import { analyticsFigures, dashboardFigures } from "./figures.server";

/** The newest generated day. */
const NOW = Date.parse("2026-10-31T20:00:00Z") / 1000;

beforeAll(() => generateLedger(env.DB, 3000, 1500));

/** A request whose D1 fails for whatever names a table. */
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

describe("the dashboard's calls fail apart (back office 8)", () => {
  it("both stand when nothing fails", async () => {
    const { sales, salesFailed, expenses, expensesFailed } = await dashboardFigures(ledgerContext(NOW));
    expect([salesFailed, expensesFailed]).toEqual([false, false]);
    const { cashAmount, emtAmount, cardAmount, totalAmount, todayAmount, currentMonthAmount } = sales;
    expect(cashAmount + emtAmount + cardAmount).toBe(totalAmount);
    expect(todayAmount).toBeGreaterThan(0);
    expect(currentMonthAmount).toBeGreaterThan(todayAmount);
    expect(expenses.emporia.totalAmount + expenses.laser.totalAmount).toBe(expenses.totalAmount);
  });

  it.each(["sale_days", "sale_totals", "sale_months"])(
    "sales are zeros without %s; expenses stay",
    async (table) => {
      const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
      const figures = await dashboardFigures(failing(table));
      expect(figures.salesFailed).toBe(true);
      expect(new Set(Object.values(figures.sales))).toEqual(new Set([0]));
      expect(figures.expenses).toEqual((await dashboardFigures(ledgerContext(NOW))).expenses);
      errors.mockClear();
    },
  );

  it("expenses are zeros without expense_totals; sales stay", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const figures = await dashboardFigures(failing("expense_totals"));
    expect(figures.expensesFailed).toBe(true);
    expect(figures.expenses.emporia).toMatchObject({ totalAmount: 0, shipping: 0, others: 0 });
    expect(figures.sales.totalAmount).toBeGreaterThan(0);
    errors.mockClear();
  });
});

describe("the four graphs are settled apart (back office 2, Graphs)", () => {
  it("months that have nothing are 0", async () => {
    const figures = await analyticsFigures(ledgerContext(NOW), 2026);
    expect(figures.monthlySales.value).toHaveLength(12);
    expect(figures.monthlySales.value?.slice(10)).toEqual([0, 0]);
    expect(figures.monthlySales.value?.slice(0, 10).every((amount) => amount > 0)).toBe(true);
    expect(figures.payments.value?.map(({ name }) => name)).toEqual(["Cash", "EMT", "Card"]);
    const amounts = figures.categories.value?.map(({ amount }) => amount) ?? [];
    expect(amounts).toHaveLength(9);
    expect(amounts.toSorted((a, b) => b - a)).toEqual(amounts);
  });

  it.each([
    ["sale_months", ["monthlySales"]],
    ["expense_months", ["monthlyExpenses"]],
    ["sale_totals", ["categories", "payments"]],
  ])("without %s only what it is drawn from is empty", async (table, empty) => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const figures = await analyticsFigures(failing(table), 2026);
    const missing = Object.entries(figures).flatMap(([name, { value }]) => (value === null ? [name] : []));
    expect(missing).toEqual(empty);
    errors.mockClear();
  });

  it("a year without entries is twelve zeros", async () => {
    const { monthlySales } = await analyticsFigures(ledgerContext(NOW), 2031);
    expect(monthlySales).toEqual({ value: Array(12).fill(0), message: null });
  });
});
