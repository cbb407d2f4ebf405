import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { depositFile } from "~/features/sales/receipt/operations.server";
import { pageResult } from "~/http/page.server";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const key = new URL(request.url).searchParams.get("key");
  return pageResult(depositFile.execute(context, { id: params.id, key }));
}
