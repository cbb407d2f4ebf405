/** Page-level event that opens the chat from anywhere; `detail.chatId` is optional. */
export const OPEN_CHAT = "emporia:open-chat";

/**
 * Opens the chat panel.
 *
 * @param chatId default: the reader's latest chat, or a new one
 */
export function openChat(chatId?: string): void {
  window.dispatchEvent(new CustomEvent(OPEN_CHAT, { detail: { chatId } }));
}
