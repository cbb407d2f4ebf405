import { asAppError } from "~/http/api-route.server";
import type { RequestContext } from "~/http/request-context.server";
import { dayAfter, localDay, monthBefore } from "./days";
import { type ListParams, parseExpenseListParams, parseInvoiceListParams, readDialog } from "./list-params";
import {
  expenseRow,
  expensesPage,
  invoiceRow,
  invoicesPage,
  newExpense,
  newInvoice,
} from "./operations.server";
import type { ListPage } from "./views";

/** What the invoices' screen shows. */
export type InvoicesScreenData = Awaited<ReturnType<typeof invoicesScreen>>;
/** What the expenses' screen shows. */
export type ExpensesScreenData = Awaited<ReturnType<typeof expensesScreen>>;

/**
 * Reads what the invoices' screen shows at an address. The caller must have made sure that a member of staff asks.
 *
 * @param url of the page
 */
export async function invoicesScreen(context: RequestContext, url: string) {
  const { searchParams } = new URL(url);
  const place = parseInvoiceListParams(searchParams);
  const [list, shared] = await Promise.all([
    attempt("Failed to fetch invoices: ", place, invoicesPage(context, place)),
    frameOf(searchParams, context, (id) => invoiceRow(context, id)),
  ]);
  return {
    ...list,
    ...shared,
    blank: { ...newInvoice(context), id: crypto.randomUUID() },
  };
}

/** The same for expenses. */
export async function expensesScreen(context: RequestContext, url: string) {
  const { searchParams } = new URL(url);
  const place = parseExpenseListParams(searchParams);
  const [list, shared] = await Promise.all([
    attempt("Failed to fetch expenses", place, expensesPage(context, place)),
    frameOf(searchParams, context, (id) => expenseRow(context, id)),
  ]);
  return {
    ...list,
    ...shared,
    blank: { ...newExpense(context), id: crypto.randomUUID() },
  };
}

/**
 * The list, or why there is none.
 *
 * @param words of the failure; ending in a colon they are followed by the reason (back office 8)
 * @param place asked for; past the last page it is answered as the last
 */
async function attempt<Row>(words: string, place: ListParams, list: Promise<ListPage<Row>>) {
  try {
    const { rows, total, page, sums } = await list;
    return { place: { ...place, page }, rows, total, sums, failure: null };
  } catch (error) {
    const { message } = asAppError(error);
    const failure = words.endsWith(": ") ? words + message : words;
    return { place, rows: null, total: 0, sums: null, failure };
  }
}

/** What stands around a list: the dialog with its row, and the days that have names. */
async function frameOf<Row>(
  params: URLSearchParams,
  { now, settings }: RequestContext,
  find: (id: string) => Promise<Row | null>,
) {
  const dialog = readDialog(params);
  const isNamed = dialog?.kind === "edit" || dialog?.kind === "delete";
  const target = isNamed ? await find(dialog.id).catch(noRow) : null;
  return {
    dialog,
    target,
    stretches: stretchesOf(localDay(now, settings.timezone)),
    shopName: settings.name,
  };
}

function noRow(error: unknown): null {
  asAppError(error);
  return null;
}

/** The stretches of days that people ask for. */
function stretchesOf(today: string) {
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
