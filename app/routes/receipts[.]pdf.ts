import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { receiptsFile } from "~/features/sales/receipt/operations.server";
import { adminPage } from "~/http/page.server";

export async function loader(args: LoaderFunctionArgs) {
  return adminPage(args, receiptsFile);
}
