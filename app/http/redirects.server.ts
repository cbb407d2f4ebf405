import { redirect } from "@remix-run/cloudflare";

const BASE = "http://local.invalid";

/**
 * Restricts a redirect target to the shop: browsers read `//e`, `/\e`, `/..//e` and `https://e` as other hosts.
 *
 * @param target requested by a form or a link
 * @param fallback local path for a target outside the shop
 * @returns path with query and fragment, beginning with exactly one slash
 */
export function localPath(target: unknown, fallback: string): string {
  if (typeof target !== "string" || !/^\/(?![/\\])/.test(target) || /[\\\p{Cc}]/u.test(target))
    return fallback;
  const url = URL.canParse(target, BASE) ? new URL(target, BASE) : null;
  if (!url || url.origin !== BASE || url.pathname.startsWith("//")) return fallback;
  return url.pathname + url.search + url.hash;
}

/** Redirects to /login, which leads back here after sign-in. */
export function redirectToLogin({ url, method }: Request): Response {
  const { pathname, search } = new URL(url);
  const back = new URLSearchParams({ redirectTo: pathname + search.replace(/[?&]_data=[^&]*/, "") });
  return redirect(`/login?${back}`, method === "GET" || method === "HEAD" ? 302 : 303);
}

/**
 * Finds the page that a request came from, for a Go Back link without JavaScript.
 *
 * @returns path and query; "/" for another site or the same page
 */
export function referrerPath(request: Request): string {
  const referer = request.headers.get("Referer");
  const here = new URL(request.url);
  const from = referer && URL.canParse(referer) ? new URL(referer) : null;
  if (!from || from.host !== here.host || from.pathname === here.pathname) return "/";
  return localPath(from.pathname + from.search, "/");
}
