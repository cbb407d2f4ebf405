import { useSyncExternalStore } from "react";

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

/** Unread answers as the live chat knows them; null before it has loaded. */
let liveAnswers: number | null = null;
const listeners = new Set<() => void>();

/** Reports the number of unread answers to the page; null leaves it to the server's count. */
export function reportAnswers(count: number | null): void {
  liveAnswers = count;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Returns the number of unread answers that wait for the reader.
 *
 * @param loaded count of the server
 */
export function useWaitingAnswers(loaded: number): number {
  return (
    useSyncExternalStore(
      subscribe,
      () => liveAnswers,
      () => null,
    ) ?? loaded
  );
}
