import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { expensesCsv } from "~/features/ledger/page.server";
import { adminPage } from "~/http/page.server";

export async function loader(args: LoaderFunctionArgs) {
  return adminPage(args, expensesCsv);
}
