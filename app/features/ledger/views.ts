import type { Category } from "~/features/catalogue/categories";
import type { Business, ExpenseType, PaymentMode } from "./enums";

/** Stored entry, for pages: cents and local days. */
interface EntryRow {
  id: string;
  description: string;
  businessType: Business;
  amountCents: number;
  /** Epoch seconds. */
  createdAt: number;
  /** Billing date YYYY-MM-DD in SHOP_TIMEZONE. */
  day: string;
  /** Incremented by each edit; an edit form sends it back. */
  version: number;
}

export interface InvoiceRow extends EntryRow {
  category: Category;
  quantity: number;
  paymentMode: PaymentMode;
}

export interface ExpenseRow extends EntryRow {
  expenseType: ExpenseType;
  /** Tax within the amount. */
  taxCents: number;
}

/** Entry in API responses. */
interface EntryView {
  id: string;
  description: string;
  businessType: Business;
  /** Dollars. */
  amount: number;
  createdAt: { seconds: number; nanoseconds: number };
}

export interface InvoiceView extends EntryView {
  category: Category;
  quantity: number;
  paymentMode: PaymentMode;
}

export interface ExpenseView extends EntryView {
  expenseType: ExpenseType;
  /** Dollars; absent without tax. */
  taxAmount?: number;
}

export interface ListPage<Row> {
  rows: Row[];
  total: number;
  /** From 1, at most the last page. */
  page: number;
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
