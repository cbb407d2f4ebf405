import type { ClientActionFunctionArgs, ShouldRevalidateFunctionArgs } from "@remix-run/react";
import type { RefusedForm } from "./useCheckedForm";

/** Action data created in the browser because the request failed. */
interface Unsent extends RefusedForm {
  isUnsent: true;
}

/**
 * Creates a `clientAction` that keeps the page and the typed values when the request fails, and shows an error.
 *
 * @param failureMessage creates the message above the form from the intent and the reason
 * @returns the server's action data, or the error
 * @throws responses that the server threw
 */
export function retryingAction(failureMessage: (intent: string, reason: string) => string) {
  return async ({ request, serverAction }: ClientActionFunctionArgs): Promise<unknown> => {
    const form = await request.clone().formData();
    try {
      return await serverAction();
    } catch (error) {
      if (error instanceof Response) throw error;
      return unsent(form, failureMessage(String(form.get("intent")), failureReason(error)));
    }
  };
}

/** Skips revalidation after a failed request: it would fail too and replace the form by an error page. */
export function shouldRevalidate({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return defaultShouldRevalidate && !(actionResult as Unsent | undefined)?.isUnsent;
}

function failureReason(error: unknown): string {
  return isConnectionLost(error) ? "The connection broke. Please try again." : "Please try again.";
}

function unsent(form: FormData, failure: string): Unsent {
  const values = [...form].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  const lastResult = {
    status: "error" as const,
    initialValue: Object.fromEntries(values) as Record<string, string>,
    error: { "": [failure] },
  };
  return { lastResult, failure, isUnsent: true };
}

/** Error messages of `fetch` on network failure in Chromium, Firefox and Safari. */
const NETWORK_ERROR = /failed to fetch|networkerror|load failed/i;

/** Distinguishes network failures from other errors. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof TypeError && NETWORK_ERROR.test(error.message);
}
