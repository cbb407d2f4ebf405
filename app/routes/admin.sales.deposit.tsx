import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { DepositForm } from "~/features/sales/deposits/DepositForms";
import { DEPOSIT_FORMS } from "~/features/sales/deposits/forms.server";
import { readDepositPage } from "~/features/sales/deposits/page.server";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";
import { pageTitle } from "~/layouts/admin/sections";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export const meta: MetaFunction<typeof loader> = ({ data }) => pageTitle(data?.heading.title);

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readDepositPage));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, DEPOSIT_FORMS);
}

export const clientAction = retryingAction((_, reason) => `Nothing was saved: ${reason}`);

export default function Deposit() {
  return <DepositForm data={useLoaderData<typeof loader>()} />;
}
