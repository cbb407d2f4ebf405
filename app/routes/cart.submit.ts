import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { CART_FORMS } from "~/features/cart/forms.server";
import { formAction } from "~/http/form-action.server";

/** Answers the cart's forms in JSON, for scripts that stay on their page. */
export async function action(args: ActionFunctionArgs) {
  return formAction(args, CART_FORMS);
}
