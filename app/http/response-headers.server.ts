import type { D1Meter } from "~/db/metered-d1.server";
import { bookmarkCookie } from "~/session/cookies.server";
import type { RequestContext } from "./request-context.server";

/**
 * Creates the security headers of a response.
 *
 * @param secure true over https
 * @param frameSource origin that may be framed (the inventory sheet)
 * @param hasScanner lets the page use the camera and compile the WebAssembly that reads codes from it
 */
export function securityHeaders(
  nonce: string,
  secure: boolean,
  { frameSource, hasScanner = false }: { frameSource?: string | undefined; hasScanner?: boolean } = {},
): Record<string, string> {
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'${hasScanner ? " 'wasm-unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    "font-src 'self'",
    "connect-src 'self'",
    `frame-src ${frameSource ?? "'none'"}`,
    "form-action 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(secure ? ["upgrade-insecure-requests"] : []),
  ];
  return {
    "Content-Security-Policy": policy.join("; "),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": `camera=(${hasScanner ? "self" : ""}), geolocation=(), microphone=(), payment=()`,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    ...(secure ? { "Strict-Transport-Security": "max-age=63072000; includeSubDomains" } : {}),
  };
}

/**
 * Collects the headers of a response: cookies set by the operation and, after a write, D1's bookmark, so that the next
 * page shows what was written.
 */
export async function outgoingHeaders(context: RequestContext): Promise<Headers> {
  const headers = new Headers(context.headers);
  const bookmark = context.meter.rowsWritten > 0 ? context.bookmark() : null;
  if (bookmark) headers.append("Set-Cookie", await bookmarkCookie(bookmark, context.secure));
  return headers;
}

/**
 * Formats Server-Timing: `d1;desc="2 round trips, 5 queries, 41 rows read, 0 rows written";dur=4.1, total;dur=9.8`.
 *
 * @param meter D1's cost; a confidential one is left out
 * @param total milliseconds since the request arrived
 */
export function serverTiming(meter: D1Meter, total: number): string {
  const entry = `total;dur=${total.toFixed(1)}`;
  if (meter.isConfidential) return entry;
  const { roundTrips, queries, rowsRead, rowsWritten } = meter;
  const cost = `${roundTrips} round trips, ${queries} queries, ${rowsRead} rows read, ${rowsWritten} rows written`;
  return `d1;desc="${cost}";dur=${meter.duration.toFixed(1)}, ${entry}`;
}
