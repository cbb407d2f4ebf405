import { type FormEvent, type ReactNode, useSyncExternalStore } from "react";
import { localTo } from "~/domain/local-to";
import { readEntry, writeEntry } from "~/ui/browser-storage";
import { FormKey } from "~/ui/site";
import { showToast } from "~/ui/Toasts";

/** Page-level event that opens the chat from anywhere; `detail.chatId` is optional. */
export const OPEN_CHAT = "emporia:open-chat";

/** Subject of the toasts about the start of a chat. */
export const CHAT_START = "chat";

export const START_FAILED = "Failed to start chat. Please try again.";

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

/** Form of a product's page. */
export const BUY_FORM = "buy";

/** Button that asks about the page's product; without JavaScript it leads to the chat's page with the chosen options. */
export const ASK_BUTTON = {
  type: "submit",
  form: BUY_FORM,
  formAction: "/chat?index",
  formNoValidate: true,
  name: "intent",
  value: "ask",
} as const;

/** Pages whose forms start a chat. */
export type StartPage = "/chat" | "/cart";

/** Entry of the starts that the shop has not answered: their keys by page and form. */
export const STARTS_KEY = "emporia:chat-starts";

/** Keeps a start for the next page, in case this one is left before the answer. @param key undefined forgets it */
export const keepStart = (start: string, key?: string) =>
  writeEntry(STARTS_KEY, { ...readEntry(STARTS_KEY), [start]: key });

/** Starts a chat by a form and opens the panel on it; both are loaded when a chat is first wanted. */
export function startChatInPanel(page: StartPage, form: Record<string, string>): void {
  const start = JSON.stringify({ page, form });
  // After a lost answer, the same form is sent with the same key.
  keepStart(start, String(readEntry(STARTS_KEY)[start] ?? ""));
  sendStart(start, false);
}

/** Sends the starts that the previous page was left with. */
export function sendKeptStarts(): void {
  for (const start of Object.keys(readEntry(STARTS_KEY))) sendStart(start, true);
}

function sendStart(start: string, isResumed: boolean): void {
  import("./start-chat")
    .then((module) => module.startChat(start, isResumed))
    .catch(() => showToast("error", START_FAILED, { subject: CHAT_START }));
}

interface StartChatFormProps {
  page: StartPage;
  /** `intent` and the fields of its operation. */
  fields: Record<string, string>;
  children?: ReactNode;
}

/** Form that starts a chat: without JavaScript it leads to the chat's page, with JavaScript the panel opens. */
export function StartChatForm({ page, fields, children }: StartChatFormProps) {
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    startChatInPanel(page, fields);
  };
  return (
    <form method="post" action={localTo(page)} onSubmit={onSubmit}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <FormKey />
      {children}
    </form>
  );
}
