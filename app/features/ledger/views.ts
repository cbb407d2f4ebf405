import type { ExpenseType } from "~/domain/enums";
import type { FileCard } from "~/features/storage/file-card";
import type { ApiOf, Fields, RowOf } from "~/records/record";
import type { ListParams } from "~/ui/DataTable/list-params";
import type { EXPENSE } from "./expense";
import type { INVOICE } from "./invoice";

/** Stored entry, for pages: cents and local days in SHOP_TIMEZONE. */
export type Entry<F extends Fields> = RowOf<F> & {
  id: string;
  /** Epoch seconds. */
  createdAt: number;
  /** Incremented by each edit; an edit form sends it back. */
  version: number;
  /** Bills of an expense; undefined for none. */
  files?: FileCard[];
};
export type InvoiceRow = Entry<(typeof INVOICE)["fields"]>;
export type ExpenseRow = Entry<(typeof EXPENSE)["fields"]>;

/** File with the hash of its name and content. */
export type HashedCard = FileCard & { hash: string };

/** Entry in the API's answers: dollars and times. */
export type EntryView<F extends Fields> = ApiOf<F> & {
  id: string;
  createdAt: { seconds: number; nanoseconds: number };
  files?: FileCard[];
};

/** Entry of a list, with the document that it belongs to where it has one and its table reads it. */
export type Listed<Row> = Row & { document?: { id: string; number: string } };

export interface EntryPage<Row> {
  params: ListParams;
  rows: Listed<Row>[];
  total: number;
  /**
   * Sums of all matching entries, not of the page alone. `quantity` is 0 for expenses, and null where it is not summed
   * (entries without tax). `taxCents`: null where it is not summed (invoices, and lists read from stored sums).
   */
  sums: { amountCents: number; quantity: number | null; taxCents: number | null };
}

/** Sales figures, named as in GET sale/all. */
export const SALE_FIGURES = [
  "totalAmount",
  "cashAmount",
  "emtAmount",
  "cardAmount",
  "todayAmount",
  "yesterdayAmount",
  "currentMonthAmount",
  "lastMonthAmount",
  "engravingCardAmount",
  "engravingCashAmount",
  "engravingEmtAmount",
  "nonEngravingCardAmount",
  "nonEngravingCashAmount",
  "nonEngravingEmtAmount",
] as const;

/** Sales in cents. */
export type SaleTotals = Record<(typeof SALE_FIGURES)[number], number>;

/** Expenses of one business by type, in cents: `totalAmount`, `shipping`, …, `others`. */
export type BusinessExpenses = Record<"totalAmount" | Lowercase<ExpenseType>, number>;

/** Expenses in cents, named as in GET expense/totalExpensesAmount. */
export interface ExpenseTotals {
  totalAmount: number;
  emporia: BusinessExpenses;
  laser: BusinessExpenses;
}

/** Sum of a month in cents; month is 1 to 12. */
export interface MonthAmount {
  month: number;
  amount: number;
}

/** Sales of a category in cents. */
export interface CategoryAmount {
  category: string;
  amount: number;
}
