import { AppError } from "./errors";

const SAFE = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/**
 * Refuses an unsafe method that a browser sends from elsewhere (contract: Every call). `Sec-Fetch-Site`
 * decides where it is present, else `Origin` must be the shop's own; a call with neither and without a
 * cookie (a script with a bearer token) passes. Sign-in and sign-up are no exception.
 *
 * @throws AppError forbidden (403)
 */
export function refuseCrossSite(request: Request): void {
  if (SAFE.has(request.method) || isOwn(request)) return;
  throw new AppError("forbidden", "This request came from another site.");
}

function isOwn(request: Request): boolean {
  const site = request.headers.get("Sec-Fetch-Site");
  if (site !== null) return site === "same-origin" || site === "none";
  const origin = request.headers.get("Origin");
  if (origin !== null) return origin === new URL(request.url).origin;
  return request.headers.get("Cookie") === null;
}
