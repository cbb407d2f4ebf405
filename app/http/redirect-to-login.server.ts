import { redirect } from "@remix-run/cloudflare";

/** Leads somebody who isn't signed in to /login, and back here afterwards (contract: 401 and 500 on pages). */
export function redirectToLogin({ url, method }: Request): Response {
  const { pathname, search } = new URL(url);
  const back = new URLSearchParams({ redirectTo: pathname + search.replace(/[?&]_data=[^&]*/, "") });
  return redirect(`/login?${back}`, method === "GET" || method === "HEAD" ? 302 : 303);
}
