import type { FormEvent, ReactNode } from "react";
import { showToast } from "~/ui/Toasts";
import { openChat } from "./open-chat";

const START_FAILED = "Failed to start chat. Please try again.";
/** Pages whose forms start a chat. */
type Page = "/chat" | "/cart";

/** Response to a form that starts a chat; `to` is the chat's page. */
interface StartResponse {
  failure?: string | null;
  message?: string;
  to?: string;
}

class RejectedStart extends Error {}

/** @throws RejectedStart with the server's message */
async function startChat(page: Page, form: Record<string, string>): Promise<string> {
  const body = new URLSearchParams({ ...form, stay: "1" });
  const response = await fetch(`${page}/submit`, { method: "POST", body });
  const { failure, message, to = "" } = (await response.json()) as StartResponse;
  const [, chatId] = /^\/chat\/([\w-]+)/.exec(to) ?? [];
  if (!chatId)
    throw new RejectedStart(response.status < 500 ? (failure ?? message ?? START_FAILED) : START_FAILED);
  return chatId;
}

let isBusy = false;

/** Starts a chat by a form, one at a time, and opens the panel on it. */
export async function startChatInPanel(page: Page, form: Record<string, string>): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  try {
    openChat(await startChat(page, form));
    showToast("success", "Chat started successfully!");
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
