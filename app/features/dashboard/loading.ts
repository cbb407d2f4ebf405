import { EXPENSE_TYPES } from "~/features/ledger/enums";
import type { BusinessExpenses, SaleTotals } from "~/features/ledger/views";
import { UNKNOWN } from "./Amount";
import type { DashboardPage } from "./page.server";

const SALES: SaleTotals = {
  totalAmount: UNKNOWN,
  cashAmount: UNKNOWN,
  emtAmount: UNKNOWN,
  cardAmount: UNKNOWN,
  todayAmount: UNKNOWN,
  yesterdayAmount: UNKNOWN,
  currentMonthAmount: UNKNOWN,
  lastMonthAmount: UNKNOWN,
  engravingCardAmount: UNKNOWN,
  engravingCashAmount: UNKNOWN,
  engravingEmtAmount: UNKNOWN,
  nonEngravingCardAmount: UNKNOWN,
  nonEngravingCashAmount: UNKNOWN,
  nonEngravingEmtAmount: UNKNOWN,
};

const EXPENSES = Object.fromEntries(
  ["totalAmount", ...EXPENSE_TYPES.map((type) => type.toLowerCase())].map((name) => [name, UNKNOWN]),
) as BusinessExpenses;

const NO_DAYS = { from: "", to: "" };

/** A dashboard of which nothing is known yet: the real one's size, 'Loading...' in place of every amount. */
export const LOADING: DashboardPage = {
  sales: SALES,
  salesFailed: false,
  expenses: { totalAmount: UNKNOWN, emporia: EXPENSES, laser: EXPENSES },
  expensesFailed: false,
  days: { today: "", yesterday: "", month: NO_DAYS, lastMonth: NO_DAYS },
  failure: null,
};
