import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { Nothing, YearInput } from "../schema";
import type { CategoryAmount, ExpenseTotals, MonthAmount, SaleTotals } from "../views";

const soon = () => new AppError("notImplemented", "This part of the shop is not open yet.");

export async function saleTotals(_context: RequestContext): Promise<SaleTotals> {
  throw soon();
}
export async function saleMonths(_context: RequestContext, _year: number): Promise<MonthAmount[]> {
  throw soon();
}
export async function saleCategories(_context: RequestContext): Promise<CategoryAmount[]> {
  throw soon();
}
export async function salePayments(
  _context: RequestContext,
): Promise<Pick<SaleTotals, "cashAmount" | "emtAmount" | "cardAmount">> {
  throw soon();
}
export async function expenseTotals(_context: RequestContext): Promise<ExpenseTotals> {
  throw soon();
}
export async function expenseMonths(_context: RequestContext, _year: number): Promise<MonthAmount[]> {
  throw soon();
}
export const readTotals = operation({
  access: "staff",
  input: Nothing,
  run: async (context): Promise<{ totalSales: SaleTotals }> => ({ totalSales: await saleTotals(context) }),
});
export const salesByYear = operation({
  access: "staff",
  input: YearInput,
  run: (context): Promise<MonthAmount[]> => saleMonths(context, context.input.year),
});
export const salesByCategory = operation({
  access: "staff",
  input: Nothing,
  run: (context): Promise<CategoryAmount[]> => saleCategories(context),
});
export const expensesByYear = operation({
  access: "staff",
  input: YearInput,
  run: (context): Promise<MonthAmount[]> => expenseMonths(context, context.input.year),
});
export const readExpenseTotals = operation({
  access: "staff",
  input: Nothing,
  run: async (context): Promise<{ totalExpenses: ExpenseTotals }> => ({
    totalExpenses: await expenseTotals(context),
  }),
});
