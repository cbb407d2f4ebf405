import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { downloadPersonalData } from "~/features/privacy/operations.server";
import { adminPage } from "~/http/page.server";

export async function loader(args: LoaderFunctionArgs) {
  return adminPage(args, downloadPersonalData);
}
