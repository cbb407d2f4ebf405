import { type FormIntents, failureMessage, intent } from "~/http/form-action.server";
import { confirmRestock, requestRestock, stopRestock, stopWaiting } from "./operations.server";

/** Form of a product's page, for what is sold out. */
export const PRODUCT_FORMS: FormIntents = {
  restock: intent(requestRestock, {
    done: ({ message }) => ({ toast: message }),
    failed: failureMessage(""),
  }),
};

/** Form of the list of what an account waits for. */
export const WAITING_FORMS: FormIntents = {
  stopWaiting: intent(stopWaiting, { done: ({ message }) => ({ toast: message }) }),
};

/** Forms of a mailed link's page. Mail programs post without an intent (RFC 8058) and follow no redirect, so the first one ends the mails. */
export const LINK_FORMS: FormIntents = {
  stopRestock: intent(stopRestock, { done: () => ({ page: {} }) }),
  confirmRestock: intent(confirmRestock, { done: () => ({ page: {} }) }),
};
