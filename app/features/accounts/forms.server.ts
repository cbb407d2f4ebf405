import { type FormIntents, failureMessage, intent } from "~/http/form-action.server";
import { withoutDialog } from "~/ui/DataTable/list-params";
import { createUserByForm, deleteUser, updateAccountByForm } from "./operations/users.server";

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
