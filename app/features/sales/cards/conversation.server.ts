import type { StaffContext } from "~/http/operation.server";
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

/** Reads what a conversation of the console shows: its cards, and the amount of the sale that it leads to. */
export async function readConversationSales(context: StaffContext, chatId: string, cart: CartLines) {
  const sales = await readChatSales(context, chatId);
  const proposal = proposalOf(sales, cart, context.now);
  const ids = proposedIds(proposal);
  const products = ids.length > 0 ? await readSaleProducts(context, ids, proposal.hold) : new Map();
  return {
    cards: saleCards(context, sales),
    proposedCents: sumCents(proposedLines(proposal, products)),
  };
}
export type ConversationSales = Awaited<ReturnType<typeof readConversationSales>>;
