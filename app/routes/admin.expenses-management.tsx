import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { ExpensesScreen } from "~/features/ledger-pages/ExpensesScreen";
import { expenseForms } from "~/features/ledger-pages/forms.server";
import { readExpensesScreen } from "~/features/ledger-pages/page.server";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readExpensesScreen));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, expenseForms(args.request.url));
}

export const clientAction = retryingAction((act, why) => `Failed to ${act} expense: ${why}`);

export default function Expenses() {
  return <ExpensesScreen data={useLoaderData<typeof loader>()} />;
}
