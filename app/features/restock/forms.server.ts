import { type FormIntents, failureMessage, intent } from "~/http/form-action.server";
import { confirmRestock, requestRestock, resumeRestock, stopRestock, stopWaiting } from "./operations.server";

/** Form of what the reader waits for. */
export const WAITING_FORMS: FormIntents = {
  stopWaiting: intent(stopWaiting, { done: ({ message }) => ({ toast: message }) }),
};

/** Forms of a product's page, for what is sold out. */
export const PRODUCT_FORMS: FormIntents = {
  restock: intent(requestRestock, {
    done: ({ message }) => ({ toast: message }),
    failed: failureMessage(""),
  }),
  ...WAITING_FORMS,
};

/** Forms of a mailed link's page. Mail programs post without an intent (RFC 8058) and follow no redirect, so the first one ends the mails. */
export const LINK_FORMS: FormIntents = {
  stopRestock: intent(stopRestock, { done: () => ({ page: { change: "ended" } }) }),
  confirmRestock: intent(confirmRestock, { done: () => ({ page: { change: "confirmed" } }) }),
  resumeRestock: intent(resumeRestock, { done: () => ({ page: { change: "resumed" } }) }),
};
