import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { loader as pageLoader } from "./_shop.products.$id";

/** Returns the data of a product page, for prefetching into the browser's cache. */
export async function loader(args: LoaderFunctionArgs) {
  return pageLoader(args);
}
