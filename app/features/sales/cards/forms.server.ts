import { consoleUrl } from "~/features/chat/console/params";
import { type FormIntent, intent } from "~/http/form-action.server";
import { releaseHold } from "../holds.server";
import { changeQuote } from "../quotes.server";

interface InChat {
  chatId: string | null;
}

const DECIDED = {
  accepted: "You accepted the quote",
  declined: "You declined the quote",
};
const decidedMessage = (state: string) => DECIDED[state as keyof typeof DECIDED] ?? "Saved";

/** Intents of the cards on a chat's page, for its visitor. */
export const VISITOR_CARD_FORMS: Record<string, FormIntent<unknown>> = {
  releaseHold: intent(releaseHold, {
    done: ({ chatId }: InChat) => ({ to: `/chat/${chatId}`, toast: "No longer set aside" }),
  }),
  decideQuote: intent(changeQuote, {
    done: ({ chatId, state }) => ({ to: `/chat/${chatId}`, toast: decidedMessage(state) }),
  }),
};

/** Intents of the cards in the console. */
export const STAFF_CARD_FORMS: Record<string, FormIntent<unknown>> = {
  releaseHold: intent(releaseHold, {
    done: ({ chatId }: InChat) => ({ to: consoleUrl({ chat: chatId }), toast: "Hold released" }),
  }),
  withdrawQuote: intent(changeQuote, {
    done: ({ chatId }) => ({ to: consoleUrl({ chat: chatId }), toast: "Quote withdrawn" }),
  }),
};
