import type { Category } from "~/features/catalogue/categories";
import type { Business, ExpenseType, PaymentMode } from "./enums";

/** What entries are to pages (cents, days of the shop) and to the API (dollars, timestamps). Safe in the browser. */

interface EntryRow {
  id: string;
  description: string;
  businessType: Business;
  amountCents: number;
  /** Epoch seconds. */
  createdAt: number;
  /** YYYY-MM-DD in SHOP_TIMEZONE: the billing date. */
  day: string;
  /** Sent back by the form that edits the entry. */
  version: number;
}

/** An invoice on a page; the amount is the line's total. */
export interface InvoiceRow extends EntryRow {
  category: Category;
  quantity: number;
  paymentMode: PaymentMode;
}

/** An expense on a page. */
export interface ExpenseRow extends EntryRow {
  expenseType: ExpenseType;
}

interface EntryView {
  id: string;
  description: string;
  businessType: Business;
  /** Dollars. */
  amount: number;
  createdAt: { seconds: number; nanoseconds: number };
}

/** An invoice as the API tells it (back office 3). */
export interface InvoiceView extends EntryView {
  category: Category;
  quantity: number;
  paymentMode: PaymentMode;
}

/** An expense as the API tells it. */
export interface ExpenseView extends EntryView {
  expenseType: ExpenseType;
}

/** What one page of a list shows. */
export interface ListPage<Row> {
  rows: Row[];
  /** Entries that match in all. */
  total: number;
  /** 1-based, never past the last one. */
  page: number;
  /** At least 1. */
  pages: number;
  /** Sums of all that match, not of the page alone. `quantity` is 0 for expenses. */
  sums: { amountCents: number; quantity: number };
}

/** Sales, in cents, by the names of GET sale/all (contract: Routes). */
export interface SaleTotals {
  totalAmount: number;
  cashAmount: number;
  emtAmount: number;
  cardAmount: number;
  todayAmount: number;
  yesterdayAmount: number;
  currentMonthAmount: number;
  lastMonthAmount: number;
  engravingCardAmount: number;
  engravingCashAmount: number;
  engravingEmtAmount: number;
  nonEngravingCardAmount: number;
  nonEngravingCashAmount: number;
  nonEngravingEmtAmount: number;
}

/** One business's expenses by type, in cents: `totalAmount`, `shipping`, `purchase` … `others`. */
export type BusinessExpenses = Record<"totalAmount" | Lowercase<ExpenseType>, number>;

/** Expenses, in cents, by the names of GET expense/totalExpensesAmount. */
export interface ExpenseTotals {
  totalAmount: number;
  emporia: BusinessExpenses;
  laser: BusinessExpenses;
}

/** A month's sum in cents; month 1 to 12. */
export interface MonthAmount {
  month: number;
  amount: number;
}

/** A category's sales in cents. */
export interface CategoryAmount {
  category: string;
  amount: number;
}
