import { MUTATION_RETRIES, withRetries } from "~/http/retries";
import type { Toast } from "~/http/toasts.server";
import { inTurn } from "~/ui/in-turn";
import { forgetForm, type KeptForm } from "~/ui/kept-forms";
import { dismissToast, showToast } from "~/ui/Toasts";
import { CART_PATH } from "./optimistic";

/** Response of the cart's action to a fetched form. */
export interface CartResponse {
  toast?: Toast | string | undefined;
  failure: string | null;
  /** Set when no usable response came, after the retry; reloading would fail as well. */
  isUnsent?: boolean;
}

/**
 * Sends a form to the cart's action. Requests run one after another: the cart is a cookie, and parallel responses would
 * overwrite each other. A newer form does not abort an older one, which may have arrived already. Network failures and
 * 5xx are retried once.
 *
 * @param body urlencoded form
 * @returns the response; never rejects
 */
export function submitToCart(body: string): Promise<CartResponse> {
  return inTurn("cart", () => withRetries(reported(body), MUTATION_RETRIES)).catch(() => ({
    failure: FAILED,
    isUnsent: true,
  }));
}

/** Sends kept forms one after another, and shows what the cart's are answered. */
export async function sendAgain(forms: KeptForm[]): Promise<void> {
  for (const { key, action, body } of forms) {
    if (action === CART_PATH) showResult(body, await submitToCart(body));
    else await fetch(action, { method: "POST", body: new URLSearchParams(body) });
    forgetForm(key);
  }
}

/** Shows the response to a form, in place of an earlier one about its product. @param form urlencoded */
export function showResult(form: string, { failure, toast }: CartResponse): void {
  const subject = subjectOf(form);
  const result = failure ? { type: "error" as const, message: failure } : toast;
  const { type, message } =
    typeof result === "object" ? result : { type: "success" as const, message: result };
  if (message) void showToast(type === "info" ? "blank" : type, message, { subject });
  else dismissToast(subject);
}

const subjectOf = (form: string) => `cart ${new URLSearchParams(form).get("id")}`;

/** Creates the work of a request; its first failure is told at once, while the retry waits. */
function reported(body: string): () => Promise<CartResponse> {
  let isFirst = true;
  return async () => {
    try {
      return await post(body);
    } catch (error) {
      if (isFirst) void showToast("blank", RETRYING, { subject: subjectOf(body) });
      isFirst = false;
      throw error;
    }
  };
}

async function post(body: string): Promise<CartResponse> {
  const response = await fetch(`${CART_PATH}/submit`, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded;charset=UTF-8" },
    body,
  });
  if (response.status >= 500) throw response;
  const result = (await response.json()) as Partial<CartResponse> & { message?: string };
  return { toast: result.toast, failure: response.ok ? null : (result.failure ?? result.message ?? FAILED) };
}

const RETRYING = "The request failed. Trying again...";
const FAILED = "That didn't work. Please try again.";
