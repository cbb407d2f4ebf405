import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { downloadOwn } from "~/features/privacy/operations.server";
import { pageResult } from "~/http/page.server";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const key = new URL(request.url).searchParams.get("key") ?? "";
  return pageResult(downloadOwn.execute(context, { key }));
}
