import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { CustomersScreen } from "~/features/sales/customers/CustomersScreen";
import { CUSTOMER_LIST_FORMS } from "~/features/sales/customers/forms.server";
import { readCustomersScreen } from "~/features/sales/customers/page.server";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readCustomersScreen));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, CUSTOMER_LIST_FORMS);
}

export const clientAction = retryingAction((act, why) => `Failed to ${act} customer: ${why}`);

export default function Customers() {
  return <CustomersScreen data={useLoaderData<typeof loader>()} />;
}
