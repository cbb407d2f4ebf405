import { EXPENSE_TYPES } from "~/features/ledger/enums";
import {
  expenseMonths,
  expenseTotals,
  saleCategories,
  saleMonths,
  salePayments,
  saleTotals,
} from "~/features/ledger/operations.server";
import type { BusinessExpenses, CategoryAmount, ExpenseTotals, SaleTotals } from "~/features/ledger/views";
import { orNull, type Settled, settled } from "~/http/page.server";
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

/** What the graphs show, in cents; what could not be read says why. */
export interface GraphFigures {
  /** Twelve amounts from January on. */
  monthlySales: Settled<number[]>;
  monthlyExpenses: Settled<number[]>;
  /** As stored, largest first. */
  categories: Settled<CategoryAmount[]>;
  payments: Settled<Slice[]>;
}

/**
 * The figures of the four graphs (back office 2, Graphs): one round trip, each fails apart from the others.
 *
 * @param year of the two charts by month, 2000 to 2099
 */
export async function graphFigures(context: RequestContext, year: number): Promise<GraphFigures> {
  const [monthlySales, monthlyExpenses, categories, payments] = await Promise.all([
    settled(saleMonths(context, year).then(monthSeries)),
    settled(expenseMonths(context, year).then(monthSeries)),
    settled(saleCategories(context).then((rows) => rows.toSorted((a, b) => b.amount - a.amount))),
    settled(salePayments(context).then(paymentSlices)),
  ]);
  return { monthlySales, monthlyExpenses, categories, payments };
}
