import { chatIdentity, staffIdentity } from "~/features/chat/operations/access.server";
import { AppError } from "~/http/errors";
import { isOwnOrigin, type RequestContext } from "~/http/request-context.server";
import { lobbyOfAddress, openConnection } from "./connections";
import { socketIo } from "./socket-io";

const ANONYMOUS = { role: "visitor", userId: null, tokenHash: null } as const;

export function isLive({ pathname }: URL): boolean {
  return /^\/socket\.io\/?$/.test(pathname);
}

/**
 * Opens a live connection (docs/product.md, 7.2): with JSON frames to the room's object, or with Socket.IO, which this
 * Worker terminates.
 *
 * @throws AppError forbidden for a foreign Origin or without access; invalid for anything but a WebSocket; notFound
 */
export async function live(request: Request, context: RequestContext): Promise<Response> {
  const { searchParams } = context.url;
  if (isForeign(request, context.settings.url))
    throw new AppError("forbidden", "This request came from another site.");
  if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket")
    throw new AppError("invalid", "Connect by WebSocket.");
  return searchParams.has("EIO") ? socketIo(request, context) : connectWithFrames(searchParams, context);
}

/** Detects another site by Origin, or by Sec-Fetch-Site, because the runtime hides an empty Origin. */
function isForeign(request: Request, shopUrl: string): boolean {
  const origin = request.headers.get("Origin");
  if (origin !== null) return !isOwnOrigin(origin, request, shopUrl);
  const site = request.headers.get("Sec-Fetch-Site");
  return site !== null && site !== "same-origin" && site !== "none";
}

async function connectWithFrames(params: URLSearchParams, context: RequestContext): Promise<Response> {
  const chatId = params.get("chat");
  if (chatId !== null) return connectToChat(chatId, params.get("after"), context);
  const staff = await staffIdentity(context);
  if (params.get("room") !== "admin")
    return openConnection(context, lobbyOfAddress(context), staff ?? ANONYMOUS, null, staff === null);
  if (!staff) throw new AppError("forbidden", "You don't have permission to do this.");
  return openConnection(context, "admin", staff, null, false);
}

async function connectToChat(
  chatId: string,
  after: string | null,
  context: RequestContext,
): Promise<Response> {
  const identity = await chatIdentity(context, chatId);
  if (!identity) throw new AppError("forbidden", "You don't have permission to do this.");
  if (after !== null && !/^\d{1,15}$/.test(after)) throw new AppError("invalid", "after must be a seq.");
  const missedSince = after === null ? null : Number(after);
  const answer = await openConnection(
    context,
    `chat:${chatId}`,
    identity,
    missedSince,
    identity.role === "visitor",
  );
  if (answer.status === 404) throw new AppError("notFound", "Chat not found");
  return answer;
}
