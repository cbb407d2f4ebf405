import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { holdAndQuoteForms } from "~/features/sales/holds-and-quotes/forms.server";
import { readQuotesScreen } from "~/features/sales/holds-and-quotes/page.server";
import { QuotesScreen } from "~/features/sales/holds-and-quotes/QuotesScreen";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readQuotesScreen));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, holdAndQuoteForms(args.context));
}

export const clientAction = retryingAction((act, why) => `Failed to ${act} the quote: ${why}`);

export default function Quotes() {
  return <QuotesScreen data={useLoaderData<typeof loader>()} />;
}
