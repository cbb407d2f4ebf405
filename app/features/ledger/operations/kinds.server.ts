import { Expense, Invoice } from "../answers";
import { EXPENSE } from "../expense";
import { INVOICE } from "../invoice";
import { EXPENSES, INVOICES } from "../queries/tables.server";
import {
  ExpenseChanges,
  ExpenseInput,
  ExpenseListInput,
  ExpenseUpload,
  InvoiceChanges,
  InvoiceForm,
  InvoiceInput,
  InvoiceListInput,
  NewExpenseUpload,
  NewInvoiceForm,
} from "../schema";
import { entryOperations } from "./entries.server";
import { attachFiles, MAX_UPLOAD_BYTES, planExpenseFiles } from "./files.server";

export const invoices = entryOperations({
  record: INVOICE,
  table: INVOICES,
  title: "Invoice",
  api: { path: "invoice", one: "a sales entry", all: "sales entries of the ledger", answer: Invoice },
  schemas: {
    list: InvoiceListInput,
    add: InvoiceInput,
    addForm: NewInvoiceForm,
    changes: InvoiceChanges,
    form: InvoiceForm,
  },
});

export const expenses = entryOperations({
  record: EXPENSE,
  table: EXPENSES,
  title: "Expense",
  api: { path: "expense", one: "an expense", all: "expenses", answer: Expense },
  schemas: {
    list: ExpenseListInput,
    add: ExpenseInput,
    addForm: NewExpenseUpload,
    changes: ExpenseChanges,
    form: ExpenseUpload,
  },
  upload: { maxBytes: MAX_UPLOAD_BYTES, plan: planExpenseFiles, attach: attachFiles },
});
