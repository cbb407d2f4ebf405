import {
  type ActionFunctionArgs,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import accountsCss from "~/features/accounts/accounts.css?url";
import { WAITING_FORMS } from "~/features/restock/forms.server";
import { PurchasesPage } from "~/features/sales/purchases/PurchasesPage";
import { readPurchases } from "~/features/sales/purchases/page.server";
import salesCss from "~/features/sales/sales.css?url";
import { formAction } from "~/http/form-action.server";
import { pageResult } from "~/http/page.server";
import { pageMeta } from "~/ui/site";

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: accountsCss },
  { rel: "stylesheet", href: salesCss },
];

export const meta: MetaFunction = ({ matches }) => pageMeta({ title: "My purchases", hidden: true }, matches);

export async function loader({ request, context }: LoaderFunctionArgs) {
  return json(await pageResult(readPurchases.execute(context, { url: request.url })));
}

export const action = (args: ActionFunctionArgs) => formAction(args, WAITING_FORMS);

export default function Purchases() {
  return <PurchasesPage {...useLoaderData<typeof loader>()} />;
}
