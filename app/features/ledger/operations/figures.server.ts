import { CATEGORIES } from "~/domain/categories";
import { addDays, localDay, monthBefore } from "~/domain/days";
import { BUSINESSES, type Business, EXPENSE_TYPES, type PaymentMode } from "~/domain/enums";
import { operation, type StaffContext } from "~/http/operation.server";
import { Categories, ExpenseFigures, Months, SaleFigures } from "../answers";
import {
  EVERYTHING,
  findExpenseTotals,
  findMonths,
  findSalesWithin,
  findSaleTotals,
  type PeriodSum,
  type SaleSum,
} from "../queries/sums.server";
import { Nothing, YearInput } from "../schema";
import type { BusinessExpenses, CategoryAmount, ExpenseTotals, MonthAmount, SaleTotals } from "../views";

const ENGRAVING = "ENGRAVING";
const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0);
const cents = (rows: { amountCents: number }[]) => sum(rows.map(({ amountCents }) => amountCents));
/** Returns the amount of a day or month, 0 without entries. */
const amountOf = (rows: { period: string; amountCents: number }[], period: string) =>
  cents(rows.filter((row) => row.period === period));

/**
 * Reads the sales totals in cents; days and months are in SHOP_TIMEZONE and only depend on the scope's business.
 *
 * @param sums of the scope's business by day, where the caller has them: today and yesterday at least
 */
export async function saleTotals(
  { db, now, settings }: StaffContext,
  scope = EVERYTHING,
  sums?: Promise<PeriodSum[]>,
): Promise<SaleTotals> {
  const today = localDay(now, settings.timezone);
  const yesterday = addDays(today, -1);
  const month = today.slice(0, 7);
  const lastMonth = monthBefore(month);
  const [totals, days, months] = await Promise.all([
    findSaleTotals(db, scope),
    sums ?? findSalesWithin(db, yesterday, today, scope.business),
    findMonths(db, "sale", { from: lastMonth, to: month }, scope.business),
  ]);
  const salesBy = (mode: PaymentMode, isEngraving?: boolean) =>
    cents(
      totals.filter(
        ({ category, paymentMode }) =>
          paymentMode === mode && (isEngraving === undefined || (category === ENGRAVING) === isEngraving),
      ),
    );
  return {
    totalAmount: cents(totals),
    cashAmount: salesBy("CASH"),
    emtAmount: salesBy("EMT"),
    cardAmount: salesBy("CARD"),
    todayAmount: amountOf(days, today),
    yesterdayAmount: amountOf(days, yesterday),
    currentMonthAmount: amountOf(months, month),
    lastMonthAmount: amountOf(months, lastMonth),
    engravingCardAmount: salesBy("CARD", true),
    engravingCashAmount: salesBy("CASH", true),
    engravingEmtAmount: salesBy("EMT", true),
    nonEngravingCardAmount: salesBy("CARD", false),
    nonEngravingCashAmount: salesBy("CASH", false),
    nonEngravingEmtAmount: salesBy("EMT", false),
  };
}

/** Sums sales by payment mode, in cents. */
export function modeAmounts(totals: SaleSum[]): Pick<SaleTotals, "cashAmount" | "emtAmount" | "cardAmount"> {
  const salesBy = (mode: PaymentMode) => cents(totals.filter(({ paymentMode }) => paymentMode === mode));
  return { cashAmount: salesBy("CASH"), emtAmount: salesBy("EMT"), cardAmount: salesBy("CARD") };
}

/** Sums sales by category, in cents, without empty categories. */
export const categoryAmounts = (totals: SaleSum[]): CategoryAmount[] =>
  CATEGORIES.flatMap((category) => {
    const rows = totals.filter((row) => row.category === category);
    return rows.length > 0 ? [{ category, amount: cents(rows) }] : [];
  });

/** Reads the months of a year that have sales, in cents. */
export async function saleMonths(
  { db }: StaffContext,
  year: number,
  business: Business | null = null,
): Promise<MonthAmount[]> {
  return (await findMonths(db, "sale", monthsOf(year), business)).map(monthAmount);
}

/** Reads the months of a year that have expenses, in cents. */
export async function expenseMonths(
  { db }: StaffContext,
  year: number,
  business: Business | null = null,
): Promise<MonthAmount[]> {
  return (await findMonths(db, "expense", monthsOf(year), business)).map(monthAmount);
}

const monthsOf = (year: number) => ({ from: `${year}-01`, to: `${year}-12` });

function monthAmount({ period, amountCents }: { period: string; amountCents: number }): MonthAmount {
  return { month: Number(period.slice(5)), amount: amountCents };
}

/** Reads expenses in cents by business and type. */
export async function expenseTotals({ db }: StaffContext, scope = EVERYTHING): Promise<ExpenseTotals> {
  const rows = await findExpenseTotals(db, scope);
  const [emporia, laser] = BUSINESSES.map((business) => {
    const own = rows.filter(({ businessType }) => businessType === business);
    const types = EXPENSE_TYPES.map((type): [string, number] => [
      type.toLowerCase(),
      cents(own.filter(({ expenseType }) => expenseType === type)),
    ]);
    return Object.fromEntries([["totalAmount", cents(own)], ...types]) as BusinessExpenses;
  }) as [BusinessExpenses, BusinessExpenses];
  return { totalAmount: cents(rows), emporia, laser };
}

/** Converts every number of a nested object from cents to dollars. */
function toDollars<T extends object>(figures: T): T {
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [
      name,
      typeof value === "number" ? value / 100 : toDollars(value),
    ]),
  ) as T;
}

function itemsToDollars<T extends { amount: number }>(items: T[]): T[] {
  return items.map((item) => ({ ...item, amount: item.amount / 100 }));
}

/** GET sale/all. */
export const readTotals = operation({
  route: "GET sale/all",
  summary: "Read the sums of sales",
  answer: SaleFigures,
  access: "manager",
  input: Nothing,
  run: async (context) => ({ totalSales: toDollars(await saleTotals(context)) }),
});

/** GET sale/year/{year}. */
export const salesByYear = operation({
  route: "GET sale/year/:year",
  summary: "Read the sales of each month of a year",
  answer: Months,
  access: "manager",
  input: YearInput,
  run: async (context) => itemsToDollars(await saleMonths(context, context.input.year)),
});

/** GET sale/category. */
export const salesByCategory = operation({
  route: "GET sale/category",
  summary: "Read the sales of each category",
  answer: Categories,
  access: "manager",
  input: Nothing,
  run: async ({ db }) => itemsToDollars(categoryAmounts(await findSaleTotals(db, EVERYTHING))),
});

/** GET expense/year/{year}. */
export const expensesByYear = operation({
  route: "GET expense/year/:year",
  summary: "Read the expenses of each month of a year",
  answer: Months,
  access: "manager",
  input: YearInput,
  run: async (context) => itemsToDollars(await expenseMonths(context, context.input.year)),
});

/** GET expense/totalExpensesAmount. */
export const readExpenseTotals = operation({
  route: "GET expense/totalExpensesAmount",
  summary: "Read the sums of expenses",
  answer: ExpenseFigures,
  access: "manager",
  input: Nothing,
  run: async (context) => ({ totalExpenses: toDollars(await expenseTotals(context)) }),
});
