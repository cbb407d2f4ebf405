import type { AppError } from "~/http/errors";
import { type FormIntent, intent } from "~/http/form-action.server";
import type { Toast } from "~/http/toasts.server";
import { dollars } from "./labels";
import { withoutDialog } from "./list-params";
import {
  addExpense,
  addInvoice,
  deleteExpense,
  deleteInvoice,
  restoreExpense,
  restoreInvoice,
  updateExpenseByForm,
  updateInvoiceByForm,
} from "./operations.server";
import type { InvoiceView } from "./views";

type Forms = Record<string, FormIntent<unknown>>;

/**
 * What the invoices' screen may be asked for, with the words of back office 8.
 *
 * @param url of the form: what was done leads back to the same list
 */
export function invoiceForms(url: string): Forms {
  const to = withoutDialog(url);
  const failed = (act: string) => (error: AppError) => `Failed to ${act} invoice: ${error.message}`;
  return {
    add: intent(addInvoice, {
      done: () => ({ to, toast: "Invoice added successfully" }),
      failed: failed("add"),
    }),
    update: intent(updateInvoiceByForm, {
      done: () => ({ to, toast: "Invoice updated successfully" }),
      failed: failed("update"),
    }),
    delete: intent(deleteInvoice, {
      done: ({ deleted }) => ({ to, toast: undoable("Invoice deleted successfully", to, deleted) }),
      failed: failed("delete"),
    }),
    restore: intent(restoreInvoice, {
      done: () => ({ to, toast: "Invoice restored successfully" }),
      failed: failed("restore"),
    }),
  };
}

/** The same for expenses, which say less of why. */
export function expenseForms(url: string): Forms {
  const to = withoutDialog(url);
  const failed = (act: string) => () => `Failed to ${act} expense`;
  return {
    add: intent(addExpense, {
      done: () => ({ to, toast: "Expense added successfully" }),
      failed: failed("add"),
    }),
    update: intent(updateExpenseByForm, {
      done: () => ({ to, toast: "Expense updated successfully" }),
      failed: orFaster(failed("update")),
    }),
    delete: intent(deleteExpense, {
      done: ({ deleted }) => ({ to, toast: undoable("Expense deleted successfully", to, deleted) }),
      failed: orFaster(failed("delete")),
    }),
    restore: intent(restoreExpense, {
      done: () => ({ to, toast: "Expense restored successfully" }),
      failed: failed("restore"),
    }),
  };
}

/** That somebody else was faster must be told, or nobody would know why. */
function orFaster(failed: () => string) {
  return ({ code, message }: AppError) =>
    code === "conflict" || code === "notFound" ? `${failed()}: ${message}` : failed();
}

type Deleted = Pick<InvoiceView, "id" | "description" | "amount">;

/** Characters of a description that a toast has room for. */
const TOLD = 60;

function undoable(message: string, action: string, { id, description, amount }: Deleted): Toast {
  const name = description.length > TOLD ? `${description.slice(0, TOLD).toWellFormed()}…` : description;
  const what = [name, dollars(Math.round(amount * 100))].filter(Boolean).join(", ");
  return { type: "success", message, undo: { what, action, intent: "restore", id } };
}
