import { localDay } from "~/domain/days";
import { dollars } from "~/domain/money";
import { dateConfirmation, invoiceConfirmation } from "~/features/ledger/confirmations";
import { removeExpenseFile, restoreExpenseFile } from "~/features/ledger/operations/files.server";
import { expenses, invoices } from "~/features/ledger/operations/kinds.server";
import { BODY_TOO_LARGE } from "~/http/body.server";
import type { AppError } from "~/http/errors";
import { type FormIntents, intent } from "~/http/form-action.server";
import type { Operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import type { Toast } from "~/http/toasts.server";
import { withoutDialog } from "~/ui/DataTable/list-params";

type Action = "add" | "update" | "delete" | "restore";

/** Builds the actions of the invoices screen. @param url of the form; success redirects to the same list */
export function invoiceForms(url: string): FormIntents {
  return entryForms(
    "Invoice",
    invoices,
    url,
    invoiceConfirmation,
    (failure, error) => `${failure}: ${error.message}`,
  );
}

/**
 * Builds the actions of the expenses screen, whose failures name no reason except that somebody else was faster, that the month
 * is closed, and what is wrong with a file.
 */
export function expenseForms(url: string): FormIntents {
  const forms = entryForms("Expense", expenses, url, dateConfirmation, (failure, error, action) => {
    const { code, message } = error;
    if (code === "tooLarge" && message === BODY_TOO_LARGE)
      return `${failure}: The files are larger than 50 MB together.`;
    const isFile = error.details?.some(({ path }) => path === "files") ?? false;
    const isNamed = isFile || (action !== "add" && (code === "conflict" || code === "notFound"));
    return isNamed ? `${failure}: ${message}` : failure;
  });
  return {
    ...forms,
    removeFile: intent(removeExpenseFile, {
      done: ({ removed: { key, name } }) => ({
        toast: {
          type: "success",
          message: "File removed",
          undo: { subject: name, action: url, intent: "restoreFile", id: key, fields: { key } },
        },
      }),
    }),
    restoreFile: intent(restoreExpenseFile, { done: () => ({ toast: "File restored" }) }),
  };
}

interface EntryOperations extends Record<"addByForm" | "updateByForm" | "restore", Operation<unknown>> {
  delete: Operation<{ deleted: Deleted }>;
}

function entryForms(
  title: "Invoice" | "Expense",
  operations: EntryOperations,
  url: string,
  confirmationOf: (fields: FormData, today: string) => string | null,
  failureMessage: (failure: string, error: AppError, action: Action) => string,
): FormIntents {
  const to = withoutDialog(url);
  const done = (participle: string) => () => ({ to, toast: `${title} ${participle} successfully` });
  const confirmation = (fields: FormData, { now, settings }: RequestContext) =>
    confirmationOf(fields, localDay(now, settings.timezone));
  const failed = (action: Action) => (error: AppError) =>
    failureMessage(`Failed to ${action} ${title.toLowerCase()}`, error, action);
  return {
    add: intent(operations.addByForm, { done: done("added"), failed: failed("add"), confirmation }),
    update: intent(operations.updateByForm, {
      done: done("updated"),
      failed: failed("update"),
      confirmation,
    }),
    delete: intent(operations.delete, {
      done: ({ deleted }) => ({ to, toast: undoable(`${title} deleted successfully`, to, deleted) }),
      failed: failed("delete"),
    }),
    restore: intent(operations.restore, { done: done("restored"), failed: failed("restore") }),
  };
}

interface Deleted {
  id: string;
  description: string;
  /** Dollars. */
  amount: number;
}

/** Characters of a description in a toast. */
const MAX_NAME_LENGTH = 60;

function undoable(message: string, action: string, { id, description, amount }: Deleted): Toast {
  const name =
    description.length > MAX_NAME_LENGTH
      ? `${description.slice(0, MAX_NAME_LENGTH).toWellFormed()}…`
      : description;
  const subject = [name, dollars(Math.round(amount * 100))].filter(Boolean).join(", ");
  return { type: "success", message, undo: { subject, action, intent: "restore", id } };
}
