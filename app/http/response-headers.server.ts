import type { D1Meter } from "~/db/metered-d1.server";
import { bookmarkCookie } from "~/session/cookies.server";
import type { RequestContext } from "./request-context.server";

/**
 * The security headers of every answer (budgets: Safe).
 *
 * @param nonce of this answer's scripts and styles
 * @param secure whether it goes out over https
 * @param frameSource origin that may be framed (the inventory sheet), if any
 */
export function securityHeaders(
  nonce: string,
  secure: boolean,
  frameSource?: string,
): Record<string, string> {
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
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
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    ...(secure ? { "Strict-Transport-Security": "max-age=63072000; includeSubDomains" } : {}),
  };
}

/**
 * What an answer carries besides its body: the cookies that the operation set and, after a write, D1's
 * bookmark, so that the reader's next page shows what was just written.
 *
 * @param context the request's context, after the operation ran
 */
export async function outgoingHeaders(context: RequestContext): Promise<Headers> {
  const headers = new Headers(context.headers);
  const bookmark = context.meter.rowsWritten > 0 ? context.bookmark() : null;
  if (bookmark) headers.append("Set-Cookie", await bookmarkCookie(bookmark, context.secure));
  return headers;
}

/**
 * Server-Timing: `d1;desc="2 round trips, 5 queries, 41 rows read";dur=4.1, total;dur=9.8`.
 *
 * @param meter what D1 cost; a confidential one is left out
 * @param total milliseconds since the request arrived
 */
export function serverTiming(meter: D1Meter, total: number): string {
  const entry = `total;dur=${total.toFixed(1)}`;
  if (meter.isConfidential) return entry;
  const cost = `${meter.roundTrips} round trips, ${meter.queries} queries, ${meter.rowsRead} rows read`;
  return `d1;desc="${cost}";dur=${meter.duration.toFixed(1)}, ${entry}`;
}
