import { CATEGORIES } from "~/domain/categories";
import { localDay } from "~/domain/days";
import { BUSINESSES, EXPENSE_TYPES, PAYMENT_MODES } from "~/domain/enums";
import { datePresets } from "~/domain/periods";
import { recentChanges } from "~/features/audit/operations.server";
import { EXPENSE } from "~/features/ledger/expense";
import { INVOICE } from "~/features/ledger/invoice";
import { expenses, invoices } from "~/features/ledger/operations/kinds.server";
import { listQueryAt, readAll, readPage } from "~/features/ledger/operations/listing.server";
import { findSuppliers } from "~/features/ledger/queries/files.server";
import {
  type EntryTable,
  EXPENSES,
  INVOICES,
  INVOICES_WITH_DOCUMENTS,
} from "~/features/ledger/queries/tables.server";
import { EXPENSE_SORTS, INVOICE_SORTS } from "~/features/ledger/schema";
import type { EntryPage, ExpenseRow, InvoiceRow } from "~/features/ledger/views";
import { asAppError, operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput, resultOrNull } from "~/http/page.server";
import type { RequestContext } from "~/http/request-context.server";
import { type CsvRow, csvFile } from "~/http/streams.server";
import type { Fields } from "~/records/record";
import { type ListParams, type ListRules, parseListParams, readDialog } from "~/ui/DataTable/list-params";

/** Default sort: newest first. */
const BASE = { sort: "createdAt", dir: "desc" } as const;
const DAYS = { from: "day", to: "day" } as const;

/** Number of a document: its series, year and position. */
const DOCUMENT_NUMBER = /^[A-Z]{1,3}-\d{4}-\d{1,9}$/;

export const INVOICE_RULES: ListRules = {
  path: "/admin/invoices-management",
  sorts: INVOICE_SORTS,
  base: BASE,
  filters: {
    ...DAYS,
    businessType: BUSINESSES,
    category: CATEGORIES,
    paymentMode: PAYMENT_MODES,
    tax: ["without"],
    document: DOCUMENT_NUMBER,
  },
};

export const EXPENSE_RULES: ListRules = {
  path: "/admin/expenses-management",
  sorts: EXPENSE_SORTS,
  base: BASE,
  filters: { ...DAYS, businessType: BUSINESSES, expenseType: EXPENSE_TYPES, tax: ["with", "without"] },
};

export type InvoicesScreenData = ResultOf<typeof readInvoicesScreen>;
export type ExpensesScreenData = ResultOf<typeof readExpensesScreen>;

export const readInvoicesScreen = operation({
  access: "manager",
  input: PageInput,
  async run({ input, ...context }) {
    const failure = "Failed to fetch invoices: ";
    const reads = { ...invoices, readPage: readInvoices, fields: INVOICE.fields };
    const screen = await readScreen(context, reads, INVOICE_RULES, input.url, failure);
    const blank = { ...INVOICE.blank, ...filteredValues(input.url, INVOICE_RULES), ...newEntry(context) };
    return { ...screen, blank };
  },
});

const readInvoices = (context: StaffContext, params: ListParams) =>
  readPage<InvoiceRow>(context, INVOICES_WITH_DOCUMENTS, params);

export const readExpensesScreen = operation({
  access: "manager",
  input: PageInput,
  async run({ input, ...context }) {
    const reads = { ...expenses, fields: EXPENSE.fields };
    const [screen, suppliers] = await Promise.all([
      readScreen(context, reads, EXPENSE_RULES, input.url, "Failed to fetch expenses"),
      readSuppliers(context, input.url),
    ]);
    const { dialog, target } = screen;
    const values =
      dialog?.kind === "duplicate" && target
        ? EXPENSE.formValues(target)
        : { ...EXPENSE.blank, ...filteredValues(input.url, EXPENSE_RULES) };
    return { ...screen, suppliers, blank: { ...values, ...newEntry(context) } };
  },
});

