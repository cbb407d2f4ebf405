import { dollars } from "~/domain/money";
import { categoryName } from "~/features/catalogue/urls";
import { timestamp } from "~/http/fields";
import { formatDay } from "~/ui/format";
import { businessName, expenseTypeName, PAYMENT_NAMES } from "../enums";
import { EXPENSES, INVOICES } from "../queries/tables.server";
import {
  ExpenseChanges,
  ExpenseForm,
  ExpenseInput,
  ExpenseListInput,
  InvoiceChanges,
  InvoiceForm,
  InvoiceInput,
  InvoiceListInput,
} from "../schema";
import type { ExpenseRow, ExpenseView, InvoiceRow, InvoiceView } from "../views";
import { entryOperations } from "./entries.server";

function invoiceView(row: InvoiceRow): InvoiceView {
  const { id, description, category, quantity, paymentMode, businessType, amountCents, createdAt } = row;
  return {
    id,
    description,
    category,
    quantity,
    paymentMode,
    businessType,
    amount: amountCents / 100,
    createdAt: timestamp(createdAt),
  };
}

export const invoices = entryOperations<InvoiceRow, InvoiceView>({
  table: INVOICES,
  title: "Invoice",
  schemas: { list: InvoiceListInput, add: InvoiceInput, changes: InvoiceChanges, form: InvoiceForm },
  view: invoiceView,
  labels: (row) => ({
    description: row.description,
    category: categoryName(row.category),
    quantity: String(row.quantity),
    paymentMode: PAYMENT_NAMES[row.paymentMode],
    businessType: businessName(row.businessType),
    amountCents: dollars(row.amountCents),
    day: formatDay(row.day),
  }),
});

function expenseView(row: ExpenseRow): ExpenseView {
  const { id, description, expenseType, businessType, amountCents, taxCents, createdAt } = row;
  return {
    id,
    description,
    expenseType,
    businessType,
    amount: amountCents / 100,
    ...(taxCents > 0 && { taxAmount: taxCents / 100 }),
    createdAt: timestamp(createdAt),
  };
}

export const expenses = entryOperations<ExpenseRow, ExpenseView>({
  table: EXPENSES,
  title: "Expense",
  schemas: { list: ExpenseListInput, add: ExpenseInput, changes: ExpenseChanges, form: ExpenseForm },
  view: expenseView,
  labels: (row) => ({
    description: row.description,
    expenseType: expenseTypeName(row.expenseType),
    businessType: businessName(row.businessType),
    amountCents: dollars(row.amountCents),
    taxCents: dollars(row.taxCents),
    day: formatDay(row.day),
  }),
});
