import { purgeExpired, renewEmailKeys } from "~/features/accounts/operations.server";
import { checkLedger, sweepDeleted } from "~/features/ledger/operations.server";
import { sweepObjects } from "~/features/storage/operations.server";
import { errorResponse } from "~/http/api-route.server";
import { takeIn } from "~/http/body.server";
import { refuseCrossSite } from "~/http/csrf.server";
import { refuseUnknownMethod } from "~/http/methods.server";
import { type RequestContext, requestContext } from "~/http/request-context.server";
import { securityHeaders } from "~/http/security-headers.server";
import { serverTiming } from "~/http/server-timing.server";
import { throughEdgeCache } from "./edge-cache";
import { isLive, live } from "./live";
import { release, remix } from "./remix";

export { AdminRoom } from "./admin-room";
export { ChatRoom } from "./chat-room";
export { Lobby } from "./lobby";

export default {
  async fetch(received, env, ctx): Promise<Response> {
    const { request, rest } = takeIn(received);
    const context = await requestContext(request, env, (work) => ctx.waitUntil(work));
    try {
      return finish(request, context, await route(request, context));
    } catch (error) {
      return finish(request, context, errorResponse(error));
    } finally {
      await rest();
    }
  },

  async scheduled(_event, env) {
    await Promise.all([
      purgeExpired(env),
      renewEmailKeys(env),
      sweepObjects(env),
      sweepDeleted(env),
      checkLedger(env),
    ]);
  },
} satisfies ExportedHandler<Env>;

async function route(request: Request, context: RequestContext): Promise<Response> {
  refuseUnknownMethod(request);
  refuseCrossSite(request, context.settings.url);
  if (isLive(request)) return live(request, context);
  return throughEdgeCache(request, context, release, (page) => remix(page, context));
}

/** Puts on what every answer carries. */
function finish(request: Request, context: RequestContext, answer: Response): Response {
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
  headers.set("Server-Timing", serverTiming(context.meter, performance.now() - context.started));
  return finished;
}

/** The one page that may frame something. */
const isInventory = (path: string) => /^\/admin\/inventory-management\/?$/i.test(path);

/** The answer itself, so that its body stays what it is; a copy of one whose headers are fixed (redirects, fetched). */
function writable(answer: Response): Response {
  try {
    answer.headers.delete("Server-Timing");
    return answer;
  } catch {
    return new Response(answer.body, answer);
  }
}
