import { redirect } from "@remix-run/cloudflare";

const BASE = "http://local.invalid";

/**
 * A redirect target that stays in the shop, whatever was asked for: `//e`, `/\e`, `/..//e` and
 * `https://e` are other hosts to a browser (budgets: Safe).
 *
 * @param target what a form or a link asks for
 * @param fallback local path used when it leads elsewhere
 * @returns path with query and fragment, beginning with exactly one slash
 */
export function localPath(target: unknown, fallback: string): string {
  if (typeof target !== "string" || !/^\/(?![/\\])/.test(target) || /[\\\p{Cc}]/u.test(target))
    return fallback;
  const url = URL.canParse(target, BASE) ? new URL(target, BASE) : null;
  if (!url || url.origin !== BASE || url.pathname.startsWith("//")) return fallback;
  return url.pathname + url.search + url.hash;
}

/** Leads somebody who isn't signed in to /login, and back here afterwards (contract: 401 and 500 on pages). */
export function redirectToLogin({ url, method }: Request): Response {
  const { pathname, search } = new URL(url);
  const back = new URLSearchParams({ redirectTo: pathname + search.replace(/[?&]_data=[^&]*/, "") });
  return redirect(`/login?${back}`, method === "GET" || method === "HEAD" ? 302 : 303);
}

/**
 * The page of the shop that a request came from, for a Go Back that needs no JavaScript.
 *
 * @returns its path and query; "/" when it came from elsewhere, or from the same address
 */
export function referrerPath(request: Request): string {
  const referer = request.headers.get("Referer");
  const here = new URL(request.url);
  const from = referer && URL.canParse(referer) ? new URL(referer) : null;
  if (!from || from.host !== here.host || from.pathname === here.pathname) return "/";
  return localPath(from.pathname + from.search, "/");
}
