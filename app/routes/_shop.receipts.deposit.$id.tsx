import { json, type LinksFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { readDepositReceipt } from "~/features/sales/receipt/operations.server";
import { ReceiptPage } from "~/features/sales/receipt/ReceiptPage";
import salesCss from "~/features/sales/sales.css?url";
import { pageResult } from "~/http/page.server";
import { pageMeta } from "~/ui/site";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: salesCss }];

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  const title = data ? `${data.content.title} ${data.content.number}` : "Receipt";
  return pageMeta({ title, hidden: true }, matches);
};

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const key = new URL(request.url).searchParams.get("key");
  return json(await pageResult(readDepositReceipt.execute(context, { id: params.id, key })));
}

export default function DepositReceipt() {
  return <ReceiptPage {...useLoaderData<typeof loader>()} />;
}
