import { createRequestHandler } from "@remix-run/cloudflare";
import { purgeExpired, renewEmailKeys } from "~/features/accounts/operations.server";
import { removeOrphanFiles } from "~/features/chat/operations.server";
import { checkLedger, purgeDeletedEntries } from "~/features/ledger/operations/maintenance.server";
import { purgeSubscriptions } from "~/features/push/operations.server";
import { settleHolds } from "~/features/sales/holds.server";
import { removeUnusedObjects } from "~/features/storage/operations.server";
import { errorResponse } from "~/http/api-route.server";
import { bufferBody } from "~/http/body.server";
import { type RequestContext, requestContext } from "~/http/request-context.server";
import { asSameOrigin, rejectCrossSite, rejectUnknownMethod } from "~/http/request-guards.server";
import * as build from "../build/server";
import { publicPaths, routePaths, withEdgeCache } from "./edge-cache";
import { finish } from "./finish-response";
import { isLive, live } from "./live";

export { AddressConnections } from "./address-connections";
export { AdminRoom } from "./admin-room";
export { ChatRoom } from "./chat-room";
export { Lobby } from "./live-object";

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
      purgeSubscriptions(env),
      removeUnusedObjects(env),
      removeOrphanFiles(env),
      purgeDeletedEntries(env),
      checkLedger(env),
      settleHolds(env),
    ]);
  },
} satisfies ExportedHandler<Env>;

async function route(request: Request, context: RequestContext): Promise<Response> {
  rejectUnknownMethod(request);
  rejectCrossSite(request, context.settings.url);
  if (isLive(request)) return live(request, context);
  return withEdgeCache(request, context, build.assets.version, (page) => remix(page, context));
}

/** Passes a request to Remix, whose cross-site check must not contradict the Worker's. */
function remix(request: Request, context: RequestContext): Promise<Response> {
  const safe = request.method === "GET" || request.method === "HEAD";
  return handleRequest(safe ? request : asSameOrigin(request), { ...context, routePaths, publicPaths });
}
