import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { CustomerPage } from "~/features/sales/customers/CustomerPage";
import { customerPageForms } from "~/features/sales/customers/forms.server";
import { readCustomerPage } from "~/features/sales/customers/page.server";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";
import { pageTitle } from "~/layouts/admin/sections";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export const meta: MetaFunction<typeof loader> = ({ data }) => pageTitle(data?.heading.title);

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readCustomerPage));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, customerPageForms(args.request.url, args.context));
}

export const clientAction = retryingAction((act, why) => `Failed to ${act} customer: ${why}`);

export default function Customer() {
  return <CustomerPage page={useLoaderData<typeof loader>()} />;
}
