import { z } from "zod";
import { PAID_BY, type PaymentMode } from "~/domain/enums";
import { formatUntil } from "~/domain/hold-end";
import type { ShopClock } from "~/domain/hours";
import { dayInYear, localTime } from "~/domain/local-time";
import { dollars } from "~/domain/money";
import { chatOfFile } from "~/features/chat/files";
import { requireChatIdentity } from "~/features/chat/operations/access.server";
import { emailKey, id } from "~/http/fields";
import { operation, type StaffContext } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { shopSettings } from "~/http/shop-settings.server";
import { type Deposit, dueLabel, paidText } from "../deposit";
import type { SaleDocument } from "../document";
import { holdState } from "../operations/holds.server";
import { byMode, type PaymentPart, paidCents } from "../payments";
import { type CustomerRow, findChatCustomer } from "../queries/customers.server";
import type { QuoteDeposit, StoredHold, StoredQuote } from "../queries/holds-and-quotes.server";
import { findTaxRules } from "../queries/sale.server";
import { quoteState } from "../quote-state";
import { costOf } from "../record/draft";
import {
  type ChatSales,
  depositsLeft,
  type Proposal,
  proposalOf,
  proposedIds,
  proposedLines,
  readChatSales,
  readSaleProducts,
} from "../record/proposal.server";
import type { HoldCardData, QuoteCardData, ReceiptCardData, SaleCardsData } from "./card-data";

/**
 * Reads the current data of the latest cards of a chat, for its participants.
 *
 * @throws AppError forbidden, whether or not the chat exists
 */
export const readSaleCards = operation({
  access: "anyone",
  input: z.object({ chatId: id }),
  ahead: ({ input: { chatId }, db, env }) => {
    void shopSettings({ db, env });
    return readChatSales({ db }, chatId);
  },
  async run({ input: { chatId }, ahead, ...context }): Promise<SaleCardsData> {
    await requireChatIdentity(context, chatId);
    return saleCards(context, await ahead);
  },
});

/** Converts holds, quotes and documents to what their cards show. */
async function saleCards(
  context: RequestContext,
  { holds, quotes, documents, deposits }: ChatSales,
): Promise<SaleCardsData> {
  const [names, settings] = await Promise.all([fileNames(context, quotes), shopSettings(context)]);
  const clock = { now: context.now, settings };
  return {
    holds: holds.map((hold) => holdCard(clock, hold)),
    quotes: quotes.map((quote) => quoteCard(clock, quote, deposits, names)),
    receipts: documents.map(receiptCard),
    deposits: deposits.map((deposit) => ({ ...depositView(deposit), quote: deposit.title })),
  };
}

/** Reads the names of the files in a chat's quotes, by key. */
async function fileNames({ env }: RequestContext, quotes: StoredQuote[]): Promise<Map<string, string>> {
  const chatId = quotes.find(({ files }) => files.length > 0)?.chatId;
  const files = chatId ? await env.CHAT_ROOM.getByName(chatId).files() : [];
  return new Map(files.map(({ key, name }) => [key, name]));
}

type Clock = { now: number; settings: ShopClock };

export function holdCard({ now, settings }: Clock, hold: StoredHold): HoldCardData {
  const { id: holdId, until, lines } = hold;
  return {
    id: holdId,
    state: holdState(hold, now),
    until: formatUntil(until, now, settings),
    endsAt: until,
    lines,
  };
}

const depositView = ({ id: depositId, number, mode, amountCents }: QuoteDeposit): Deposit => ({
  id: depositId,
  number,
  mode,
  amountCents,
});

function quoteCard(
  { now, settings }: Clock,
  quote: StoredQuote,
  deposits: QuoteDeposit[],
  names: Map<string, string>,
): QuoteCardData {
  const today = localTime(now, settings.timezone);
  const { id: quoteId, title, note, totalCents, readyBy, validUntil, documentId } = quote;
  const own = depositsLeft(quote, deposits);
  const paid = { paidCents: paidCents(own), totalCents, addedTax: own[0]?.addedTax ?? null };
  return {
    id: quoteId,
    state: quoteState(quote, now),
    title,
    note,
    totalCents,
    lines: quote.lines.map(({ description, material, size, quantity, amountCents }) => ({
      text: [description, material, size].filter(Boolean).join(", "),
      quantity,
      amountCents,
    })),
    files: quote.files
      .filter((key) => chatOfFile(key) === quote.chatId)
      .map((key, i) => ({ key, name: names.get(key) ?? `File ${i + 1}` })),
    readyBy: readyBy && dayInYear(localTime(Date.parse(`${readyBy}T12:00:00Z`) / 1000, "UTC"), today),
    validUntil: dayInYear(localTime(validUntil, settings.timezone), today),
    isSold: documentId !== null,
    deposits: own.map(depositView),
    ...{ paidCents: paid.paidCents, paid: own.length > 0 ? paidText(paid) : "", due: dueLabel(paid) },
  };
}

function receiptCard({
  id: documentId,
  kind,
  number,
  totalCents,
  lines,
  payments,
  paymentMode,
}: SaleDocument): ReceiptCardData {
  return {
    id: documentId,
    kind,
    number,
    totalCents,
    items: lines.map(({ quantity, description }) => `${Math.abs(quantity)} × ${description}`).join(", "),
    payment: paymentText(kind === "sale" ? "Paid" : "Paid back", byMode(payments), paymentMode),
  };
}

/** Names the modes of a payment, with their amounts where there are several. */
function paymentText(verb: string, parts: PaymentPart[], otherwise: PaymentMode): string {
  if (parts.length < 2) return `${verb}, ${PAID_BY[parts[0]?.mode ?? otherwise]}`;
  return `${verb}, ${parts.map(({ mode, amountCents }) => `${PAID_BY[mode]} ${dollars(amountCents)}`).join(", ")}`;
}

type CartLines = Parameters<typeof proposalOf>[1];

const isEmpty = ({ hold, quote, cart }: Proposal): boolean => !hold && !quote && cart.length === 0;

/** Reads what a conversation of the console shows: its customer and cards, and the amount of the sale that it leads to. */
export async function readConversationSales(
  context: StaffContext,
  { id: chatId, userEmail }: { id: string; userEmail: string },
  cart: CartLines,
  sales: ChatSales,
) {
  const proposal = proposalOf(sales, cart, context.now);
  const ids = proposedIds(proposal);
  const [{ customer, earlier, matches }, products, rulesOf] = await Promise.all([
    findChatCustomer(context.db, chatId, userEmail && emailKey(userEmail)),
    ids.length > 0 ? readSaleProducts(context, ids, proposal.hold) : new Map(),
    // Without lines nothing costs anything.
    isEmpty(proposal) ? null : findTaxRules(context.db),
  ]);
  return {
    customer: customer ? customerView(customer) : null,
    earlier,
    matches: matches.map(customerView),
    // Id of a customer that the form adds: sent twice, it adds one.
    newCustomerId: crypto.randomUUID(),
    cards: await saleCards(context, sales),
    /** Products of the cart that were not sold in the chat. */
    unsoldIds: proposal.cart.map(({ unitId }) => unitId),
    /** Cost of the sale with the tax that is added to it. */
    proposedCents: rulesOf ? costOf(proposedLines(proposal, products), rulesOf) : 0,
    /** Deposits that count towards the proposed sale. */
    depositCents: proposal.quote ? paidCents(depositsLeft(proposal.quote, sales.deposits)) : 0,
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
