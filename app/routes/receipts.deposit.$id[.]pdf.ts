import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { depositFile } from "~/features/sales/receipt/operations.server";
import { pageResult } from "~/http/page.server";

export async function loader({ params, context }: LoaderFunctionArgs) {
  return pageResult(depositFile.execute(context, { id: params.id }));
}
