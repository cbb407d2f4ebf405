import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { HoldForm } from "~/features/sales/record/HoldAndQuoteForms";
import { holdForms, readHoldPage } from "~/features/sales/record/hold-and-quote-pages.server";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";
import { pageTitle } from "~/layouts/admin/sections";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export const meta: MetaFunction<typeof loader> = ({ data }) => pageTitle(data?.heading.title);

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readHoldPage));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, holdForms(args.context));
}

export const clientAction = retryingAction((_, reason) => `Nothing was saved: ${reason}`);

export default function Hold() {
  return <HoldForm data={useLoaderData<typeof loader>()} />;
}
