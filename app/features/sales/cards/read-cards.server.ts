import { z } from "zod";
import { chatOfFile } from "~/features/chat/files";
import { requireChatIdentity } from "~/features/chat/operations/access.server";
import { PAYMENT_NAMES } from "~/features/ledger/enums";
import { id } from "~/http/fields";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { formatUntil, type SaleDocument } from "../document";
import type { StoredHold } from "../holds.queries.server";
import { holdState } from "../holds.server";
import type { StoredQuote } from "../quotes.queries.server";
import { quoteState } from "../quotes.server";
import { type ChatSales, readChatSales } from "../record/proposal.server";
import type { HoldCardData, QuoteCardData, ReceiptCardData, SaleCardsData } from "./card-data";

/**
 * Reads the current data of the latest cards of a chat, for its participants.
 *
 * @throws AppError forbidden, whether or not the chat exists
 */
export const readSaleCards = operation({
  access: "anyone",
  input: z.object({ chatId: id }),
  async run({ input: { chatId }, ...context }): Promise<SaleCardsData> {
    await requireChatIdentity(context, chatId);
    return saleCards(context, await readChatSales(context, chatId));
  },
});

/** Converts holds, quotes and documents to what their cards show. */
export async function saleCards(
  context: RequestContext,
  { holds, quotes, documents }: ChatSales,
): Promise<SaleCardsData> {
  const names = await fileNames(context, quotes);
  return {
    holds: holds.map((hold) => holdCard(context, hold)),
    quotes: quotes.map((quote) => quoteCard(context, quote, names)),
    receipts: documents.map(receiptCard),
  };
}

/** Reads the names of the files in a chat's quotes, by key. */
async function fileNames({ env }: RequestContext, quotes: StoredQuote[]): Promise<Map<string, string>> {
  const chatId = quotes.find(({ files }) => files.length > 0)?.chatId;
  const files = chatId ? await env.CHAT_ROOM.getByName(chatId).files() : [];
  return new Map(files.map(({ key, name }) => [key, name]));
}

type Clock = Pick<RequestContext, "now" | "settings">;

export function holdCard({ now, settings }: Clock, hold: StoredHold): HoldCardData {
  const { id: holdId, until, lines } = hold;
  return {
    id: holdId,
    state: holdState(hold, now),
    until: formatUntil(until, settings.timezone),
    endsAt: until,
    lines,
  };
}

function quoteCard({ now, settings }: Clock, quote: StoredQuote, names: Map<string, string>): QuoteCardData {
  const { id: quoteId, title, note, totalCents, readyBy, validUntil, documentId } = quote;
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
    readyBy: readyBy && shortDay(Date.parse(`${readyBy}T12:00:00Z`) / 1000, "UTC"),
    validUntil: shortDay(validUntil, settings.timezone),
    isSold: documentId !== null,
  };
}

const shortDay = (at: number, timeZone: string) =>
  new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone }).format(at * 1000);

function receiptCard({
  id: documentId,
  kind,
  number,
  totalCents,
  lines,
  paymentMode,
}: SaleDocument): ReceiptCardData {
  const paid = kind === "sale" ? "Paid" : "Paid back";
  return {
    id: documentId,
    kind,
    number,
    totalCents,
    items: lines.map(({ quantity, description }) => `${Math.abs(quantity)} × ${description}`).join(", "),
    payment: `${paid}, ${paymentMode === "EMT" ? "EMT" : PAYMENT_NAMES[paymentMode].toLowerCase()}`,
  };
}
