import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { loader as pageLoader } from "./_shop.products.$id";

/** Returns the data of a product's page, for prefetching into the browser's page cache. */
export async function loader(args: LoaderFunctionArgs) {
  return pageLoader(args);
}
