/** The page-level event that opens the chat from anywhere (spec 2, Support chat widget); `detail.chatId` is optional. */
export const OPEN_CHAT = "emporia:open-chat";

/**
 * Opens the chat's panel.
 *
 * @param chatId the chat to take up; without one, the reader's latest, or their details are asked for
 */
export function openChat(chatId?: string): void {
  window.dispatchEvent(new CustomEvent(OPEN_CHAT, { detail: { chatId } }));
}
