import { CATEGORIES } from "~/features/catalogue/categories";
import { type ListParams, type ListRules, parseListParams } from "~/ui/DataTable/list-params";
import { BUSINESSES, EXPENSE_TYPES, PAYMENT_MODES } from "./enums";
import { EXPENSE_SORTS, INVOICE_SORTS } from "./schema";

export { type ListParams, readDialog, withoutDialog } from "~/ui/DataTable/list-params";

/** Default sort: newest first. */
const BASE = { sort: "createdAt", dir: "desc" } as const;
const DAYS = { from: "day", to: "day" } as const;

const INVOICE_RULES: ListRules = {
  path: "/admin/invoices-management",
  sorts: INVOICE_SORTS,
  base: BASE,
  filters: { ...DAYS, businessType: BUSINESSES, category: CATEGORIES, paymentMode: PAYMENT_MODES },
};

const EXPENSE_RULES: ListRules = {
  path: "/admin/expenses-management",
  sorts: EXPENSE_SORTS,
  base: BASE,
  filters: { ...DAYS, businessType: BUSINESSES, expenseType: EXPENSE_TYPES },
};

export const parseInvoiceListParams = (params: URLSearchParams): ListParams =>
  parseListParams(params, INVOICE_RULES);

export const parseExpenseListParams = (params: URLSearchParams): ListParams =>
  parseListParams(params, EXPENSE_RULES);
