import { EXPENSE_TYPES } from "~/features/ledger/kinds";
import {
  expenseMonths,
  expenseTotals,
  saleCategories,
  saleMonths,
  salePayments,
  saleTotals,
} from "~/features/ledger/operations.server";
import type { BusinessExpenses, ExpenseTotals, SaleTotals } from "~/features/ledger/views";
import { orNull } from "~/http/page.server";
import type { RequestContext } from "~/http/request-context.server";
import { monthSeries, paymentSlices, type Slice } from "./figures";

const NO_SALES: SaleTotals = {
  totalAmount: 0,
  cashAmount: 0,
  emtAmount: 0,
  cardAmount: 0,
  todayAmount: 0,
  yesterdayAmount: 0,
  currentMonthAmount: 0,
  lastMonthAmount: 0,
  engravingCardAmount: 0,
  engravingCashAmount: 0,
  engravingEmtAmount: 0,
  nonEngravingCardAmount: 0,
  nonEngravingCashAmount: 0,
  nonEngravingEmtAmount: 0,
};

const noExpenses = () =>
  Object.fromEntries(
    ["totalAmount", ...EXPENSE_TYPES.map((type) => type.toLowerCase())].map((name) => [name, 0]),
  ) as BusinessExpenses;

/** What the dashboard shows, in cents. A call that failed shows zeros and its flag; the other one stays. */
export interface DashboardFigures {
  sales: SaleTotals;
  salesFailed: boolean;
  expenses: ExpenseTotals;
  expensesFailed: boolean;
}

/**
 * The dashboard's figures (back office 2 and 8): both calls in one round trip; they fail apart from each other.
 * The caller must have made sure that a member of staff asks.
 */
export async function dashboardFigures(context: RequestContext): Promise<DashboardFigures> {
  const [sales, expenses] = await Promise.all([orNull(saleTotals(context)), orNull(expenseTotals(context))]);
  return {
    sales: sales ?? NO_SALES,
    salesFailed: sales === null,
    expenses: expenses ?? { totalAmount: 0, emporia: noExpenses(), laser: noExpenses() },
    expensesFailed: expenses === null,
  };
}

/** What the graphs show, in cents; null where the call failed: that chart stays empty. */
export interface GraphFigures {
  /** Twelve amounts from January on. */
  monthlySales: number[] | null;
  monthlyExpenses: number[] | null;
  /** As stored, largest first. */
  categories: { category: string; amount: number }[] | null;
  payments: Slice[] | null;
}

/**
 * The figures of the four graphs (back office 2, Graphs): one round trip, each fails apart from the others.
 *
 * @param year of the two charts by month, 2000 to 2099
 */
export async function graphFigures(context: RequestContext, year: number): Promise<GraphFigures> {
  const [sales, expenses, categories, payments] = await Promise.all([
    orNull(saleMonths(context, year)),
    orNull(expenseMonths(context, year)),
    orNull(saleCategories(context)),
    orNull(salePayments(context)),
  ]);
  return {
    monthlySales: sales && monthSeries(sales),
    monthlyExpenses: expenses && monthSeries(expenses),
    categories: categories?.toSorted((a, b) => b.amount - a.amount) ?? null,
    payments: payments && paymentSlices(payments),
  };
}
