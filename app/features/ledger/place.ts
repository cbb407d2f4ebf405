import { type Category, readCategory } from "~/features/catalogue/categories";
import { isDay } from "./days";
import {
  BUSINESSES,
  type Business,
  EXPENSE_TYPES,
  type ExpenseType,
  PAYMENT_MODES,
  type PaymentMode,
} from "./kinds";
import {
  type Direction,
  EXPENSE_SORTS,
  type ExpenseSort,
  INVOICE_SORTS,
  type InvoiceSort,
  SEARCH_LENGTH,
} from "./schema";

/** Where somebody is in a list: all of it stands in the address (architecture: State lives in the URL). */
interface ListPlace {
  /** Contained in the description; "" is no search. */
  q: string;
  dir: Direction;
  /** 1-based; past the last one it is read as the last. */
  page: number;
  size: number;
  businessType: Business | null;
  /** First and last day of the shop that count, both included. */
  from: string | null;
  to: string | null;
}

export interface InvoicePlace extends ListPlace {
  sort: InvoiceSort;
  category: Category | null;
  paymentMode: PaymentMode | null;
}

export interface ExpensePlace extends ListPlace {
  sort: ExpenseSort;
  expenseType: ExpenseType | null;
}

/** Rows per page that may be chosen (back office 9). */
export const PAGE_SIZES = [5, 10, 20, 50, 100];
export const DEFAULT_SIZE = 10;

/** Reads a place out of the invoices' address; what makes no sense is as if it weren't there. */
export function readInvoicePlace(params: URLSearchParams): InvoicePlace {
  return {
    ...readList(params),
    sort: known(INVOICE_SORTS, params.get("sort")) ?? "createdAt",
    category: readCategory(params.get("category") ?? ""),
    paymentMode: known(PAYMENT_MODES, params.get("paymentMode")),
  };
}

/** Reads a place out of the expenses' address. */
export function readExpensePlace(params: URLSearchParams): ExpensePlace {
  return {
    ...readList(params),
    sort: known(EXPENSE_SORTS, params.get("sort")) ?? "createdAt",
    expenseType: known(EXPENSE_TYPES, params.get("expenseType")),
  };
}

function readList(params: URLSearchParams): ListPlace {
  const page = Number(params.get("page"));
  const size = Number(params.get("size"));
  return {
    q: (params.get("q") ?? "").toWellFormed().slice(0, SEARCH_LENGTH).trim(),
    // Newest first until somebody sorts; a column's first click is ascending (back office 4).
    dir: known(["asc", "desc"], params.get("dir")) ?? (params.get("sort") ? "asc" : "desc"),
    page: Number.isSafeInteger(page) && page >= 1 ? page : 1,
    size: PAGE_SIZES.includes(size) ? size : DEFAULT_SIZE,
    businessType: known(BUSINESSES, params.get("businessType")),
    from: dayOrNull(params.get("from")),
    to: dayOrNull(params.get("to")),
  };
}

function known<const T extends string>(values: readonly T[], text: string | null): T | null {
  return values.find((value) => value === text) ?? null;
}

function dayOrNull(text: string | null): string | null {
  return text && isDay(text) ? text : null;
}
