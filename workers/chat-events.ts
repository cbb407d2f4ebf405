import { SUPPORT_TEAM, TYPING_INDICATOR_MS } from "~/features/chat/limits";
import type { ChatMessage, ChatView, ReadMark, ServerEvent } from "~/features/chat/protocol";
import type { ConnectionIdentity } from "~/features/chat/rooms";
import { adminRoom } from "~/http/shop-objects.server";
import type { ChatLog } from "./chat-log";
import { chatFor, messageFor } from "./chat-views";
import type { Sockets } from "./sockets";

type Role = ConnectionIdentity["role"];

/** Live events of a chat, for each side as it may see them. */
export class RoomEvents {
  /** Time of the last typing event by connection of staff, epoch milliseconds. */
  readonly #typing = new Map<WebSocket, number>();

  constructor(
    private readonly sockets: Sockets,
    private readonly log: ChatLog,
  ) {}

  sendMessage(message: ChatMessage): void {
    for (const role of ["visitor", "staff"] as const)
      this.sockets.broadcast({ event: "new-message", data: messageFor(role, message) }, undefined, role);
  }

  /** Sends the visitor the chat that staff have closed or reopened. */
  sendState(): void {
    const chat = chatFor("visitor", this.log.view());
    this.sockets.broadcast({ event: "chat-updated", data: { chatId: chat.id, chat } }, undefined, "visitor");
  }

  sendRead(by: Role, mark: ReadMark): void {
    this.sockets.broadcast({ event: "read", data: { chatId: this.log.chat().id, by, ...mark } });
  }

  /** Sends a typing event: staff are the shop to the visitor, who types until all have stopped, and colleagues to staff. */
  relayTyping(socket: WebSocket, isTyping: boolean, visitorName: string): void {
    const { role, staffName = SUPPORT_TEAM } = this.sockets.state(socket);
    const isStaff = role === "staff";
    const send = (to: Role, senderName: string) => {
      const data = { chatId: this.log.chat().id, isTyping, isStaff, senderName };
      this.sockets.broadcast({ event: "user-typing", data }, socket, to);
    };
    if (isStaff) this.#setTyping(socket, isTyping);
    if (!isStaff || isTyping || this.#typing.size === 0)
      send("visitor", isStaff ? SUPPORT_TEAM : visitorName);
    send("staff", isStaff ? staffName : visitorName);
  }

  /** Keeps the members of staff whose typing indicator is visible. */
  #setTyping(socket: WebSocket, isTyping: boolean): void {
    if (isTyping) this.#typing.set(socket, Date.now());
    else this.#typing.delete(socket);
    for (const [other, at] of this.#typing)
      if (at < Date.now() - TYPING_INDICATOR_MS) this.#typing.delete(other);
  }

  /** Returns the messages after a seq as events, the latest of very many; none without a seq. */
  missed(after: number | null | undefined, role: Role): ServerEvent[] {
    const messages = after == null ? [] : this.log.latestAfter(after);
    return messages.map((message) => ({ event: "new-message", data: messageFor(role, message) }));
  }
}

/** Events of a chat for the consoles, which are sent together after the response. */
export class ConsoleEvents {
  #pending: ServerEvent[] = [];

  constructor(private readonly env: Env) {}

  addMessage(message: ChatMessage, chat: ChatView): void {
    this.#pending.push({ event: "new-user-message", data: { chatId: chat.id, message, chat } });
  }

  /** Adds a change by staff: their message, or the chat's state. @param assignedBy name of who assigned it to a colleague */
  addUpdate(chat: ChatView, assignedBy?: string): void {
    const assignment = assignedBy === undefined ? {} : { assignedBy };
    this.#pending.push({ event: "chat-updated", data: { chatId: chat.id, chat, ...assignment } });
  }

  /** Replaces what has not been sent by the deletion of the chat. */
  replaceByDeletion(chatId: string): void {
    this.#pending = [{ event: "chat-updated", data: { chatId, chat: null } }];
  }

  /** Sends the events; a failure is logged only, since consoles read the list anew when they reconnect. */
  async send(): Promise<void> {
    const events = this.#pending.splice(0);
    if (events.length === 0) return;
    await adminRoom(this.env)
      .broadcast(events)
      .catch((error: unknown) => console.warn("Events could not be sent to the consoles:", error));
  }
}
