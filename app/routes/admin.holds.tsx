import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { holdForms } from "~/features/sales/holds-and-quotes/forms.server";
import { HoldsScreen } from "~/features/sales/holds-and-quotes/HoldsScreen";
import { readHoldsScreen } from "~/features/sales/holds-and-quotes/page.server";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readHoldsScreen));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, holdForms(args.context, args.request.url));
}

export const clientAction = retryingAction((act, why) => `Failed to ${act} the hold: ${why}`);

export default function Holds() {
  return <HoldsScreen data={useLoaderData<typeof loader>()} />;
}
