import { dollars } from "~/domain/money";
import { listMessage } from "~/features/chat/first-messages";
import { requestedLine } from "~/features/chat/operations/cards.server";
import { startByForm } from "~/features/chat/operations/create.server";
import { askedCard, NOTHING_SELECTED } from "~/features/chat/product-selection";
import { AppError } from "~/http/errors";
import { favouriteCards } from "./store.server";

/** Cards of a message about favourites; its text names more. */
const MAX_FAVOURITE_CARDS = 8;

/** Asks about the caller's favourites in the visitor's conversation, with their cards. @throws AppError invalid without any */
export const startFavouritesChat = startByForm(async (context) => {
  const products = await favouriteCards(context);
  if (products.length === 0) throw new AppError("invalid", "There are no favourites to ask about");
  const items = products.map(({ name, priceCents }) => `- ${name}, ${dollars(priceCents)}`);
  const shown = products.slice(0, MAX_FAVOURITE_CARDS);
  return {
    initialMessage: listMessage("I have a question about these:", items),
    cards: shown.map(({ id }) => askedCard(id, NOTHING_SELECTED)),
    lines: shown.map((product) => ({
      ...requestedLine({ ...product, quantity: 1, chosen: {} }),
      isQuestion: true,
    })),
  };
});
