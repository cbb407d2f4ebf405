import Papa from "papaparse";
import { categoryName } from "~/features/catalogue/categories";
import type { RequestContext } from "~/http/request-context.server";
import { localDay } from "../days";
import { businessName, expenseTypeName, PAYMENT_NAMES } from "../kinds";
import type { ExpensePlace, InvoicePlace } from "../place";
import { type Book, EXPENSES, INVOICES } from "../queries/books.server";
import type { ExpenseRow, InvoiceRow } from "../views";
import { expenseQuery } from "./expenses.server";
import { invoiceQuery } from "./invoices.server";
import { type Query, readAll } from "./listing.server";
import { streamed } from "./streams.server";

/** Cells that a spreadsheet would take for a formula (budgets: Safe). */
const FORMULA = /^[=+\-@\t\r]/;
/** Tells spreadsheets that the text is UTF-8. */
const BOM = "\ufeff";

type Cells = (string | number)[];

const amountOf = (cents: number) => (cents / 100).toFixed(2);

/** Invoices that match, in the order asked for, as a CSV file: every page of them. */
export function invoicesCsv(context: RequestContext, place: InvoicePlace): Response {
  const head = ["Description", "Category", "Business", "Quantity", "Payment Mode", "Amount", "Billing Date"];
  const { name, timezone } = context.settings;
  return csv<InvoiceRow>(context, INVOICES, invoiceQuery(place, timezone), head, (row) => [
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
export function expensesCsv(context: RequestContext, place: ExpensePlace): Response {
  const head = ["Expense Type", "Description", "Business Type", "Amount", "Created At"];
  const { name, timezone } = context.settings;
  return csv<ExpenseRow>(context, EXPENSES, expenseQuery(place, timezone), head, (row) => [
    expenseTypeName(row.expenseType),
    row.description,
    businessName(row.businessType, name),
    amountOf(row.amountCents),
    row.day,
  ]);
}

function csv<Row>(
  { db, now, settings }: RequestContext,
  book: Book,
  query: Query,
  head: string[],
  cells: (row: Row) => Cells,
): Response {
  const lines = (rows: Cells[]) => `${Papa.unparse(rows, { escapeFormulae: FORMULA, newline: "\r\n" })}\r\n`;
  const parts = async function* () {
    yield BOM + lines([head]);
    for await (const rows of readAll<Row>(db, book, query)) yield lines(rows.map(cells));
  };
  const file = `${book.table}-${localDay(now, settings.timezone)}.csv`;
  return new Response(streamed(parts()), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${file}"`,
      "Cache-Control": "no-store",
    },
  });
}
