import { timestamp } from "~/http/fields";
import { operation, type StaffContext } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { localDay } from "../days";
import { businessName, expenseTypeName } from "../enums";
import { dollars, formatDay } from "../labels";
import type { ListParams } from "../list-params";
import { findEntry } from "../queries/entries.queries.server";
import { EXPENSES } from "../queries/tables.server";
import { EntryInput, ExpenseChanges, ExpenseForm, ExpenseInput, ExpenseListInput } from "../schema";
import type { ExpenseRow, ExpenseView, ListPage } from "../views";
import { add, type EntryKind, listFor, remove, restore, update } from "./entries.server";
import { readPage } from "./listing.server";

function expenseView(row: ExpenseRow): ExpenseView {
  const { id, description, expenseType, businessType, amountCents, createdAt } = row;
  return {
    id,
    description,
    expenseType,
    businessType,
    amount: amountCents / 100,
    createdAt: timestamp(createdAt),
  };
}

const expense: EntryKind<ExpenseRow, ExpenseView> = {
  book: EXPENSES,
  title: "Expense",
  view: expenseView,
  said: (row) => ({
    description: row.description,
    expenseType: expenseTypeName(row.expenseType),
    businessType: businessName(row.businessType),
    amountCents: dollars(row.amountCents),
    day: formatDay(row.day),
  }),
};

/** GET expense/all: newest first unless sorted. */
export const listExpenses = operation({
  access: "staff",
  input: ExpenseListInput,
  run: ({ input, ...context }) => listFor(expense, context, input),
});

/**
 * Adds one; with an `id` of the client's making it may be sent twice.
 *
 * @throws AppError conflict when the id names another expense or a deleted one
 */
export const addExpense = operation({
  access: "staff",
  input: ExpenseInput,
  status: 201,
  run: ({ input, ...context }) => add(expense, context, input),
});

/**
 * Changes one; a missing key stays as it was.
 *
 * @throws AppError notFound; conflict, when a version was given and is no longer the present one
 */
export const updateExpense = operation({
  access: "staff",
  input: ExpenseChanges,
  run: ({ input, ...context }) => update(expense, context, input),
});

/**
 * Changes one by its whole form.
 *
 * @throws AppError notFound; conflict, when somebody else has changed it since the form was opened
 */
export const updateExpenseByForm = operation({
  access: "staff",
  input: ExpenseForm,
  run: ({ input, ...context }) => update(expense, context, input),
});

/**
 * Deletes one; it can be put back until the nightly cron.
 *
 * @throws AppError notFound
 */
export const deleteExpense = operation({
  access: "staff",
  input: EntryInput,
  run: ({ input, ...context }) => remove(expense, context, input.id),
});

/**
 * Undo: puts a deleted one back, with the id it had.
 *
 * @throws AppError notFound
 */
export const restoreExpense = operation({
  access: "staff",
  input: EntryInput,
  run: ({ input, ...context }) => restore(expense, context, input.id),
});

/** Reads one page of the expenses screen. */
export function expensesPage(
  { db, settings }: StaffContext,
  params: ListParams,
): Promise<ListPage<ExpenseRow>> {
  return readPage(db, EXPENSES, params, settings.timezone);
}

/** Reads one expense for a dialog; null when it does not exist. */
export async function expenseRow({ db }: StaffContext, id: string): Promise<ExpenseRow | null> {
  return (await findEntry<ExpenseRow>(db, EXPENSES, id)) ?? null;
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
