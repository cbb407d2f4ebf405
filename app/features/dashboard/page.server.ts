import { cashStepCents } from "~/domain/cash-rounding";
import { localDay } from "~/domain/days";
import { parseScope, resolvePeriod, type Scope } from "~/domain/periods";
import { findFigures } from "~/features/bookkeeping/queries.server";
import type { BusinessFigures } from "~/features/bookkeeping/schema";
import { findUnreadChats } from "~/features/chat/list.queries.server";
import { reportSpan } from "~/features/chat/operations/list.server";
import { type ChatFigures, findChatFigures } from "~/features/chat/reports.queries.server";
import { expenseTotals, saleTotals } from "~/features/ledger/operations/figures.server";
import { findSalesWithin } from "~/features/ledger/queries/sums.server";
import type { ExpenseTotals, SaleTotals } from "~/features/ledger/views";
import { type FirstRun, readFirstRun } from "~/features/settings/first-run/page.server";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import { PageInput, resultOrNull } from "~/http/page.server";
import { staffRole } from "~/session/caller.server";
import { firstPageOf } from "~/session/first-page";
import {
  dashboardPeriods,
  type MonthToDate,
  monthToDate,
  type Periods,
  uniformExpenses,
  uniformSales,
} from "./figures";

/** Reads the data of the admin shell: the user's name, role and first page, and the unread chats. */
export const readAdminShell = operation({
  access: "staff",
  input: PageInput,
  async run({ db, user, cookies, settings }) {
    const { chats, isMore } = (await resultOrNull(findUnreadChats(db))) ?? { chats: [], isMore: false };
    const unread = { count: chats.reduce((sum, { unreadCount }) => sum + unreadCount, 0), isMore };
    return {
      userId: user.id,
      firstName: user.firstName,
      role: staffRole(user),
      firstPage: firstPageOf(user, cookies),
      lowStock: settings.sales.lowStock,
      cashStepCents: cashStepCents(settings.sales.cashRounding),
      unread,
    };
  },
});

/** Rejects an unknown path of the back office. @throws AppError notFound (404) */
export const unknownAdminPage = operation({
  access: "staff",
  input: PageInput,
  async run(): Promise<never> {
    throw new AppError("notFound", "Not found");
  },
});

/** Data of the dashboard, amounts in cents. Sales or expenses that cannot be read are zeros with their flag set. */
export interface DashboardPage {
  sales: SaleTotals;
  salesFailed: boolean;
  expenses: ExpenseTotals;
  expensesFailed: boolean;
  periods: Periods;
  scope: Scope;
  // The following are null after a failed read and while loading.
  profit: BusinessFigures[] | null;
  month: MonthToDate | null;
  chats: ChatFigures | null;
  /** Steps of a new shop; null where anything was sold or spent. */
  firstRun: FirstRun;
  /** Error message when neither sales nor expenses could be read. */
  failure: string | null;
}

/** Reads the dashboard in one D1 round trip; sales and expenses fail independently. */
export const readDashboard = operation({
  access: "manager",
  input: PageInput,
  async run({ input, ...context }): Promise<DashboardPage> {
    const scope = parseScope(new URL(input.url).searchParams);
    const today = localDay(context.now, context.settings.timezone);
    const period = resolvePeriod(scope.period, today);
    const scopeDays = { business: scope.business, days: period.days };
    const periods = dashboardPeriods(today);
    const salesByDay = findSalesWithin(context.db, periods.lastMonth.from, today, scope.business);
    const [sales, expenses, profit, month, chats] = await Promise.all([
      resultOrNull(saleTotals(context, scopeDays, salesByDay)),
      resultOrNull(expenseTotals(context, scopeDays)),
      resultOrNull(findFigures(context.db, period)),
      resultOrNull(salesByDay.then((sums) => monthToDate(today, sums))),
      resultOrNull(findChatFigures(context.db, reportSpan(context, scope.period), today, scope.business)),
    ]);
    const isEmpty = sales?.totalAmount === 0 && expenses?.totalAmount === 0;
    return {
      scope,
      periods,
      firstRun: isEmpty ? await readFirstRun.execute(context, input) : null,
      profit,
      month,
      chats,
      sales: sales ?? uniformSales(0),
      salesFailed: sales === null,
      expenses: expenses ?? uniformExpenses(0),
      expensesFailed: expenses === null,
      failure: sales === null && expenses === null ? "Failed to fetch dashboard data" : null,
    };
  },
});
