import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { QuoteForm } from "~/features/sales/record/QuoteForm";
import { QUOTE_FORMS, readQuotePage } from "~/features/sales/record/quote-page.server";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export const meta: MetaFunction = () => [
  { title: "Quote · Emporia back office" },
  { name: "robots", content: "noindex" },
];

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readQuotePage));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, QUOTE_FORMS);
}

export const clientAction = retryingAction((_, reason) => `Nothing was saved: ${reason}`);

export default function Quote() {
  return <QuoteForm data={useLoaderData<typeof loader>()} />;
}
