import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { accountsCsv } from "~/features/bookkeeping/operations.server";
import { adminPage } from "~/http/page.server";

export async function loader(args: LoaderFunctionArgs) {
  return adminPage(args, accountsCsv);
}
