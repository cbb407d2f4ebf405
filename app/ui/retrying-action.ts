import type { ClientActionFunctionArgs, ShouldRevalidateFunctionArgs } from "@remix-run/react";
import type { FormFailure } from "./useCheckedForm";

/** An answer that no server gave: what was read before still stands. */
interface Unsent extends FormFailure {
  isUnsent: true;
}

/**
 * A `clientAction` for a page of forms. When the answer never comes, or nobody understands it, the page stays as it is,
 * with what was typed, and says so (look: every state is designed).
 *
 * @param inWords what is said above the form, of the act it asked for and of why it failed
 * @returns what the server answered, or a refusal of the browser's own
 * @throws redirects and refusals that the server threw
 */
export function retryingAction(inWords: (intent: string, why: string) => string) {
  return async ({ request, serverAction }: ClientActionFunctionArgs): Promise<unknown> => {
    const form = await request.clone().formData();
    try {
      return await serverAction();
    } catch (error) {
      if (error instanceof Response) throw error;
      return unsent(form, inWords(String(form.get("intent")), why(error)));
    }
  };
}

/** For the same pages: reading the page anew would fail as sending did, and take the form away. */
export function shouldRevalidate({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return defaultShouldRevalidate && !(actionResult as Unsent | undefined)?.isUnsent;
}

function why(error: unknown): string {
  return isConnectionLost(error) ? "The connection broke. Please try again." : "Please try again.";
}

function unsent(form: FormData, failure: string): Unsent {
  const typed = [...form].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  const lastResult = {
    status: "error" as const,
    initialValue: Object.fromEntries(typed) as Record<string, string>,
    error: { "": [failure] },
  };
  return { lastResult, failure, isUnsent: true };
}

/** What the browsers' `fetch` says when there is nobody at the other end: Chromium, Firefox, Safari. */
const LOST = /failed to fetch|networkerror|load failed/i;

/** Whether an error means that the connection broke, rather than that something is wrong with the shop. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof TypeError && LOST.test(error.message);
}
