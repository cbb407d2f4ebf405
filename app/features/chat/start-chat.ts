import { dismissToast, showToast } from "~/ui/Toasts";
import { newClientId } from "./client-id";
import { CHAT_START, OPEN_CHAT, START_FAILED, type StartPage } from "./open-chat";

/** Response to a form that starts a chat; `to` is the chat's page. */
interface StartResponse {
  failure?: string | null;
  message?: string;
  to?: string;
  /** Missing for a chat that is continued. */
  toast?: string;
}

class RejectedStart extends Error {}

/** Milliseconds before each further attempt with a cart: it counts a piece before the cookie with it has arrived. */
const CART_WAITS = [300, 700, 1500];
const EMPTY_CART = 400;

/** Starts a chat. @throws RejectedStart with the server's message */
async function postStart(
  page: StartPage,
  form: Record<string, string>,
  [wait, ...waits] = page === "/cart" ? CART_WAITS : [],
): Promise<{ chatId: string; toast: string | undefined }> {
  const body = new URLSearchParams({ ...form, stay: "1" });
  const response = await fetch(`${page}/submit`, { method: "POST", body });
  if (response.status === EMPTY_CART && wait !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    return postStart(page, form, waits);
  }
  const { failure, message, toast, to = "" } = (await response.json()) as StartResponse;
  const [, chatId] = /^\/chat\/([\w-]+)/.exec(to) ?? [];
  if (!chatId)
    throw new RejectedStart(response.status < 500 ? (failure ?? message ?? START_FAILED) : START_FAILED);
  return { chatId, toast };
}

/** Keys of starts whose answers have not arrived, by their content. */
const pendingKeys = new Map<string, string>();
let isBusy = false;

/** Starts a chat by a form, one at a time, and opens the panel on it. */
export async function startChat(page: StartPage, form: Record<string, string>): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  const content = JSON.stringify(form);
  const key = form.key || pendingKeys.get(content) || newClientId();
  pendingKeys.set(content, key);
  try {
    const { chatId, toast } = await postStart(page, { ...form, key });
    pendingKeys.delete(content);
    window.dispatchEvent(new CustomEvent(OPEN_CHAT, { detail: { chatId } }));
    if (toast) showToast("success", toast, { subject: CHAT_START });
    else dismissToast(CHAT_START);
  } catch (error) {
    showToast("error", error instanceof RejectedStart ? error.message : START_FAILED, {
      subject: CHAT_START,
    });
  } finally {
    isBusy = false;
  }
}
