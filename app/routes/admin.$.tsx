import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireStaff } from "~/session/require-staff.server";

/** An admin path that nobody knows: the guard first, so that a stranger learns nothing of what exists. */
export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context);
  throw new Response("Not Found", { status: 404 });
}

export default function UnknownSection() {
  return null;
}
