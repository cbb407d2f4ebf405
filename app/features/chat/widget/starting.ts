import { showToast } from "~/ui/Toasts";
import { openChat } from "./opening";

/** Spec 8, Chat start fails. */
const START_FAILED = "Failed to start chat. Please try again.";
/** How long somebody who wants to write waits to hear whether they have a chat, milliseconds. */
const PATIENCE = 4000;
const ROUTES = { "/chat": "routes/_shop.chat._index", "/cart": "routes/_shop.cart" };

/**
 * Asks a page for the chat that it would lead to: with a form, the one that the form begins; without, the latest.
 *
 * @returns null when the page leads to none
 * @throws Error with what the reader is told
 */
export async function chatFrom(
  page: keyof typeof ROUTES,
  form?: Record<string, string>,
): Promise<string | null> {
  const route = encodeURIComponent(ROUTES[page]);
  const request = form
    ? { method: "POST", body: new URLSearchParams({ ...form, stay: "1" }) }
    : { signal: AbortSignal.timeout(PATIENCE) };
  const answer = await fetch(`${page}?${page === "/chat" ? "index&" : ""}_data=${route}`, request);
  const [, chatId] = /^\/chat\/([\w-]+)/.exec(answer.headers.get("X-Remix-Redirect") ?? "") ?? [];
  if (chatId) return chatId;
  if (answer.ok) return null;
  const { failure, message } = (await answer.json()) as { failure?: string; message?: string };
  throw new Refused(failure ?? message ?? START_FAILED);
}

class Refused extends Error {}

let isBusy = false;

/** Begins a chat by a form that would lead there without a script, and opens the panel on it (spec 7, chat/create). One at a time. */
export async function talk(page: keyof typeof ROUTES, form: Record<string, string>): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  try {
    const chatId = await chatFrom(page, form);
    if (!chatId) throw new Refused(START_FAILED);
    openChat(chatId);
    showToast("success", "Chat started successfully!");
  } catch (error) {
    showToast("error", error instanceof Refused ? error.message : START_FAILED);
  } finally {
    isBusy = false;
  }
}
