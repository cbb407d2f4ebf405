import { localPath } from "./local-path";

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
