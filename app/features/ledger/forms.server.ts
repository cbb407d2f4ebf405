import type { AppError } from "~/http/errors";
import { type FormIntent, intent } from "~/http/form-action.server";
import type { Toast } from "~/http/toasts.server";
import { withoutDialog } from "~/ui/DataTable/list-params";
import { dollars } from "~/ui/money";
import { addExpense, deleteExpense, restoreExpense, updateExpenseByForm } from "./operations/expenses.server";
import { addInvoice, deleteInvoice, restoreInvoice, updateInvoiceByForm } from "./operations/invoices.server";
import type { InvoiceView } from "./views";

type Forms = Record<string, FormIntent<unknown>>;

/**
 * Builds the actions of the invoices screen.
 *
 * @param url of the form; success redirects to the same list
 */
export function invoiceForms(url: string): Forms {
  const to = withoutDialog(url);
  const failed = (action: string) => (error: AppError) => `Failed to ${action} invoice: ${error.message}`;
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

/** Builds the actions of the expenses screen, whose failures name no reason except an edit conflict. */
export function expenseForms(url: string): Forms {
  const to = withoutDialog(url);
  const failed = (action: string) => () => `Failed to ${action} expense`;
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
      done: ({ deleted }) => ({ to, toast: undoable("Expense deleted successfully", to, deleted) }),
      failed: orConflict(failed("delete")),
    }),
    restore: intent(restoreExpense, {
      done: () => ({ to, toast: "Expense restored successfully" }),
      failed: failed("restore"),
    }),
  };
}

/** Appends the reason when somebody else has changed or deleted the entry. */
function orConflict(failed: () => string) {
  return ({ code, message }: AppError) =>
    code === "conflict" || code === "notFound" ? `${failed()}: ${message}` : failed();
}

type Deleted = Pick<InvoiceView, "id" | "description" | "amount">;

/** Characters of a description in a toast. */
const MAX_NAME_LENGTH = 60;

function undoable(message: string, action: string, { id, description, amount }: Deleted): Toast {
  const name =
    description.length > MAX_NAME_LENGTH
      ? `${description.slice(0, MAX_NAME_LENGTH).toWellFormed()}…`
      : description;
  const what = [name, dollars(Math.round(amount * 100))].filter(Boolean).join(", ");
  return { type: "success", message, undo: { what, action, intent: "restore", id } };
}
