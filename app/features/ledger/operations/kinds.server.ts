import { Expense, Invoice } from "../answers";
import { EXPENSE } from "../expense";
import { INVOICE } from "../invoice";
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
  NewExpenseForm,
  NewInvoiceForm,
} from "../schema";
import { entryOperations } from "./entries.server";

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
    addForm: NewExpenseForm,
    changes: ExpenseChanges,
    form: ExpenseForm,
  },
});
