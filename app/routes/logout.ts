import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { signOut } from "~/features/accounts/operations.server";
import { readForm } from "~/http/body.server";
import { localPath } from "~/http/redirects.server";
import { outgoingHeaders } from "~/http/response-headers.server";

const LIMITS = { maxBytes: 4096, maxFields: 1, names: new Set(["redirectTo"]) };

/** Redirects a GET: only a POST signs out. */
export async function loader() {
  return redirect("/");
}

export async function action({ request, context }: ActionFunctionArgs) {
  await signOut.execute(context, {});
  const form = await readForm(request, LIMITS).catch(() => null);
  const to = localPath(form?.get("redirectTo"), "/");
  return redirect(to, { status: 303, headers: await outgoingHeaders(context) });
}
