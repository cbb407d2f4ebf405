import { seatIn, staffSeat } from "~/features/chat/operations.server";
import { isOwnOrigin } from "~/http/csrf.server";
import { AppError } from "~/http/errors";
import type { RequestContext } from "~/http/request-context.server";
import { anyLobby, takeSeat } from "./connection-identity";
import { socketIo } from "./socket-io";

const VISITOR = { role: "visitor", userId: null, tokenHash: null } as const;

/** Whether a request is for the live connection. */
export function isLive(request: Request): boolean {
  return /^\/socket\.io\/?$/.test(new URL(request.url).pathname);
}

/**
 * Opens a live connection (contract: Live events): our pages' own with JSON frames, straight to its object, or a stock
 * Socket.IO client's, which ends in this Worker.
 *
 * @throws AppError forbidden for a foreign Origin and for who may not join; invalid for anything but a WebSocket; notFound
 */
export async function live(request: Request, context: RequestContext): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const origin = request.headers.get("Origin");
  if (origin !== null && !isOwnOrigin(origin, request, context.settings.url))
    throw new AppError("forbidden", "This request came from another site.");
  if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket")
    throw new AppError("invalid", "Connect by WebSocket.");
  return searchParams.has("EIO") ? socketIo(request, context) : byFrames(searchParams, context);
}

async function byFrames(wanted: URLSearchParams, context: RequestContext): Promise<Response> {
  const chatId = wanted.get("chat");
  if (chatId !== null) return toChat(chatId, wanted.get("after"), context);
  const staff = await staffSeat(context);
  if (wanted.get("room") !== "admin") return takeSeat(context.env, anyLobby(), staff ?? VISITOR, null);
  if (!staff) throw new AppError("forbidden", "You don't have permission to do this.");
  return takeSeat(context.env, "admin", staff, null);
}

async function toChat(chatId: string, after: string | null, context: RequestContext): Promise<Response> {
  const seat = await seatIn(context, chatId);
  if (!seat) throw new AppError("forbidden", "You don't have permission to do this.");
  if (after !== null && !/^\d{1,15}$/.test(after)) throw new AppError("invalid", "after is a message's seq.");
  const missedSince = after === null ? null : Number(after);
  const answer = await takeSeat(context.env, `chat:${chatId}`, seat, missedSince);
  if (answer.status === 404) throw new AppError("notFound", "Chat not found");
  return answer;
}
