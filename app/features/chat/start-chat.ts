import { readEntry } from "~/ui/browser-storage";
import { inTurn } from "~/ui/in-turn";
import { dismissToast, showToast } from "~/ui/Toasts";
import { newClientId } from "./client-id";
import { CHAT_START, keepStart, OPEN_CHAT, START_FAILED, STARTS_KEY, type StartPage } from "./open-chat";

/** Response to a form that starts a chat; `to` is the chat's page. */
interface StartResponse {
  failure?: string | null;
  message?: string;
  to?: string;
  /** Missing for a chat that is continued. */
  toast?: string;
}

class RefusedStart extends Error {}

/** Milliseconds before each further attempt with a cart: it counts a piece before the cookie with it has arrived. */
const CART_WAITS = [300, 700, 1500];
const EMPTY_CART = 400;

/** Starts a chat. @throws RefusedStart with the server's message */
async function postStart(
  page: StartPage,
  form: Record<string, string>,
  [wait, ...waits] = page === "/cart" ? CART_WAITS : [],
): Promise<{ chatId: string; toast: string | undefined }> {
  const body = new URLSearchParams({ ...form, stay: "1" });
  const response = await fetch(`${page}/submit`, { method: "POST", body, keepalive: true });
  if (response.status === EMPTY_CART && wait !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    return postStart(page, form, waits);
  }
  const { failure, message, toast, to = "" } = (await response.json()) as StartResponse;
  const [, chatId] = /^\/chat\/([\w-]+)/.exec(to) ?? [];
  if (response.status >= 500) throw response;
  if (!chatId) throw new RefusedStart(failure ?? message ?? START_FAILED);
  return { chatId, toast };
}

/** Starts that wait for their answers here. */
const busy = new Set<string>();

/**
 * Starts a chat by a form, and opens the panel on it. Without an answer, the next page sends it again.
 *
 * @param start page and form, as JSON
 * @param isResumed an earlier page was left before the answer, which another tab may have had
 */
export async function startChat(start: string, isResumed: boolean): Promise<void> {
  if (busy.has(start)) return;
  busy.add(start);
  try {
    await inTurn("chat", () => sendForm(start, isResumed));
  } catch (error) {
    const isRefused = error instanceof RefusedStart;
    if (isRefused) keepStart(start);
    showToast("error", isRefused ? error.message : START_FAILED, { subject: CHAT_START });
  }
  busy.delete(start);
}

async function sendForm(start: string, isResumed: boolean): Promise<void> {
  const { [start]: kept } = readEntry(STARTS_KEY);
  if (isResumed && kept === undefined) return;
  const { page, form } = JSON.parse(start) as { page: StartPage; form: Record<string, string> };
  const key = form.key || String(kept || newClientId());
  keepStart(start, key);
  const { chatId, toast } = await postStart(page, { ...form, key });
  keepStart(start);
  window.dispatchEvent(new CustomEvent(OPEN_CHAT, { detail: { chatId } }));
  if (toast) showToast("success", toast, { subject: CHAT_START });
  else dismissToast(CHAT_START);
}
