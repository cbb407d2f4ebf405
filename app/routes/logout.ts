import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { localTo } from "~/domain/local-to";
import { signOut } from "~/features/sign-in/operations/sign-in.server";
import { readForm } from "~/http/body.server";
import { pageResult } from "~/http/page.server";
import { redirect } from "~/http/redirect.server";
import { outgoingHeaders } from "~/http/response-headers.server";

const LIMITS = { maxBytes: 4096, maxFields: 1, names: new Set(["redirectTo"]) };

/** Redirects a GET: only a POST signs out. */
export async function loader() {
  return redirect("/");
}

export async function action({ request, context }: ActionFunctionArgs) {
  if (context.refusal) return refused(context.refusal.message);
  await pageResult(signOut.execute(context, {}));
  const form = await readForm(request, LIMITS).catch(() => null);
  const to = localTo(form?.get("redirectTo"), "/");
  return redirect(to, { status: 303, headers: await outgoingHeaders(context) });
}

/** Answers with a minimal document: this route has no page that could show the message. */
function refused(message: string): Response {
  const head = `<meta name="viewport" content="width=device-width, initial-scale=1"><title>Not signed out</title>`;
  const body = `<main><h1>Not signed out</h1><p>${message}</p><a href="/">Back to the shop</a></main>`;
  return new Response(`<!DOCTYPE html><html lang="en"><head>${head}</head><body>${body}</body></html>`, {
    status: 503,
    headers: { "Content-Type": "text/html; charset=utf-8" },
  });
}
