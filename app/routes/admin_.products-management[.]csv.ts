import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { catalogueCsv } from "~/features/product-import/operations.server";
import { adminPage } from "~/http/page.server";

export async function loader(args: LoaderFunctionArgs) {
  return adminPage(args, catalogueCsv);
}
