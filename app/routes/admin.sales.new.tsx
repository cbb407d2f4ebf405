import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { RECORD_FORMS } from "~/features/sales/record/forms.server";
import { readRecordSale } from "~/features/sales/record/page.server";
import { RecordSale } from "~/features/sales/record/RecordSale";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";
import { pageTitle } from "~/layouts/admin/sections";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export const meta: MetaFunction<typeof loader> = ({ data }) => pageTitle(data?.heading.title);

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readRecordSale));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, RECORD_FORMS);
}

export const clientAction = retryingAction((_, reason) => `The sale was not recorded: ${reason}`);

export default function NewSale() {
  return <RecordSale data={useLoaderData<typeof loader>()} />;
}
