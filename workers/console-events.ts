import type { ChatMessage, ChatView, ServerEvent } from "~/features/chat/protocol";

/** Events of a chat for the consoles, which are sent together after the response. */
export class ConsoleEvents {
  #pending: ServerEvent[] = [];

  constructor(private readonly env: Env) {}

  addMessage(message: ChatMessage, chat: ChatView): void {
    this.#pending.push({ event: "new-user-message", data: { chatId: chat.id, message, chat } });
  }

  /** Adds a change by staff: their message, or the chat's state. */
  addUpdate(chat: ChatView): void {
    this.#pending.push({ event: "chat-updated", data: { chatId: chat.id, chat } });
  }

  /** Replaces what has not been sent by the deletion of the chat. */
  replaceByDeletion(chatId: string): void {
    this.#pending = [{ event: "chat-updated", data: { chatId, chat: null } }];
  }

  /** Sends the events; a failure is logged only, since consoles read the list anew when they reconnect. */
  async send(): Promise<void> {
    const events = this.#pending.splice(0);
    if (events.length === 0) return;
    await this.env.ADMIN_ROOM.getByName("admin")
      .broadcast(events)
      .catch((error: unknown) => console.warn("Events could not be sent to the consoles:", error));
  }
}
