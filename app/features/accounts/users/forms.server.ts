import { type FormIntent, intent } from "~/http/form-action.server";
import { failureMessage } from "../messages";
import { createUserByForm, deleteUser, updateAccountByForm } from "../operations.server";
import { withoutDialog } from "./list-params";

/**
 * Form actions of the users screen, with their messages.
 *
 * @param url of the form; a success leads back to the same list
 */
export function userForms(url: string): Record<string, FormIntent<unknown>> {
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
