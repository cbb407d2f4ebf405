import { chatStarted, explainedProblem, messageOr } from "~/features/chat/forms.server";
import { askParams } from "~/features/chat/product-selection";
import { startFavouritesChat } from "~/features/favourites/chat.server";
import type { AppError } from "~/http/errors";
import { type FormIntents, intent } from "~/http/form-action.server";
import { ask, startChatByForm, startProductChat } from "./operations/start.server";

const START_FAILED = "Failed to start chat. Please try again.";

/** Composes the message of a start that was refused. */
const startProblem = (error: AppError) => explainedProblem(error) ?? messageOr(START_FAILED)(error);

/** Intents of the forms to /chat: the start form, a question about a product, and Buy Now. */
export const START_FORMS: FormIntents = {
  start: intent(startChatByForm, {
    done: chatStarted,
    failed: (error) => explainedProblem(error) ?? (error.details ? null : messageOr(START_FAILED)(error)),
  }),
  ask: intent(ask, { done: ({ id, ...options }) => ({ to: `/chat?${askParams(id, options)}` }) }),
  favourites: intent(startFavouritesChat, { done: chatStarted, failed: startProblem }),
  product: intent(startProductChat, {
    done: chatStarted,
    failed: startProblem,
  }),
};
