import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { auditCsv } from "~/features/audit/operations.server";
import { adminPage } from "~/http/page.server";

export async function loader(args: LoaderFunctionArgs) {
  return adminPage(args, auditCsv);
}
