import { apiKeyOf } from "~/session/caller.server";
import { AppError } from "./errors";

const SAFE = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/** Tests for a method that changes nothing. */
export const isSafe = ({ method }: Request) => SAFE.has(method);

/**
 * Rejects an unsafe method that a browser sends from another site. `Sec-Fetch-Site` decides where it is present,
 * otherwise `Origin` must be the shop's own; a call with neither and without a cookie (a script with a bearer token)
 * passes, and so does a call with an API key, for which no cookie identifies the caller. Sign-in and sign-up are checked
 * too.
 *
 * @throws AppError forbidden (403)
 */
export function rejectCrossSite(request: Request, shopUrl: string): void {
  if (isSafe(request) || apiKeyOf(request) !== null || isOwn(request, shopUrl)) return;
  throw new AppError("forbidden", "This request came from another site.");
}

function isOwn(request: Request, shopUrl: string): boolean {
  const site = request.headers.get("Sec-Fetch-Site");
  if (site !== null) return site === "same-origin" || site === "none";
  const origin = request.headers.get("Origin");
  if (origin !== null) return isOwnOrigin(origin, request, shopUrl);
  return request.headers.get("Cookie") === null;
}

/**
 * Tests an `Origin` against SHOP_URL, which holds behind a proxy too, and against the request's own URL, which a page of
 * another site cannot make a browser send.
 */
export function isOwnOrigin(origin: string, request: Request, shopUrl: string): boolean {
  return (
    origin === new URL(request.url).origin || (URL.canParse(shopUrl) && origin === new URL(shopUrl).origin)
  );
}

/**
 * Prepares a request for Remix, whose own origin check knows neither `Sec-Fetch-Site` nor that `X-Forwarded-Host` is not
 * to be trusted. `rejectCrossSite` has passed by then.
 */
export function asSameOrigin(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("X-Forwarded-Host");
  if (headers.has("Origin")) headers.set("Origin", new URL(request.url).origin);
  headers.set("Host", new URL(request.url).host);
  return new Request(request, { headers });
}

const KNOWN = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];

/** Rejects a method that no route handles, before routing. @throws AppError methodNotAllowed (405) */
export function rejectUnknownMethod({ method }: Request): void {
  if (KNOWN.includes(method)) return;
  throw new AppError("methodNotAllowed", "Method not allowed", { headers: { Allow: KNOWN.join(", ") } });
}