/** Reads the suppliers that an open form suggests; none when that fails. */
async function readSuppliers({ db }: StaffContext, url: string): Promise<string[]> {
  const dialog = readDialog(new URL(url).searchParams);
  if (dialog === null || dialog.kind === "delete") return [];
  return (await resultOrNull(findSuppliers(db))) ?? [];
}

/** Returns the values that the list is filtered by, which a new entry is likely to have. */
function filteredValues(url: string, rules: ListRules): Record<string, string> {
  const {
    from: _,
    to: _to,
    tax: _tax,
    document: _document,
    ...filters
  } = parseListParams(new URL(url).searchParams, rules).filters;
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
}

const newEntry = ({ now, settings }: RequestContext) => ({
  id: crypto.randomUUID(),
  createdAt: localDay(now, settings.timezone),
});

interface EntryReads<Row> {
  fields: Fields;
  readPage(context: StaffContext, params: ListParams): Promise<EntryPage<Row>>;
  readRow(context: StaffContext, id: string): Promise<Row | null>;
}

/** Reads the list, the open dialog with its entry, and the date presets. */
async function readScreen<Row>(
  context: StaffContext,
  { readPage, readRow, fields }: EntryReads<Row>,
  rules: ListRules,
  url: string,
  failureMessage: string,
) {
  const { searchParams } = new URL(url);
  const params = parseListParams(searchParams, rules);
  const dialog = readDialog(searchParams);
  const targetId = dialog && dialog.kind !== "dialog" && dialog.kind !== "view" ? dialog.id : null;
  const [list, target, changes] = await Promise.all([
    settleList(failureMessage, params, readPage(context, params)),
    targetId === null ? null : resultOrNull(readRow(context, targetId)),
    recentChanges(context, dialog?.kind === "edit" ? targetId : null, fields),
  ]);
  const { now, settings } = context;
  const presets = datePresets(localDay(now, settings.timezone));
  return { ...list, dialog, target, changes, datePresets: presets, businessNames: settings.businesses };
}

/**
 * Settles the list, so that the screen shows an error in its place when the read fails.
 *
 * @param failureMessage followed by the reason when it ends in a colon
 */
async function settleList<Row>(failureMessage: string, params: ListParams, list: Promise<EntryPage<Row>>) {
  try {
    return { ...(await list), failure: null };
  } catch (error) {
    if (error instanceof Response) throw error;
    const { message } = asAppError(error);
    const failure = failureMessage.endsWith(": ") ? failureMessage + message : failureMessage;
    return { params, rows: null, total: 0, sums: null, failure };
  }
}

/** Streams the invoices that match the list's URL, in its order, as a CSV file. */
export const invoicesCsv = operation({
  access: "manager",
  input: PageInput,
  run: async ({ input, ...context }) =>
    entriesCsv<InvoiceRow>(
      context,
      INVOICES,
      parseListParams(new URL(input.url).searchParams, INVOICE_RULES),
      INVOICE.fileColumns(
        ["description", "category", "businessType", "quantity", "paymentMode", "amountCents"],
        context.settings.businesses,
      ),
    ),
});

/** Streams the expenses that match the list's URL, in its order, as a CSV file. */
export const expensesCsv = operation({
  access: "manager",
  input: PageInput,
  run: async ({ input, ...context }) =>
    entriesCsv<ExpenseRow>(
      context,
      EXPENSES,
      parseListParams(new URL(input.url).searchParams, EXPENSE_RULES),
      EXPENSE.fileColumns(["expenseType"], context.settings.businesses),
    ),
});

function entriesCsv<Row>(
  { db, now, settings }: RequestContext,
  table: EntryTable,
  params: ListParams,
  columns: [title: string, cell: (row: Row) => CsvRow[number]][],
): Response {
  const query = listQueryAt(table, params, settings.timezone);
  const chunks = async function* () {
    for await (const rows of readAll<Row>(db, table, query))
      yield rows.map((row) => columns.map(([, cell]) => cell(row)));
  };
  const titles = columns.map(([title]) => title);
  return csvFile(`${table.name}-${localDay(now, settings.timezone)}`, titles, chunks());
}
