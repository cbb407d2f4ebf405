import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { readFindPage } from "~/features/find/operations.server";
import { pageResult } from "~/http/page.server";

/** Returns what the dialog of the search shows. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  return json(await pageResult(readFindPage.execute(context, { url: request.url })));
}
