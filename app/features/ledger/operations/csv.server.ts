import { categoryName } from "~/features/catalogue/categories";
import { type Cells, csvFile } from "~/http/csv.server";
import type { RequestContext } from "~/http/request-context.server";
import { localDay } from "../days";
import { businessName, expenseTypeName, PAYMENT_NAMES } from "../enums";
import type { ListParams } from "../list-params";
import { type EntryTable, EXPENSES, INVOICES } from "../queries/tables.server";
import type { ExpenseRow, InvoiceRow } from "../views";
import { queryAt, readAll } from "./listing.server";

const amountOf = (cents: number) => (cents / 100).toFixed(2);

/** Invoices that match, in the order asked for, as a CSV file: every page of them. */
export function invoicesCsv(context: RequestContext, place: ListParams): Response {
  const head = ["Description", "Category", "Business", "Quantity", "Payment Mode", "Amount", "Billing Date"];
  const { name } = context.settings;
  return csv<InvoiceRow>(context, INVOICES, place, head, (row) => [
    row.description,
    categoryName(row.category),
    businessName(row.businessType, name),
    row.quantity,
    PAYMENT_NAMES[row.paymentMode],
    amountOf(row.amountCents),
    row.day,
  ]);
}

/** Expenses that match, in the order asked for, as a CSV file: every page of them. */
export function expensesCsv(context: RequestContext, place: ListParams): Response {
  const head = ["Expense Type", "Description", "Business Type", "Amount", "Created At"];
  const { name } = context.settings;
  return csv<ExpenseRow>(context, EXPENSES, place, head, (row) => [
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
  place: ListParams,
  head: string[],
  cells: (row: Row) => Cells,
): Response {
  const query = queryAt(book, place, settings.timezone);
  const chunks = async function* () {
    for await (const rows of readAll<Row>(db, book, query)) yield rows.map(cells);
  };
  return csvFile(`${book.table}-${localDay(now, settings.timezone)}`, head, chunks());
}
