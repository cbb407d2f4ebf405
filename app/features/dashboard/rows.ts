import type { ExpenseType, PaymentMode } from "~/features/ledger/enums";

/** Where the rows behind a figure are: the ledgers' lists with the filters that add up to it (contract: Pages and forms). */

type Filters = Partial<
  Record<"category" | "businessType" | "paymentMode" | "expenseType" | "from" | "to", string>
>;

/** The days that figures are of, YYYY-MM-DD in the shop's time zone; stretches with both days included. */
export interface Days {
  today: string;
  yesterday: string;
  month: { from: string; to: string };
  lastMonth: { from: string; to: string };
}

const INVOICES = "/admin/invoices-management";
const EXPENSES = "/admin/expenses-management";

/** The invoices of a sales figure; all of them without a filter. */
export function invoiceListUrl(
  filters: Pick<Filters, "category" | "from" | "to"> & { paymentMode?: PaymentMode } = {},
): string {
  return address(INVOICES, filters);
}

/** The expenses of a figure. */
export function expenseListUrl(
  filters: { businessType?: "EMPORIA" | "LASER"; expenseType?: ExpenseType } = {},
): string {
  return address(EXPENSES, filters);
}

/** One day as a stretch. */
export const onDay = (day: string) => ({ from: day, to: day });

function address(path: string, filters: Filters): string {
  const query = new URLSearchParams(filters as Record<string, string>).toString();
  return query ? `${path}?${query}` : path;
}
