import { columnNames } from "~/db/columns";
import { expenses, invoices } from "~/db/schema";
import { EXPENSE } from "../expense";
import { INVOICE } from "../invoice";
import { cardsOf } from "./files.server";

interface Column {
  column: string;
  /** Index on (column, created_at); the row number breaks ties. */
  index: string;
}

/** Table of invoices or expenses with its columns, indexes and sums. */
export interface EntryTable {
  kind: "invoice" | "expense";
  name: string;
  /** Tables of sums by day, by month and of all time. */
  days: string;
  months: string;
  totals: string;
  /** Columns except row, id, those of folded texts, version and updated_at, by camelCase name. */
  columns: Record<string, string>;
  /** Columns of the folded texts that a search reads, by that of the text. */
  folded: Record<string, string>;
  /** Expressions for what a list shows of other tables, as JSON, by name. */
  joined?: Record<string, string>;
  /** Columns whose changes the audit log records without values. */
  facts: ReadonlySet<string>;
  sorts: Record<string, Column>;
  /** Filters, most selective first. */
  filters: Record<string, Column>;
  hasQuantity: boolean;
  /** Index of the entries that state a tax, where a list can be filtered by it. */
  taxed?: string;
  /** Index of the entries that state none, in order of time, and its condition. */
  untaxed: string;
  statesNone: string;
}

const invoiceCategory = { column: "category", index: "invoices_category" };
const invoicePayment = { column: "payment_mode", index: "invoices_payment" };
const invoiceBusiness = { column: "business_type", index: "invoices_business" };

export const INVOICES: EntryTable = {
  kind: "invoice",
  name: "invoices",
  days: "sale_days",
  months: "sale_months",
  totals: "sale_totals",
  columns: columnNames(invoices, [...Object.keys(INVOICE.fields), "createdAt"]),
  folded: { description: "description_key" },
  facts: INVOICE.facts,
  sorts: {
    createdAt: { column: "created_at", index: "invoices_created" },
    description: { column: "description_key", index: "invoices_description" },
    category: invoiceCategory,
    businessType: invoiceBusiness,
    paymentMode: invoicePayment,
    quantity: { column: "quantity", index: "invoices_quantity" },
    amount: { column: "amount_cents", index: "invoices_amount" },
  },
  filters: { category: invoiceCategory, paymentMode: invoicePayment, businessType: invoiceBusiness },
  hasQuantity: true,
  untaxed: "invoices_without_tax",
  statesNone: "tax_cents = 0 AND tax_stated = 0",
};

export const INVOICES_WITH_DOCUMENTS: EntryTable = {
  ...INVOICES,
  joined: {
    document:
      "(SELECT json_object('id', d.id, 'number', d.number) FROM documents AS d WHERE d.id = invoices.document_id)",
  },
};

const expenseType = { column: "expense_type", index: "expenses_type" };
const expenseBusiness = { column: "business_type", index: "expenses_business" };

export const EXPENSES: EntryTable = {
  kind: "expense",
  name: "expenses",
  days: "expense_days",
  months: "expense_months",
  totals: "expense_totals",
  columns: columnNames(expenses, [...Object.keys(EXPENSE.fields), "createdAt"]),
  folded: { description: "description_key", supplier: "supplier_key" },
  joined: { files: cardsOf("expenses.id") },
  facts: EXPENSE.facts,
  sorts: {
    createdAt: { column: "created_at", index: "expenses_created" },
    description: { column: "description_key", index: "expenses_description" },
    expenseType,
    businessType: expenseBusiness,
    amount: { column: "amount_cents", index: "expenses_amount" },
  },
  filters: { expenseType, businessType: expenseBusiness },
  hasQuantity: false,
  taxed: "expenses_taxed",
  untaxed: "expenses_untaxed",
  statesNone: "tax_cents = 0",
};
