import { SUPPORT_TEAM } from "~/features/chat/limits";
import type { ServerEvent } from "~/features/chat/protocol";
import type { Sockets } from "./sockets";

/** Sends a typing event: staff are the shop to the visitor, and colleagues to staff. */
export function relayTyping(
  sockets: Sockets,
  socket: WebSocket,
  { chatId, isTyping, visitorName }: { chatId: string; isTyping: boolean; visitorName: string },
): void {
  const { role, staffName = SUPPORT_TEAM } = sockets.state(socket);
  const sender = role === "staff" ? { staffName } : { visitorName };
  const { visitor, staff } = typingEvents(chatId, isTyping, sender);
  sockets.broadcast(visitor, socket, "visitor");
  sockets.broadcast(staff, socket, "staff");
}

/** Builds the typing event for each side: to the visitor, staff are the shop. */
function typingEvents(
  chatId: string,
  isTyping: boolean,
  sender: { staffName: string } | { visitorName: string },
): { visitor: ServerEvent; staff: ServerEvent } {
  const isStaff = "staffName" in sender;
  const event = (senderName: string): ServerEvent => ({
    event: "user-typing",
    data: { chatId, isTyping, isStaff, senderName },
  });
  return isStaff
    ? { visitor: event(SUPPORT_TEAM), staff: event(sender.staffName) }
    : { visitor: event(sender.visitorName), staff: event(sender.visitorName) };
}
