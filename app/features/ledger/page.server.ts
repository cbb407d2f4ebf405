import { asAppError, operation, type ResultOf } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import type { RequestContext } from "~/http/request-context.server";
import { type ListParams, readDialog } from "~/ui/DataTable/list-params";
import { dayAfter, localDay, monthBefore } from "./days";
import { parseExpenseListParams, parseInvoiceListParams } from "./list-params";
import { expenseRow, expensesPage, newExpense } from "./operations/expenses.server";
import { invoiceRow, invoicesPage, newInvoice } from "./operations/invoices.server";
import type { ListPage } from "./views";

/** Data of the invoices screen. */
export type InvoicesScreenData = ResultOf<typeof readInvoicesScreen>;
/** Data of the expenses screen. */
export type ExpensesScreenData = ResultOf<typeof readExpensesScreen>;

/** Reads the invoices screen at its URL. */
export const readInvoicesScreen = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const { searchParams } = new URL(input.url);
    const params = parseInvoiceListParams(searchParams);
    const [list, frame] = await Promise.all([
      settleList("Failed to fetch invoices: ", params, invoicesPage(context, params)),
      screenFrame(searchParams, context, (id) => invoiceRow(context, id)),
    ]);
    return { ...list, ...frame, blank: { ...newInvoice(context), id: crypto.randomUUID() } };
  },
});

/** Reads the expenses screen at its URL. */
export const readExpensesScreen = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const { searchParams } = new URL(input.url);
    const params = parseExpenseListParams(searchParams);
    const [list, frame] = await Promise.all([
      settleList("Failed to fetch expenses", params, expensesPage(context, params)),
      screenFrame(searchParams, context, (id) => expenseRow(context, id)),
    ]);
    return { ...list, ...frame, blank: { ...newExpense(context), id: crypto.randomUUID() } };
  },
});

/**
 * Settles the list, so that the screen shows an error in its place when the read fails.
 *
 * @param failureMessage followed by the reason when it ends in a colon
 */
async function settleList<Row>(failureMessage: string, params: ListParams, list: Promise<ListPage<Row>>) {
  try {
    const { rows, total, page, sums } = await list;
    return { params: { ...params, page }, rows, total, sums, failure: null };
  } catch (error) {
    const { message } = asAppError(error);
    const failure = failureMessage.endsWith(": ") ? failureMessage + message : failureMessage;
    return { params, rows: null, total: 0, sums: null, failure };
  }
}

/** Reads what surrounds a list: the open dialog with its row, and the date presets. */
async function screenFrame<Row>(
  params: URLSearchParams,
  { now, settings }: RequestContext,
  find: (id: string) => Promise<Row | null>,
) {
  const dialog = readDialog(params);
  const hasTarget = dialog?.kind === "edit" || dialog?.kind === "delete";
  const target = hasTarget ? await find(dialog.id).catch(noRow) : null;
  return {
    dialog,
    target,
    datePresets: datePresets(localDay(now, settings.timezone)),
    shopName: settings.name,
  };
}

function noRow(error: unknown): null {
  asAppError(error);
  return null;
}

/** Date ranges offered as presets of the date filter. */
function datePresets(today: string) {
  const yesterday = dayAfter(today, -1);
  const month = today.slice(0, 7);
  const before = monthBefore(month);
  return [
    { label: "Today", from: today, to: today },
    { label: "Yesterday", from: yesterday, to: yesterday },
    { label: "This month", from: `${month}-01`, to: today },
    { label: "Last month", from: `${before}-01`, to: dayAfter(`${month}-01`, -1) },
    { label: "This year", from: `${today.slice(0, 4)}-01-01`, to: today },
  ];
}
