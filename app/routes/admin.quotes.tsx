import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { readQuotesScreen } from "~/features/sales/holds-and-quotes/page.server";
import { QuotesScreen } from "~/features/sales/holds-and-quotes/QuotesScreen";
import { adminPage } from "~/http/page.server";

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readQuotesScreen));
}

export default function Quotes() {
  return <QuotesScreen data={useLoaderData<typeof loader>()} />;
}
