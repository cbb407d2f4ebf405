import { type FormEvent, type ReactNode, useSyncExternalStore } from "react";
import { localTo } from "~/domain/local-to";
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

/** Starts a chat by a form and opens the panel on it; both are loaded when a chat is first wanted. */
export function startChatInPanel(page: StartPage, form: Record<string, string>): void {
  import("./start-chat")
    .then((module) => module.startChat(page, form))
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
