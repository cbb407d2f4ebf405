import { categoryName } from "~/features/catalogue/categories";
import { operation } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import type { RequestContext } from "~/http/request-context.server";
import { type CsvRow, csvFile } from "~/http/streams.server";
import type { ListParams } from "~/ui/DataTable/list-params";
import { localDay } from "../days";
import { businessName, expenseTypeName, PAYMENT_NAMES } from "../enums";
import { parseExpenseListParams, parseInvoiceListParams } from "../list-params";
import { type EntryTable, EXPENSES, INVOICES } from "../queries/tables.server";
import type { ExpenseRow, InvoiceRow } from "../views";
import { listQueryAt, readAll } from "./listing.server";

const decimalAmount = (cents: number) => (cents / 100).toFixed(2);

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
  const header = [
    "Description",
    "Category",
    "Business",
    "Quantity",
    "Payment Mode",
    "Amount",
    "Billing Date",
  ];
  const { name } = context.settings;
  return csv<InvoiceRow>(context, INVOICES, params, header, (row) => [
    row.description,
    categoryName(row.category),
    businessName(row.businessType, name),
    row.quantity,
    PAYMENT_NAMES[row.paymentMode],
    decimalAmount(row.amountCents),
    row.day,
  ]);
}

function expensesFile(context: RequestContext, params: ListParams): Response {
  const header = ["Expense Type", "Description", "Business Type", "Amount", "Created At"];
  const { name } = context.settings;
  return csv<ExpenseRow>(context, EXPENSES, params, header, (row) => [
    expenseTypeName(row.expenseType),
    row.description,
    businessName(row.businessType, name),
    decimalAmount(row.amountCents),
    row.day,
  ]);
}

function csv<Row>(
  { db, now, settings }: RequestContext,
  table: EntryTable,
  params: ListParams,
  header: string[],
  cells: (row: Row) => CsvRow,
): Response {
  const query = listQueryAt(table, params, settings.timezone);
  const chunks = async function* () {
    for await (const rows of readAll<Row>(db, table, query)) yield rows.map(cells);
  };
  return csvFile(`${table.name}-${localDay(now, settings.timezone)}`, header, chunks());
}
