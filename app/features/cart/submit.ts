import { MUTATION_RETRIES, withRetries } from "~/http/retries";
import { CART_PATH } from "./optimistic";

/** What the cart's action answers to a form that a script sent. */
export interface CartResponse {
  toast?: { type: "success" | "error" | "info"; message: string } | string | undefined;
  /** Why it was refused. */
  failure: string | null;
  /** It may never have arrived: nothing needs to be read anew. */
  unsent?: boolean;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Sends a form to the cart's action. One after the other: the cart is a cookie, and two answers to the same one
 * would each undo the other. A newer form doesn't call an older one back, for it may have arrived already.
 * A broken connection and a 5xx are tried once more (spec 9, mutations).
 *
 * @param body the form, urlencoded
 * @returns the answer, also when it is no
 */
export function submitToCart(body: string): Promise<CartResponse> {
  const answer = last.then(() => withRetries(() => post(body), MUTATION_RETRIES)).catch(unreachable);
  last = answer;
  return answer;
}

async function post(body: string): Promise<CartResponse> {
  const response = await fetch(`${CART_PATH}/submit`, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded;charset=UTF-8" },
    body,
  });
  if (response.status >= 500) throw response;
  const answer = (await response.json()) as Partial<CartResponse> & { message?: string };
  return { toast: answer.toast, failure: response.ok ? null : (answer.failure ?? answer.message ?? SORRY) };
}

const SORRY = "That didn't work. Please try again.";
const unreachable = (): CartResponse => ({ failure: SORRY, unsent: true });
