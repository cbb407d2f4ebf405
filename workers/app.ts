import { wakeWebhooks } from "~/features/integrations/delivery.server";
import { errorResponse } from "~/http/api-route.server";
import { bufferBody } from "~/http/body.server";
import {
  asSameOrigin,
  isSafe,
  type RequestContext,
  rejectCrossSite,
  rejectUnknownMethod,
  requestContext,
} from "~/http/request-context.server";
import { type RequestLog, withRequestLog } from "~/http/request-log.server";
import { rejectKeyInUrl } from "~/session/caller.server";
import * as build from "../build/server";
import { withEdgeCache } from "./edge-cache";
import { finish, recordRequest } from "./finish-response";
import { isLive, live } from "./live";
import { runNightlyJobs, WATCH_CRON, watch } from "./nightly";
import { operatorResponse, requireSchema } from "./operator";
import { handlerFor, publicPaths, routePaths } from "./routes";

export { AdminRoom } from "./admin-room";
export { ChatRoom } from "./chat-room";
export { AddressConnections } from "./connections";
export { Lobby } from "./live-object";
export { NightlyBackup } from "./nightly";

export default {
  async fetch(received, env, ctx): Promise<Response> {
    return withRequestLog((log) => respond(received, env, ctx, log).catch(errorResponse));
  },

  async scheduled({ cron }, env) {
    if (cron !== WATCH_CRON) await runNightlyJobs(env);
    else await watch(env);
  },
} satisfies ExportedHandler<Env>;

async function respond(
  received: Request,
  env: Env,
  ctx: ExecutionContext,
  log: RequestLog,
): Promise<Response> {
  const { request, drain } = bufferBody(received);
  const context = await requestContext(request, env, (work) => ctx.waitUntil(work));
  try {
    const response = await route(request, context).catch(errorResponse);
    const finished = finish(context, response, log);
    recordRequest(context, finished, log);
    if (context.meter.rowsWritten > 0) ctx.waitUntil(wakeWebhooks(env));
    return finished;
  } finally {
    await drain();
  }
}

async function route(request: Request, context: RequestContext): Promise<Response> {
  rejectUnknownMethod(request);
  rejectKeyInUrl(context.url);
  rejectCrossSite(context);
  const forOperators = await operatorResponse(context);
  if (forOperators) return forOperators;
  if (!isSafe(request)) await requireSchema(request, context);
  if (isLive(context.url)) return live(request, context);
  return withEdgeCache(request, context, build.assets.version, (page) => remix(page, context));
}

/** Passes a request to Remix, whose cross-site check must not contradict the Worker's. */
function remix(request: Request, context: RequestContext): Promise<Response> {
  const safe = request.method === "GET" || request.method === "HEAD";
  const handle = handlerFor(context.url.pathname);
  return handle(safe ? request : asSameOrigin(request), { ...context, routePaths, publicPaths });
}
