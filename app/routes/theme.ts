import { type ActionFunctionArgs, json } from "@remix-run/cloudflare";
import { localTo } from "~/domain/local-to";
import { readForm } from "~/http/body.server";
import { pageResult } from "~/http/page.server";
import { redirect } from "~/http/redirect.server";
import { type Theme, themeCookie } from "~/session/cookies.server";

const LIMITS = { maxBytes: 4096, maxFields: 2, names: new Set(["theme", "back"]) };

/** Stores the chosen theme. A plain form is redirected to its `back` path; a fetched one gets JSON. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await pageResult(readForm(request, LIMITS));
  const theme = readTheme(form.get("theme"));
  const headers = { "Set-Cookie": await pageResult(themeCookie(theme, context.secure)) };
  const back = form.get("back");
  return back === null
    ? json({ theme }, { headers })
    : redirect(localTo(back, "/"), { status: 303, headers });
}

/** Redirects a GET. */
export async function loader() {
  return redirect("/");
}

function readTheme(value: unknown): Theme {
  return value === "light" || value === "dark" ? value : "system";
}
