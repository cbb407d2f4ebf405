import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { WithdrawForm } from "~/features/sales/deposits/DepositForms";
import { WITHDRAW_FORMS } from "~/features/sales/deposits/forms.server";
import { readWithdrawPage } from "~/features/sales/deposits/page.server";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";
import { pageTitle } from "~/layouts/admin/sections";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export const meta: MetaFunction<typeof loader> = ({ data }) => pageTitle(data?.heading.title);

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readWithdrawPage));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, WITHDRAW_FORMS);
}

export const clientAction = retryingAction((_, reason) => `Nothing was withdrawn: ${reason}`);

export default function Withdraw() {
  return <WithdrawForm data={useLoaderData<typeof loader>()} />;
}
