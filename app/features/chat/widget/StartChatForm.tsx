import { showToast } from "~/ui/Toasts";
import { openChat } from "./open-chat";

/** Spec 8, Chat start fails. */
const START_FAILED = "Failed to start chat. Please try again.";
/** Pages whose forms start a chat. */
type Page = "/chat" | "/cart";

/** Time limit for reading the latest chat, milliseconds. */
const LATEST_TIMEOUT = 4000;

/** @returns the id of the visitor's latest chat; null without one, or when it can't be read */
export async function latestChat(): Promise<string | null> {
  try {
    const answer = await fetch("/chat/latest", { signal: AbortSignal.timeout(LATEST_TIMEOUT) });
    return answer.ok ? ((await answer.json()) as { chatId: string | null }).chatId : null;
  } catch {
    return null;
  }
}

/** What a form that starts a chat is answered; `to` is the chat's page. */
interface StartAnswer {
  failure?: string | null;
  message?: string;
  to?: string;
}

/** @throws Refused with the server's message */
async function startChat(page: Page, form: Record<string, string>): Promise<string> {
  const body = new URLSearchParams({ ...form, stay: "1" });
  const answer = await fetch(`${page}/submit`, { method: "POST", body });
  const { failure, message, to = "" } = (await answer.json()) as StartAnswer;
  const [, chatId] = /^\/chat\/([\w-]+)/.exec(to) ?? [];
  if (!chatId) throw new Refused(failure ?? message ?? START_FAILED);
  return chatId;
}

class Refused extends Error {}

let isBusy = false;

/** Begins a chat by a form that would lead there without a script, and opens the panel on it (spec 7, chat/create). One at a time. */
export async function talk(page: Page, form: Record<string, string>): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  try {
    openChat(await startChat(page, form));
    showToast("success", "Chat started successfully!");
  } catch (error) {
    showToast("error", error instanceof Refused ? error.message : START_FAILED);
  } finally {
    isBusy = false;
  }
}
