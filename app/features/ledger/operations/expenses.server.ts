import type { Listing } from "~/http/api-route.server";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { localDay } from "../days";
import type { ExpensePlace } from "../place";
import { EntryInput, ExpenseChanges, ExpenseForm, ExpenseInput, ExpenseListInput } from "../schema";
import type { ExpenseRow, ExpenseView, ListPage } from "../views";

const soon = () => new AppError("notImplemented", "This part of the shop is not open yet.");

export const listExpenses = operation({
  access: "staff",
  input: ExpenseListInput,
  run: async (): Promise<Listing<ExpenseView> | Response> => {
    throw soon();
  },
});
export const addExpense = operation({
  access: "staff",
  input: ExpenseInput,
  status: 201,
  run: async (): Promise<ExpenseView> => {
    throw soon();
  },
});
export const updateExpense = operation({
  access: "staff",
  input: ExpenseChanges,
  run: async (): Promise<ExpenseView> => {
    throw soon();
  },
});
export const updateExpenseByForm = operation({
  access: "staff",
  input: ExpenseForm,
  run: async (): Promise<ExpenseView> => {
    throw soon();
  },
});
export const deleteExpense = operation({
  access: "staff",
  input: EntryInput,
  run: async (): Promise<{ message: string; deleted: ExpenseView }> => {
    throw soon();
  },
});
export const restoreExpense = operation({
  access: "staff",
  input: EntryInput,
  run: async (): Promise<ExpenseView> => {
    throw soon();
  },
});
export async function expensesPage(
  _context: RequestContext,
  _place: ExpensePlace,
): Promise<ListPage<ExpenseRow>> {
  throw soon();
}
export async function expenseRow(_context: RequestContext, _id: string): Promise<ExpenseRow | null> {
  throw soon();
}

/** What a new expense's form holds; createdAt is today, YYYY-MM-DD. */
export function newExpense({ now, settings }: RequestContext) {
  return {
    description: "",
    expenseType: "SHIPPING",
    businessType: "EMPORIA",
    amount: 0,
    createdAt: localDay(now, settings.timezone),
  } as const;
}
