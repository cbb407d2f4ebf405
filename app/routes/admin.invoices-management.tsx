import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { invoiceForms } from "~/features/ledger/books/forms.server";
import { InvoicesScreen } from "~/features/ledger/books/InvoicesScreen";
import { invoicesScreen } from "~/features/ledger/books/page.server";
import { formAction } from "~/http/form-action.server";
import { requireStaff } from "~/session/require-staff.server";
import { steadyAction } from "~/ui/steady-action";

export { shouldRevalidate } from "~/ui/steady-action";

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireStaff(context);
  return json(await invoicesScreen(context, request.url));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, invoiceForms(args.request.url));
}

export const clientAction = steadyAction((act, why) => `Failed to ${act} invoice: ${why}`);

export default function Invoices() {
  return <InvoicesScreen data={useLoaderData<typeof loader>()} />;
}
