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
import type { StaffContext } from "~/http/operation.server";
import { resultOrNull, type Settled, settledResult } from "~/http/page.server";
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

/** Dashboard figures in cents. A failed read yields zeros and sets its flag. */
export interface DashboardFigures {
  sales: SaleTotals;
  salesFailed: boolean;
  expenses: ExpenseTotals;
  expensesFailed: boolean;
}

/** Reads sales and expenses in one D1 round trip; each may fail without the other. */
export async function dashboardFigures(context: StaffContext): Promise<DashboardFigures> {
  const [sales, expenses] = await Promise.all([
    resultOrNull(saleTotals(context)),
    resultOrNull(expenseTotals(context)),
  ]);
  return {
    sales: sales ?? NO_SALES,
    salesFailed: sales === null,
    expenses: expenses ?? { totalAmount: 0, emporia: noExpenses(), laser: noExpenses() },
    expensesFailed: expenses === null,
  };
}

/** Chart figures in cents; a figure that could not be read carries its error message. */
export interface AnalyticsFigures {
  /** Twelve amounts from January on. */
  monthlySales: Settled<number[]>;
  monthlyExpenses: Settled<number[]>;
  /** As stored, largest first. */
  categories: Settled<CategoryAmount[]>;
  payments: Settled<Slice[]>;
}

/**
 * Reads the figures of the four charts in one D1 round trip; each may fail without the others.
 *
 * @param year of the two charts by month, 2000 to 2099
 */
export async function analyticsFigures(context: StaffContext, year: number): Promise<AnalyticsFigures> {
  const [monthlySales, monthlyExpenses, categories, payments] = await Promise.all([
    settledResult(saleMonths(context, year).then(monthSeries)),
    settledResult(expenseMonths(context, year).then(monthSeries)),
    settledResult(saleCategories(context).then((rows) => rows.toSorted((a, b) => b.amount - a.amount))),
    settledResult(salePayments(context).then(paymentSlices)),
  ]);
  return { monthlySales, monthlyExpenses, categories, payments };
}
