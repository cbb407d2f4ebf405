import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { invoiceForms } from "~/features/ledger/forms.server";
import { InvoicesScreen } from "~/features/ledger/InvoicesScreen";
import { invoicesScreen } from "~/features/ledger/page.server";
import { formAction } from "~/http/form-action.server";
import { requireStaff } from "~/session/require-staff.server";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireStaff(context);
  return json(await invoicesScreen(context, request.url));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, invoiceForms(args.request.url));
}

export const clientAction = retryingAction((act, why) => `Failed to ${act} invoice: ${why}`);

export default function Invoices() {
  return <InvoicesScreen data={useLoaderData<typeof loader>()} />;
}
