import { type FormIntents, intent } from "~/http/form-action.server";
import { withoutDialog } from "~/ui/DataTable/list-params";
import { createUserByForm, deleteUser, updateAccountByForm } from "./operations.server";

/** Form actions of the users screen, with their messages. */
export function userForms(url: string): FormIntents {
  const done = (toast: string) => () => ({ to: withoutDialog(url), toast });
  return {
    createUser: intent(createUserByForm, {
      done: done("User created successfully"),
      failed: failureMessage("", "Failed to create user"),
    }),
    updateUser: intent(updateAccountByForm, {
      done: done("User updated successfully"),
      failed: failureMessage("", "Failed to update user"),
    }),
    deleteUser: intent(deleteUser, {
      done: done("User deleted successfully"),
      failed: failureMessage("", "Failed to delete user"),
    }),
  };
}

interface Failure {
  code: string;
  message: string;
  details?: unknown;
}

/**
 * Builds the message above a failed form from the server's error. It is null for invalid fields, which have messages
 * of their own.
 *
 * @param prefix such as "Login failed! "
 * @param fallback in place of the message of an internal error
 */
export function failureMessage(prefix: string, fallback?: string) {
  return ({ code, message, details }: Failure): string | null => {
    if (code === "invalid" && details) return null;
    return prefix + (code === "internal" && fallback ? fallback : message);
  };
}
