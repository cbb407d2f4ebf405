import type { RequestContext } from "~/http/request-context.server";
import { securityHeaders, serverTiming } from "~/http/response-headers.server";

/** Adds the headers of every response. */
export function finish(
  request: Request,
  context: RequestContext,
  answer: Response,
  reference: string,
): Response {
  if (answer.webSocket) return answer;
  const { pathname } = new URL(request.url);
  const sheet = isInventory(pathname) ? context.settings.inventorySheetUrl : "";
  const defaults = securityHeaders(context.nonce, context.secure, sheet ? new URL(sheet).origin : undefined);
  const finished = writable(answer);
  const { headers } = finished;
  for (const [name, value] of Object.entries(defaults)) if (!headers.has(name)) headers.set(name, value);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  const retryAfter = context.headers.get("Retry-After");
  if (retryAfter) headers.set("Retry-After", retryAfter);
  if (answer.status >= 500) headers.set("X-Error-Reference", reference);
  headers.set("Server-Timing", serverTiming(context.meter, performance.now() - context.started));
  return finished;
}

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
