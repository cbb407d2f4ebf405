import { emailKey } from "~/http/fields";
import type { StaffContext } from "~/http/operation.server";
import { type CustomerRow, findChatCustomer } from "../customers.queries.server";
import { sumCents } from "../record/draft";
import {
  proposalOf,
  proposedIds,
  proposedLines,
  readChatSales,
  readSaleProducts,
} from "../record/proposal.server";
import { saleCards } from "./read-cards.server";

type CartLines = Parameters<typeof proposalOf>[1];

/** Reads what a conversation of the console shows: its customer and cards, and the amount of the sale that it leads to. */
export async function readConversationSales(
  context: StaffContext,
  { id: chatId, userEmail }: { id: string; userEmail: string },
  cart: CartLines,
) {
  const [sales, { customer, earlier, matches }] = await Promise.all([
    readChatSales(context, chatId),
    findChatCustomer(context.db, chatId, userEmail && emailKey(userEmail)),
  ]);
  const proposal = proposalOf(sales, cart, context.now);
  const ids = proposedIds(proposal);
  const products = ids.length > 0 ? await readSaleProducts(context, ids, proposal.hold) : new Map();
  return {
    customer: customer ? customerView(customer) : null,
    earlier,
    matches: matches.map(customerView),
    // Id of a customer that the form adds: sent twice, it adds one.
    newCustomerId: crypto.randomUUID(),
    cards: await saleCards(context, sales),
    /** Products of the cart that were not sold in the chat. */
    unsoldIds: proposal.cart.map(({ productId }) => productId),
    proposedCents: sumCents(proposedLines(proposal, products)),
  };
}

const customerView = ({ id, name, notes, phoneNumber, chats, sales, totalCents }: CustomerRow) => ({
  id,
  name,
  notes,
  phoneNumber,
  chats,
  sales,
  totalCents,
});

export type ConversationSales = Awaited<ReturnType<typeof readConversationSales>>;
