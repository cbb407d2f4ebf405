import { openDb } from "~/db/client.server";
import { DAY_SECONDS } from "~/db/durations";
import { categoryName } from "~/features/catalogue/links";
import { timestamp } from "~/http/fields";
import { formatDay } from "~/ui/format";
import { dollars } from "~/ui/money";
import { businessName, expenseTypeName, PAYMENT_NAMES } from "../enums";
import { findDifferences, purgeDeleted } from "../queries/entries.queries.server";
import { EXPENSES, INVOICES } from "../queries/tables.server";
import {
  ExpenseChanges,
  ExpenseForm,
  ExpenseInput,
  ExpenseListInput,
  InvoiceChanges,
  InvoiceForm,
  InvoiceInput,
  InvoiceListInput,
} from "../schema";
import type { ExpenseRow, ExpenseView, InvoiceRow, InvoiceView } from "../views";
import { entryOperations } from "./entries.server";

function invoiceView(row: InvoiceRow): InvoiceView {
  const { id, description, category, quantity, paymentMode, businessType, amountCents, createdAt } = row;
  return {
    id,
    description,
    category,
    quantity,
    paymentMode,
    businessType,
    amount: amountCents / 100,
    createdAt: timestamp(createdAt),
  };
}

export const invoices = entryOperations<InvoiceRow, InvoiceView>({
  table: INVOICES,
  title: "Invoice",
  schemas: { list: InvoiceListInput, add: InvoiceInput, changes: InvoiceChanges, form: InvoiceForm },
  view: invoiceView,
  labels: (row) => ({
    description: row.description,
    category: categoryName(row.category),
    quantity: String(row.quantity),
    paymentMode: PAYMENT_NAMES[row.paymentMode],
    businessType: businessName(row.businessType),
    amountCents: dollars(row.amountCents),
    day: formatDay(row.day),
  }),
});

function expenseView(row: ExpenseRow): ExpenseView {
  const { id, description, expenseType, businessType, amountCents, taxCents, createdAt } = row;
  return {
    id,
    description,
    expenseType,
    businessType,
    amount: amountCents / 100,
    ...(taxCents > 0 && { taxAmount: taxCents / 100 }),
    createdAt: timestamp(createdAt),
  };
}

export const expenses = entryOperations<ExpenseRow, ExpenseView>({
  table: EXPENSES,
  title: "Expense",
  schemas: { list: ExpenseListInput, add: ExpenseInput, changes: ExpenseChanges, form: ExpenseForm },
  view: expenseView,
  labels: (row) => ({
    description: row.description,
    expenseType: expenseTypeName(row.expenseType),
    businessType: businessName(row.businessType),
    amountCents: dollars(row.amountCents),
    taxCents: dollars(row.taxCents),
    day: formatDay(row.day),
  }),
});

/** Seconds that a deleted entry can be restored. */
const UNDO_SECONDS = DAY_SECONDS;
/** Differences in one log entry. */
const MAX_LOGGED = 20;

/** Compares the ledger's sums with their rows and logs an error when they differ. Runs nightly. */
export async function checkLedger(env: Env): Promise<void> {
  const differences = await findDifferences(openDb(env.DB, null).db);
  if (differences.length === 0) return;
  const lines = differences
    .slice(0, MAX_LOGGED)
    .map(({ sums, key, stored, expected }) => `${sums} ${key}: ${stored} stored, ${expected} expected`);
  console.error(`The ledger's sums differ from its rows (${differences.length}):\n${lines.join("\n")}`);
}

/** Purges entries that were deleted a day ago or earlier. Runs nightly. */
export async function purgeDeletedEntries(env: Env): Promise<void> {
  await purgeDeleted(openDb(env.DB, null).db, Math.floor(Date.now() / 1000) - UNDO_SECONDS);
}
