import { categoryName } from "~/features/catalogue/categories";
import { type CsvRow, csvFile } from "~/http/csv.server";
import { operation } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import type { RequestContext } from "~/http/request-context.server";
import { localDay } from "../days";
import { businessName, expenseTypeName, PAYMENT_NAMES } from "../enums";
import { type ListParams, parseExpenseListParams, parseInvoiceListParams } from "../list-params";
import { type EntryTable, EXPENSES, INVOICES } from "../queries/tables.server";
import type { ExpenseRow, InvoiceRow } from "../views";
import { queryAt, readAll } from "./listing.server";

const amountOf = (cents: number) => (cents / 100).toFixed(2);

/** Streams the invoices that match the list's URL, in its order, as a CSV file. */
export const invoicesCsv = operation({
  access: "staff",
  input: PageInput,
  run: async ({ input, ...context }) =>
    invoicesFile(context, parseInvoiceListParams(new URL(input.url).searchParams)),
});

/** Streams the expenses that match the list's URL, in its order, as a CSV file. */
export const expensesCsv = operation({
  access: "staff",
  input: PageInput,
  run: async ({ input, ...context }) =>
    expensesFile(context, parseExpenseListParams(new URL(input.url).searchParams)),
});

function invoicesFile(context: RequestContext, params: ListParams): Response {
  const head = ["Description", "Category", "Business", "Quantity", "Payment Mode", "Amount", "Billing Date"];
  const { name } = context.settings;
  return csv<InvoiceRow>(context, INVOICES, params, head, (row) => [
    row.description,
    categoryName(row.category),
    businessName(row.businessType, name),
    row.quantity,
    PAYMENT_NAMES[row.paymentMode],
    amountOf(row.amountCents),
    row.day,
  ]);
}

function expensesFile(context: RequestContext, params: ListParams): Response {
  const head = ["Expense Type", "Description", "Business Type", "Amount", "Created At"];
  const { name } = context.settings;
  return csv<ExpenseRow>(context, EXPENSES, params, head, (row) => [
    expenseTypeName(row.expenseType),
    row.description,
    businessName(row.businessType, name),
    amountOf(row.amountCents),
    row.day,
  ]);
}

function csv<Row>(
  { db, now, settings }: RequestContext,
  book: EntryTable,
  params: ListParams,
  head: string[],
  cells: (row: Row) => CsvRow,
): Response {
  const query = queryAt(book, params, settings.timezone);
  const chunks = async function* () {
    for await (const rows of readAll<Row>(db, book, query)) yield rows.map(cells);
  };
  return csvFile(`${book.table}-${localDay(now, settings.timezone)}`, head, chunks());
}
