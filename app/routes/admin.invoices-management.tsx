import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { invoiceForms } from "~/features/ledger-pages/forms.server";
import { InvoicesScreen } from "~/features/ledger-pages/InvoicesScreen";
import { readInvoicesScreen } from "~/features/ledger-pages/page.server";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readInvoicesScreen));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, invoiceForms(args.request.url));
}

export const clientAction = retryingAction((act, why) => `Failed to ${act} invoice: ${why}`);

export default function Invoices() {
  return <InvoicesScreen data={useLoaderData<typeof loader>()} />;
}
