import { wakeWebhooks } from "~/features/integrations/delivery.server";
import { wakeRestock } from "~/features/restock/delivery.server";
import { errorResponse } from "~/http/api-route.server";
import { bufferBody } from "~/http/body.server";
import {
  isSafe,
  type RequestContext,
  rejectCrossSite,
  rejectUnknownMethod,
  requestContext,
} from "~/http/request-context.server";
import { type RequestLog, withRequestLog } from "~/http/request-log.server";
import { rejectKeyInUrl } from "~/session/caller.server";
import { finish, recordRequest } from "./finish-response";
import { isLive, live } from "./live";
import { deliverLocalMail, isLocalMail, takeMail } from "./mails";
import { runNightlyJobs, WATCH_CRON, watch } from "./nightly";
import { operatorResponse, requireSchema } from "./operator";
import { remix } from "./routes";
import { type Entries, purgeAfterWrite, purgePages, withSharedCache } from "./shared-cache";
import { webManifest } from "./web-manifests";

export { AdminRoom } from "./admin-room";
export { ChatRoom } from "./chat-room";
export { AddressConnections } from "./connections";
export { Lobby } from "./live-object";
export { NightlyBackup } from "./nightly";
export { SharedPages } from "./platform-cache";

export default {
  async fetch(received, env, ctx): Promise<Response> {
    if (isLocalMail(received)) return deliverLocalMail(received, env, ctx);
    return withRequestLog((log) => respond(received, env, ctx, log).catch(errorResponse));
  },

  async email(mail, env, ctx) {
    await takeMail(mail, env, ctx);
  },

  async scheduled({ cron }, env, ctx) {
    const run = cron === WATCH_CRON ? watch(env) : runNightlyJobs(env);
    await run.finally(() => purgePages(env, ctx.exports));
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
    const response = await route(request, context, ctx.exports).catch(errorResponse);
    const finished = finish(context, response, log);
    recordRequest(context, finished, log);
    if (context.meter.rowsWritten > 0) {
      ctx.waitUntil(purgeAfterWrite(env, ctx.exports));
      ctx.waitUntil(wakeWebhooks(env));
      ctx.waitUntil(wakeRestock(env));
    }
    return finished;
  } finally {
    await drain();
  }
}

async function route(request: Request, context: RequestContext, entries: Entries): Promise<Response> {
  rejectUnknownMethod(request);
  rejectKeyInUrl(context.url);
  rejectCrossSite(context);
  const plain = (await operatorResponse(context)) ?? (await webManifest(context));
  if (plain) return plain;
  if (!isSafe(request)) await requireSchema(request, context);
  if (isLive(context.url)) return live(request, context);
  return withSharedCache(request, context, entries, (shared) => remix(shared, context));
}
