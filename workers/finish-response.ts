import { recordError, recordSlowRequest } from "~/features/incidents/operations.server";
import type { RequestContext } from "~/http/request-context.server";
import type { RequestLog } from "~/http/request-log.server";
import { securityHeaders, serverTiming } from "~/http/response-headers.server";
import { routePatternOf } from "./routes";

/** Adds the headers of every response. */
export function finish(context: RequestContext, answer: Response, log: RequestLog): Response {
  if (answer.webSocket) return answer;
  const sheet = isInventory(context.url.pathname) ? context.settings.inventorySheetUrl : "";
  const defaults = securityHeaders(context.nonce, context.secure, {
    frameSource: sheet ? new URL(sheet).origin : undefined,
    hasScanner: isBackOffice(context.url.pathname),
  });
  const finished = writable(answer);
  const { headers } = finished;
  for (const [name, value] of Object.entries(defaults)) if (!headers.has(name)) headers.set(name, value);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  const retryAfter = context.headers.get("Retry-After");
  if (retryAfter) headers.set("Retry-After", retryAfter);
  // Remix omits it for a page without forms.
  if (answer.status === 405 && !headers.has("Allow")) headers.set("Allow", "GET, HEAD");
  if (answer.status >= 500) headers.set("X-Error-Reference", log.reference);
  headers.set("Server-Timing", serverTiming(context.meter, performance.now() - context.started));
  return finished;
}

const isBackOffice = (path: string) => /^\/admin(?:\/|$)/i.test(path);
const isInventory = (path: string) => /^\/admin\/inventory-management\/?$/i.test(path);

/** Returns the response itself, or a copy if its headers are immutable (redirects, fetched responses). */
function writable(answer: Response): Response {
  try {
    answer.headers.delete("Server-Timing");
    return answer;
  } catch {
    return new Response(answer.body, answer);
  }
}

/** Milliseconds from which a request is logged and recorded as slow. */
const SLOW_MS = 1000;

/** Logs failed and slow requests as one JSON line, by the route's pattern instead of the URL, and counts all. */
export function recordRequest(context: RequestContext, response: Response, log: RequestLog): void {
  const { method } = context.request;
  const { pathname } = context.url;
  // It reports failures by itself, as often as it is asked.
  if (pathname === "/readyz") return;
  const ms = Math.round(performance.now() - context.started);
  const { roundTrips, rowsRead, rowsWritten } = context.meter;
  const { status } = response;
  const pattern = routePatternOf(pathname);
  const route = `${method} ${pattern}`;
  context.env.METRICS?.writeDataPoint({
    indexes: [pattern],
    blobs: [pattern, method, String(status)],
    doubles: [1, Number(status >= 500), ms, rowsRead, rowsWritten],
  });
  // /serverError displays the page of a failure, without one.
  const failed = status >= 500 && (pattern !== "*" || log.error !== "");
  // Live connections and the slices of a backup take long by nature.
  const isLong = response.webSocket !== null || pathname.startsWith("/operator/");
  const slow = ms >= SLOW_MS && !isLong;
  if (!failed && !slow) return;
  const { reference, error } = log;
  const line = { reference, route, status, ms, roundTrips, rowsRead, rowsWritten };
  // The error itself is logged where it is caught.
  console.warn(JSON.stringify({ level: "warn", kind: failed ? "failed" : "slow", ...line }));
  if (failed) context.waitUntil(recordError(context.env, route, reference, error || `HTTP ${status}`));
  if (slow) context.waitUntil(recordSlowRequest(context.env, { route, ms, rowsRead, rowsWritten }));
}
