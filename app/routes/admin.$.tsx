import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireStaff } from "~/http/page.server";

/** Responds with 404 to staff; others are redirected as from existing pages, so that they cannot probe for paths. */
export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context);
  throw new Response("Not Found", { status: 404 });
}

export default function UnknownSection() {
  return null;
}
