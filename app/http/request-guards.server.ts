import { AppError } from "./errors";

const SAFE = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/**
 * Refuses an unsafe method that a browser sends from elsewhere (contract: Every call). `Sec-Fetch-Site`
 * decides where it is present, else `Origin` must be the shop's own; a call with neither and without a
 * cookie (a script with a bearer token) passes. Sign-in and sign-up are no exception.
 *
 * @param shopUrl from SHOP_URL
 * @throws AppError forbidden (403)
 */
export function refuseCrossSite(request: Request, shopUrl: string): void {
  if (SAFE.has(request.method) || isOwn(request, shopUrl)) return;
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
 * Whether an `Origin` is the shop's own: that of SHOP_URL, which a proxy in front can't change, or that of the address
 * which was asked for, which no page of another site can make a browser send.
 *
 * @param shopUrl from SHOP_URL
 */
export function isOwnOrigin(origin: string, request: Request, shopUrl: string): boolean {
  return (
    origin === new URL(request.url).origin || (URL.canParse(shopUrl) && origin === new URL(shopUrl).origin)
  );
}

/**
 * A request as Remix may see it: it has an origin check of its own, which knows neither `Sec-Fetch-Site` nor that
 * `X-Forwarded-Host` is not to be trusted. Ours has been passed by then, so its answer is what this says.
 */
export function asSameOrigin(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("X-Forwarded-Host");
  if (headers.has("Origin")) headers.set("Origin", new URL(request.url).origin);
  headers.set("Host", new URL(request.url).host);
  return new Request(request, { headers });
}

const KNOWN = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];

/**
 * Refuses a method that no route of the shop knows, before the router meets it.
 *
 * @throws AppError methodNotAllowed (405)
 */
export function refuseUnknownMethod({ method }: Request): void {
  if (KNOWN.includes(method)) return;
  throw new AppError("methodNotAllowed", "Method not allowed", { headers: { Allow: KNOWN.join(", ") } });
}
