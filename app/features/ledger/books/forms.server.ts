import type { AppError } from "~/http/errors";
import { type FormIntent, intent } from "~/http/form-action.server";
import type { Toast } from "~/http/toasts.server";
import {
  addExpense,
  addInvoice,
  deleteExpense,
  deleteInvoice,
  restoreExpense,
  restoreInvoice,
  updateExpenseByForm,
  updateInvoiceByForm,
} from "../operations.server";
import { withoutDialog } from "../place";

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
      done: ({ deleted }) => ({ to, toast: undoable("Invoice deleted successfully", to, deleted.id) }),
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
      failed: orConflict(failed("update")),
    }),
    delete: intent(deleteExpense, {
      done: ({ deleted }) => ({ to, toast: undoable("Expense deleted successfully", to, deleted.id) }),
      failed: failed("delete"),
    }),
    restore: intent(restoreExpense, {
      done: () => ({ to, toast: "Expense restored successfully" }),
      failed: failed("restore"),
    }),
  };
}

/** That somebody else was faster must be told, or nobody would know why. */
function orConflict(failed: () => string) {
  return (error: AppError) => (error.code === "conflict" ? `${failed()}: ${error.message}` : failed());
}

function undoable(message: string, action: string, id: string): Toast {
  return { type: "success", message, undo: { action, intent: "restore", id } };
}
