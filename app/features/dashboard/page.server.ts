import { dayAfter, localDay, monthBefore } from "~/features/ledger/days";
import { Nothing } from "~/features/ledger/schema";
import { operation } from "~/http/operation.server";
import { type DashboardFigures, dashboardFigures } from "./figures.server";
import type { Days } from "./rows";

/** Data of the dashboard. */
export interface DashboardPage extends DashboardFigures {
  days: Days;
  /** Error message when neither sales nor expenses could be read. */
  failure: string | null;
}

/** Reads the dashboard: its figures and the dates they cover. */
export const readDashboard = operation({
  access: "staff",
  input: Nothing,
  async run({ input: _, ...context }): Promise<DashboardPage> {
    const figures = await dashboardFigures(context);
    const hasFailed = figures.salesFailed && figures.expensesFailed;
    return {
      ...figures,
      days: daysOf(localDay(context.now, context.settings.timezone)),
      failure: hasFailed ? "Failed to fetch dashboard data" : null,
    };
  },
});

/** Computes the dates that the dashboard links to. */
export function daysOf(today: string): Days {
  const month = today.slice(0, 7);
  return {
    today,
    yesterday: dayAfter(today, -1),
    month: wholeMonth(month),
    lastMonth: wholeMonth(monthBefore(month)),
  };
}

/** @param month `YYYY-MM` */
function wholeMonth(month: string): { from: string; to: string } {
  const from = `${month}-01`;
  const nextMonth = dayAfter(from, 31).slice(0, 7);
  return { from, to: dayAfter(`${nextMonth}-01`, -1) };
}
