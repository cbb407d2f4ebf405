import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { invoicesCsv } from "~/features/ledger/page.server";
import { adminPage } from "~/http/page.server";

export async function loader(args: LoaderFunctionArgs) {
  return adminPage(args, invoicesCsv);
}
