import { cartMessage } from "~/features/chat/first-messages";
import { requestedLine } from "~/features/chat/operations/cards.server";
import { startByForm } from "~/features/chat/operations/create.server";
import type { ChatCartLine } from "~/features/chat/rooms";
import { AppError } from "~/http/errors";
import { readCart } from "./operations.server";

/** Asks for the cart (Chat with Seller) in the visitor's conversation. @throws AppError invalid, 'Your cart is empty' */
export const startCartChat = startByForm(async (context) => {
  const cart = await readCart(context);
  if (cart.itemCount === 0) throw new AppError("invalid", "Your cart is empty");
  const lines = cart.lines.filter(({ quantity }) => quantity > 0).map(toCartLine);
  return { initialMessage: cartMessage(lines, cart.totalCents), lines };
});

/** Returns a line of the cart as a chat keeps it. */
export const toCartLine = (line: Parameters<typeof requestedLine>[0]): ChatCartLine => ({
  ...requestedLine(line),
  inCart: true,
});
