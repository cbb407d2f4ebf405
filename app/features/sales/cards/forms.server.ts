import { urlInList } from "~/features/chat/console-params";
import { type FormIntents, intent } from "~/http/form-action.server";
import { operation } from "~/http/operation.server";
import { addCustomer, linkCustomer } from "../operations/customers.server";
import { releaseHold } from "../operations/holds.server";
import { changeQuote } from "../operations/quotes.server";
import { CustomerInput, CustomerLink } from "../schema";

interface InChat {
  chatId: string | null;
}

const DECIDED = {
  accepted: "You accepted the quote",
  declined: "You declined the quote",
};
const decidedMessage = (state: string) => DECIDED[state as keyof typeof DECIDED] ?? "Saved";

/** Intents of the cards on a chat's page, for its visitor. */
export const VISITOR_CARD_FORMS: FormIntents = {
  releaseHold: intent(releaseHold, {
    done: ({ chatId }: InChat) => ({ to: `/chat/${chatId}`, toast: "No longer set aside" }),
  }),
  decideQuote: intent(changeQuote, {
    done: ({ chatId, state }) => ({ to: `/chat/${chatId}`, toast: decidedMessage(state) }),
  }),
};

/** Links the chat of the console to a customer. */
const linkByForm = operation({
  access: "staff",
  input: CustomerLink,
  async run({ input, ...context }) {
    const { name } = await linkCustomer.execute(context, input);
    return { name, chatId: input.chatId };
  },
});

/** Adds the customer of the console's chat. */
const addByForm = operation({
  access: "staff",
  input: CustomerInput.required({ chatId: true }),
  async run({ input, ...context }) {
    const { name } = await addCustomer.execute(context, input);
    return { name, chatId: input.chatId };
  },
});

/** Intents of the cards in the console. */
export const STAFF_CARD_FORMS: FormIntents = {
  releaseHold: intent(releaseHold, {
    done: ({ chatId }: InChat, { list }) => ({ to: urlInList(list, chatId), toast: "Hold released" }),
  }),
  withdrawQuote: intent(changeQuote, {
    done: ({ chatId }, { list }) => ({ to: urlInList(list, chatId), toast: "Quote withdrawn" }),
  }),
  linkCustomer: intent(linkByForm, {
    done: ({ chatId, name }, { list }) => ({ to: urlInList(list, chatId), toast: `Linked to ${name}` }),
  }),
  addCustomer: intent(addByForm, {
    done: ({ chatId, name }, { list }) => ({
      to: urlInList(list, chatId),
      toast: `${name} added as a customer`,
    }),
    failed: ({ details, message }) => `Not added. ${details?.[0]?.message ?? message}`,
  }),
};
