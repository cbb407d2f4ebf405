import { errorResponse } from "~/http/api-route.server";
import { requestContext } from "~/http/request-context.server";
import { isLive, live } from "../workers/live";

export { AdminRoom } from "../workers/admin-room";
export { ChatRoom } from "../workers/chat-room";
export { AddressConnections } from "../workers/connections";
export { Lobby } from "../workers/live-object";
export { NightlyBackup } from "../workers/nightly";

/** Worker beside Vite in `npm run dev`: hosts the Durable Objects and accepts their live connections. */
export default {
  async fetch(request, env, ctx): Promise<Response> {
    if (!isLive(new URL(request.url)))
      return new Response("npm run dev serves this shop on another port.", { status: 404 });
    try {
      return await live(request, await requestContext(request, env, (work) => ctx.waitUntil(work)));
    } catch (error) {
      return errorResponse(error);
    }
  },
} satisfies ExportedHandler<Env>;
