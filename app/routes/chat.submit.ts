import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { START_FORMS } from "~/features/conversation/forms.server";
import { formAction } from "~/http/form-action.server";

/** Answers the forms that start a chat in JSON, for scripts that stay on their page. */
export async function action(args: ActionFunctionArgs) {
  return formAction(args, START_FORMS);
}
