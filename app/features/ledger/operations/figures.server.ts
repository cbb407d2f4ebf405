import { CATEGORIES } from "~/features/catalogue/categories";
import { operation, type StaffContext } from "~/http/operation.server";
import { dayAfter, localDay, monthBefore } from "../days";
import { BUSINESSES, EXPENSE_TYPES, type PaymentMode } from "../enums";
import {
  findExpenseTotals,
  findMonths,
  findSalesOfDays,
  findSalesOfMonths,
  findSaleTotals,
} from "../queries/sums.queries.server";
import { Nothing, YearInput } from "../schema";
import type { BusinessExpenses, CategoryAmount, ExpenseTotals, MonthAmount, SaleTotals } from "../views";

const ENGRAVING = "ENGRAVING";
const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0);
const cents = (rows: { amountCents: number }[]) => sum(rows.map(({ amountCents }) => amountCents));
/** The amount of a day or month, 0 where it has none. */
const amountOf = (rows: { period: string; amountCents: number }[], period: string) =>
  cents(rows.filter((row) => row.period === period));

/**
 * Sales in cents (back office 3, Sales totals). Today, yesterday and the months are the shop's own (SHOP_TIMEZONE);
 * engraving is the category ENGRAVING (contract: Settled).
 */
export async function saleTotals({ db, now, settings }: StaffContext): Promise<SaleTotals> {
  const today = localDay(now, settings.timezone);
  const yesterday = dayAfter(today, -1);
  const month = today.slice(0, 7);
  const lastMonth = monthBefore(month);
  const [totals, days, months] = await Promise.all([
    findSaleTotals(db),
    findSalesOfDays(db, [today, yesterday]),
    findSalesOfMonths(db, [month, lastMonth]),
  ]);
  const of = (mode: PaymentMode, isEngraving?: boolean) =>
    cents(
      totals.filter(
        ({ category, paymentMode }) =>
          paymentMode === mode && (isEngraving === undefined || (category === ENGRAVING) === isEngraving),
      ),
    );
  return {
    totalAmount: cents(totals),
    cashAmount: of("CASH"),
    emtAmount: of("EMT"),
    cardAmount: of("CARD"),
    todayAmount: amountOf(days, today),
    yesterdayAmount: amountOf(days, yesterday),
    currentMonthAmount: amountOf(months, month),
    lastMonthAmount: amountOf(months, lastMonth),
    engravingCardAmount: of("CARD", true),
    engravingCashAmount: of("CASH", true),
    engravingEmtAmount: of("EMT", true),
    nonEngravingCardAmount: of("CARD", false),
    nonEngravingCashAmount: of("CASH", false),
    nonEngravingEmtAmount: of("EMT", false),
  };
}

/** Sales by payment mode in cents, for the pie. */
export async function salePayments({
  db,
}: StaffContext): Promise<Pick<SaleTotals, "cashAmount" | "emtAmount" | "cardAmount">> {
  const totals = await findSaleTotals(db);
  const of = (mode: PaymentMode) => cents(totals.filter(({ paymentMode }) => paymentMode === mode));
  return { cashAmount: of("CASH"), emtAmount: of("EMT"), cardAmount: of("CARD") };
}

/** Sales by category in cents, in the spec's order; categories without sales are left out. */
export async function saleCategories({ db }: StaffContext): Promise<CategoryAmount[]> {
  const totals = await findSaleTotals(db);
  return CATEGORIES.flatMap((category) => {
    const rows = totals.filter((row) => row.category === category);
    return rows.length > 0 ? [{ category, amount: cents(rows) }] : [];
  });
}

/** Sales by month of a year in cents, only months that have any. */
export async function saleMonths({ db }: StaffContext, year: number): Promise<MonthAmount[]> {
  return (await findMonths(db, "sales", year)).map(monthAmount);
}

/** Expenses by month of a year in cents, only months that have any. */
export async function expenseMonths({ db }: StaffContext, year: number): Promise<MonthAmount[]> {
  return (await findMonths(db, "expenses", year)).map(monthAmount);
}

function monthAmount({ period, amountCents }: { period: string; amountCents: number }): MonthAmount {
  return { month: Number(period.slice(5)), amount: amountCents };
}

/** Expenses in cents by business and type (back office 3, Expense totals). */
export async function expenseTotals({ db }: StaffContext): Promise<ExpenseTotals> {
  const rows = await findExpenseTotals(db);
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

/** The same figures in dollars. */
function inDollars<T extends object>(figures: T): T {
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [
      name,
      typeof value === "number" ? value / 100 : inDollars(value),
    ]),
  ) as T;
}

/** Amounts of months or categories in dollars. */
function itemsInDollars<T extends { amount: number }>(items: T[]): T[] {
  return items.map((item) => ({ ...item, amount: item.amount / 100 }));
}

/** GET sale/all. */
export const readTotals = operation({
  access: "staff",
  input: Nothing,
  run: async (context) => ({ totalSales: inDollars(await saleTotals(context)) }),
});

/** GET sale/year/{year}. */
export const salesByYear = operation({
  access: "staff",
  input: YearInput,
  run: async (context) => itemsInDollars(await saleMonths(context, context.input.year)),
});

/** GET sale/category. */
export const salesByCategory = operation({
  access: "staff",
  input: Nothing,
  run: async (context) => itemsInDollars(await saleCategories(context)),
});

/** GET expense/year/{year}. */
export const expensesByYear = operation({
  access: "staff",
  input: YearInput,
  run: async (context) => itemsInDollars(await expenseMonths(context, context.input.year)),
});

/** GET expense/totalExpensesAmount. */
export const readExpenseTotals = operation({
  access: "staff",
  input: Nothing,
  run: async (context) => ({ totalExpenses: inDollars(await expenseTotals(context)) }),
});
