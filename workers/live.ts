import { seatIn, staffSeat } from "~/features/chat/operations.server";
import { AppError } from "~/http/errors";
import type { RequestContext } from "~/http/request-context.server";
import { isOwnOrigin } from "~/http/request-guards.server";
import { lobbyFor, openConnection } from "./connection-identity";
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
  if (isForeign(request, context.settings.url))
    throw new AppError("forbidden", "This request came from another site.");
  if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket")
    throw new AppError("invalid", "Connect by WebSocket.");
  return searchParams.has("EIO") ? socketIo(request, context) : byFrames(searchParams, context);
}

/** The runtime hides an empty Origin: a browser's upgrade without one is told by where it says it comes from. */
function isForeign(request: Request, shopUrl: string): boolean {
  const origin = request.headers.get("Origin");
  if (origin !== null) return !isOwnOrigin(origin, request, shopUrl);
  const site = request.headers.get("Sec-Fetch-Site");
  return site !== null && site !== "same-origin" && site !== "none";
}

async function byFrames(wanted: URLSearchParams, context: RequestContext): Promise<Response> {
  const chatId = wanted.get("chat");
  if (chatId !== null) return toChat(chatId, wanted.get("after"), context);
  const staff = await staffSeat(context);
  if (wanted.get("room") !== "admin")
    return openConnection(context, lobbyFor(context), staff ?? VISITOR, null, staff === null);
  if (!staff) throw new AppError("forbidden", "You don't have permission to do this.");
  return openConnection(context, "admin", staff, null, false);
}

async function toChat(chatId: string, after: string | null, context: RequestContext): Promise<Response> {
  const seat = await seatIn(context, chatId);
  if (!seat) throw new AppError("forbidden", "You don't have permission to do this.");
  if (after !== null && !/^\d{1,15}$/.test(after)) throw new AppError("invalid", "after is a message's seq.");
  const missedSince = after === null ? null : Number(after);
  const answer = await openConnection(context, `chat:${chatId}`, seat, missedSince, seat.role === "visitor");
  if (answer.status === 404) throw new AppError("notFound", "Chat not found");
  return answer;
}
