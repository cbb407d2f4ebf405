import { dollars } from "~/domain/money";
import { askedCard, NOTHING_CHOSEN } from "~/features/chat/asked-options";
import { listMessage } from "~/features/chat/first-messages";
import { requestedLine } from "~/features/chat/operations/cards.server";
import { continueOrOpen, startLimits } from "~/features/chat/operations/create.server";
import { KeyInput } from "~/features/chat/schema";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import { favouriteCards } from "./store.server";

/** Cards of a message about favourites; its text names more. */
const MAX_FAVOURITE_CARDS = 8;

/**
 * Asks about the caller's favourites in the visitor's conversation, with their cards.
 *
 * @returns the chat's id
 * @throws AppError invalid without favourites
 */
export const startFavouritesChat = operation({
  access: "anyone",
  input: KeyInput,
  limits: startLimits,
  async run({ input: { key }, ...context }) {
    const products = await favouriteCards(context);
    if (products.length === 0) throw new AppError("invalid", "There are no favourites to ask about");
    const items = products.map(({ name, priceCents }) => `- ${name}, ${dollars(priceCents)}`);
    const initialMessage = listMessage("I have a question about these:", items);
    const cards = products
      .slice(0, MAX_FAVOURITE_CARDS)
      .map(({ id: productId }) => askedCard(productId, NOTHING_CHOSEN));
    const lines = products
      .slice(0, MAX_FAVOURITE_CARDS)
      .map((product) => ({ ...requestedLine({ ...product, quantity: 1, chosen: {} }), isQuestion: true }));
    return continueOrOpen(context, { initialMessage, cards, lines, key });
  },
});
