import { localDay } from "~/features/ledger/days";
import { expenseTotals, saleTotals } from "~/features/ledger/operations/figures.server";
import { Nothing } from "~/features/ledger/schema";
import type { ExpenseTotals, SaleTotals } from "~/features/ledger/views";
import { operation } from "~/http/operation.server";
import { resultOrNull } from "~/http/page.server";
import { dashboardPeriods, type Periods, uniformExpenses, uniformSales } from "./figures";

/** Data of the dashboard, in cents. A failed read yields zeros and sets its flag. */
export interface DashboardPage {
  sales: SaleTotals;
  salesFailed: boolean;
  expenses: ExpenseTotals;
  expensesFailed: boolean;
  periods: Periods;
  /** Error message when neither sales nor expenses could be read. */
  failure: string | null;
}

/** Reads the dashboard in one D1 round trip; sales and expenses fail independently. */
export const readDashboard = operation({
  access: "staff",
  input: Nothing,
  async run({ input: _, ...context }): Promise<DashboardPage> {
    const [sales, expenses] = await Promise.all([
      resultOrNull(saleTotals(context)),
      resultOrNull(expenseTotals(context)),
    ]);
    return {
      sales: sales ?? uniformSales(0),
      salesFailed: sales === null,
      expenses: expenses ?? uniformExpenses(0),
      expensesFailed: expenses === null,
      periods: dashboardPeriods(localDay(context.now, context.settings.timezone)),
      failure: sales === null && expenses === null ? "Failed to fetch dashboard data" : null,
    };
  },
});
