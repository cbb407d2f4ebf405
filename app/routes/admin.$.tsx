import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { unknownAdminPage } from "~/features/dashboard/page.server";
import { adminPage } from "~/http/page.server";

/** Responds with 404 to staff; others are redirected as from existing pages, so that they cannot probe for paths. */
export async function loader(args: LoaderFunctionArgs) {
  return adminPage(args, unknownAdminPage);
}

export default function UnknownSection() {
  return null;
}
