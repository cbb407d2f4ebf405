import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { stockCsv } from "~/features/inventory/operations.server";
import { adminPage } from "~/http/page.server";

export async function loader(args: LoaderFunctionArgs) {
  return adminPage(args, stockCsv);
}
