import { createRequestHandler } from "@remix-run/cloudflare";
import { purgeExpired, renewEmailKeys } from "~/features/accounts/operations.server";
import { checkLedger, purgeDeletedEntries } from "~/features/ledger/operations/maintenance.server";
import { removeUnusedObjects } from "~/features/storage/operations.server";
import { errorResponse } from "~/http/api-route.server";
import { bufferBody } from "~/http/body.server";
import { type RequestContext, requestContext } from "~/http/request-context.server";
import { asSameOrigin, rejectCrossSite, rejectUnknownMethod } from "~/http/request-guards.server";
import { securityHeaders, serverTiming } from "~/http/response-headers.server";
import * as build from "../build/server";
import { withEdgeCache } from "./edge-cache";
import { isLive, live } from "./live";
import { publicPaths, routePaths } from "./public-pages";

export { AddressConnections } from "./address-connections";
export { AdminRoom } from "./admin-room";
export { ChatRoom } from "./chat-room";
export { Lobby } from "./lobby";

const handleRequest = createRequestHandler(build, "production");

export default {
  async fetch(received, env, ctx): Promise<Response> {
    const { request, drain } = bufferBody(received);
    const context = await requestContext(request, env, (work) => ctx.waitUntil(work));
    try {
      return finish(request, context, await route(request, context));
    } catch (error) {
      return finish(request, context, errorResponse(error));
    } finally {
      await drain();
    }
  },

  async scheduled(_event, env) {
    await Promise.all([
      purgeExpired(env),
      renewEmailKeys(env),
      removeUnusedObjects(env),
      purgeDeletedEntries(env),
      checkLedger(env),
    ]);
  },
} satisfies ExportedHandler<Env>;

async function route(request: Request, context: RequestContext): Promise<Response> {
  rejectUnknownMethod(request);
  rejectCrossSite(request, context.settings.url);
  if (isLive(request)) return live(request, context);
  return withEdgeCache(request, context, build.assets.version, (page) => remix(page, context));
}

/** Lets Remix answer; the worker has made its own cross-site check, which Remix's must not contradict. */
function remix(request: Request, context: RequestContext): Promise<Response> {
  const safe = request.method === "GET" || request.method === "HEAD";
  return handleRequest(safe ? request : asSameOrigin(request), { ...context, routePaths, publicPaths });
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
