import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { sitemap } from "~/features/catalogue/seo.server";

export async function loader({ context }: LoaderFunctionArgs) {
  return sitemap(context);
}
