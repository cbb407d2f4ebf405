import { dayAfter, localDay, monthBefore } from "~/features/ledger/days";
import type { RequestContext } from "~/http/request-context.server";
import { type DashboardFigures, dashboardFigures } from "./figures.server";
import type { Days } from "./rows";

/** What the dashboard shows. */
export interface DashboardPage extends DashboardFigures {
  days: Days;
  /** Said when nothing at all could be read (back office 8). */
  failure: string | null;
}

/**
 * The dashboard's figures and the days that they are of. The caller must have made sure that a member of staff asks.
 */
export async function dashboardPage(context: RequestContext): Promise<DashboardPage> {
  const figures = await dashboardFigures(context);
  const isLost = figures.salesFailed && figures.expensesFailed;
  return {
    ...figures,
    days: daysOf(localDay(context.now, context.settings.timezone)),
    failure: isLost ? "Failed to fetch dashboard data" : null,
  };
}

/** The days around a day of the shop. */
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
