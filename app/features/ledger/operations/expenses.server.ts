import { timestamp } from "~/http/fields";
import { operation, type StaffContext } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import type { ListParams } from "~/ui/DataTable/list-params";
import { formatDay } from "~/ui/dates";
import { dollars } from "~/ui/money";
import { localDay } from "../days";
import { businessName, expenseTypeName } from "../enums";
import { findEntry } from "../queries/entries.queries.server";
import { EXPENSES } from "../queries/tables.server";
import { EntryInput, ExpenseChanges, ExpenseForm, ExpenseInput, ExpenseListInput } from "../schema";
import type { ExpenseRow, ExpenseView, ListPage } from "../views";
import { add, type EntryKind, listEntries, remove, restore, update } from "./entries.server";
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
  table: EXPENSES,
  title: "Expense",
  view: expenseView,
  labels: (row) => ({
    description: row.description,
    expenseType: expenseTypeName(row.expenseType),
    businessType: businessName(row.businessType),
    amountCents: dollars(row.amountCents),
    day: formatDay(row.day),
  }),
};

export const listExpenses = operation({
  access: "staff",
  input: ExpenseListInput,
  run: ({ input, ...context }) => listEntries(expense, context, input),
});

/** @throws AppError conflict when the id belongs to another expense or a deleted one */
export const addExpense = operation({
  access: "staff",
  input: ExpenseInput,
  status: 201,
  run: ({ input, ...context }) => add(expense, context, input),
});

/**
 * Updates the given fields.
 *
 * @throws AppError notFound; conflict when the given version is outdated
 */
export const updateExpense = operation({
  access: "staff",
  input: ExpenseChanges,
  run: ({ input, ...context }) => update(expense, context, input),
});

/**
 * Updates all fields from a form.
 *
 * @throws AppError notFound; conflict when somebody else has changed them since the form was opened
 */
export const updateExpenseByForm = operation({
  access: "staff",
  input: ExpenseForm,
  run: ({ input, ...context }) => update(expense, context, input),
});

/** @throws AppError notFound */
export const deleteExpense = operation({
  access: "staff",
  input: EntryInput,
  run: ({ input, ...context }) => remove(expense, context, input.id),
});

/** @throws AppError notFound when the expense was purged */
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

/** Returns the values of a new expense; createdAt is today. */
export function newExpense({ now, settings }: RequestContext) {
  return {
    description: "",
    expenseType: "SHIPPING",
    businessType: "EMPORIA",
    amount: 0,
    createdAt: localDay(now, settings.timezone),
  } as const;
}
