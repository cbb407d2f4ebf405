import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { sitemap } from "~/features/catalogue/seo.server";
import { pageResult } from "~/http/page.server";

export async function loader({ context }: LoaderFunctionArgs) {
  return pageResult(sitemap(context));
}
