import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { CART_FORMS } from "~/features/cart/forms.server";
import { formAction } from "~/http/form-action.server";

/** Runs the cart's forms and responds with JSON, for fetched forms. */
export async function action(args: ActionFunctionArgs) {
  return formAction(args, CART_FORMS);
}
