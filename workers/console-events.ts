import type { ChatMessage, ChatView, ServerEvent } from "~/features/chat/protocol";

/** Events of a chat that wait to be sent to the consoles. */
export class ConsoleEvents {
  readonly #pending: ServerEvent[] = [];

  constructor(private readonly env: Env) {}

  addMessage(message: ChatMessage, chat: ChatView): void {
    this.#pending.push({ event: "new-user-message", data: { chatId: message.chatId, message, chat } });
  }

  /** Sends the events in order; a failure is logged only, since the list of chats has the message, too. */
  async send(): Promise<void> {
    const events = this.#pending.splice(0);
    if (events.length === 0) return;
    await this.env.ADMIN_ROOM.getByName("admin")
      .broadcast(events)
      .catch((error: unknown) => console.warn("new-user-message could not be sent:", error));
  }
}
