import { type FormEvent, type ReactNode, useSyncExternalStore } from "react";
import { showToast } from "~/ui/Toasts";

/** Page-level event that opens the chat from anywhere; `detail.chatId` is optional. */
export const OPEN_CHAT = "emporia:open-chat";

/**
 * Opens the chat panel.
 *
 * @param chatId default: the reader's latest chat, or a new one
 */
function openChat(chatId?: string): void {
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

const START_FAILED = "Failed to start chat. Please try again.";
/** Pages whose forms start a chat. */
type Page = "/chat" | "/cart";

/** Response to a form that starts a chat; `to` is the chat's page. */
interface StartResponse {
  failure?: string | null;
  message?: string;
  to?: string;
  /** Missing for a chat that is continued. */
  toast?: string;
}

class RejectedStart extends Error {}

/** @throws RejectedStart with the server's message */
async function startChat(page: Page, form: Record<string, string>) {
  const body = new URLSearchParams({ ...form, stay: "1" });
  const response = await fetch(`${page}/submit`, { method: "POST", body });
  const { failure, message, toast, to = "" } = (await response.json()) as StartResponse;
  const [, chatId] = /^\/chat\/([\w-]+)/.exec(to) ?? [];
  if (!chatId)
    throw new RejectedStart(response.status < 500 ? (failure ?? message ?? START_FAILED) : START_FAILED);
  return { chatId, toast };
}

let isBusy = false;

/** Starts a chat by a form, one at a time, and opens the panel on it. */
export async function startChatInPanel(page: Page, form: Record<string, string>): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  try {
    const { chatId, toast } = await startChat(page, form);
    openChat(chatId);
    if (toast) showToast("success", toast);
  } catch (error) {
    showToast("error", error instanceof RejectedStart ? error.message : START_FAILED);
  } finally {
    isBusy = false;
  }
}

interface StartChatFormProps {
  page: Page;
  /** `intent` and the fields of its operation. */
  fields: Record<string, string>;
  children?: ReactNode;
}

/** Form that starts a chat: without JavaScript it leads to the chat's page, with JavaScript the panel opens. */
export function StartChatForm({ page, fields, children }: StartChatFormProps) {
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void startChatInPanel(page, fields);
  };
  return (
    <form method="post" action={page} onSubmit={onSubmit}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}
