import { localDay } from "~/domain/days";
import { BUSINESSES } from "~/domain/enums";
import { knownName, visitorLabel } from "~/features/chat/visitor-label";
import { operation, type ResultOf } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import { MAX_LINES } from "../document";
import { holdState } from "../operations/holds.server";
import { findDocuments, type StoredDocument } from "../queries/documents.server";
import type { StoredQuote } from "../queries/holds-and-quotes.server";
import { readSaleState, rulesByBusiness, type SaleState } from "../queries/sale.server";
import { sum } from "../tax";
import { formHeading } from "../urls";
import type { DraftLine, SaleProduct } from "./draft";
import { proposedIds, proposedLines, readProposal, readSaleProducts, withNamed } from "./proposal.server";

/** Data of Record sale. */
export type RecordSaleData = ResultOf<typeof readRecordSale>;

/**
 * Reads Record sale at its URL: `chat`, `hold` and `quote` fill it, `customer` is whose it is, and each of `products` has a line.
 *
 * @throws AppError notFound for the chat, hold or quote
 */
export const readRecordSale = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const { settings, now } = context;
    const { searchParams } = new URL(input.url);
    const of = (name: string) => searchParams.get(name) || null;
    const customerId = of("customer");
    const lastIds = (of("last") ?? "").split(",").filter(Boolean).slice(0, BUSINESSES.length);
    const named = { chatId: of("chat"), holdId: of("hold"), quoteId: of("quote") };
    const proposal = await readProposal(context, named);
    const { chatId, hold, quote, openQuote } = proposal;
    const added = (of("products") ?? "").split(",").slice(0, MAX_LINES);
    const [products, state, last] = await Promise.all([
      readSaleProducts(context, [...proposedIds(proposal), ...added], hold, true),
      readSaleState(context.db, namedBy({ chatId, customerId, holdId: hold?.id, quoteId: quote?.id })),
      lastIds.length > 0 ? findDocuments(context.db, lastIds) : [],
    ]);
    return {
      form: "new" as const,
      heading: formHeading("Record sale", chatId),
      // Idempotency key of the form: repeating its POST records the sale once.
      id: crypto.randomUUID() as string,
      userId: context.user.id,
      chat: chatId === null ? null : { id: chatId, name: nameOf(state.chat, settings.timezone) },
      holdId: hold && holdState(hold, now) === "active" ? hold.id : null,
      quote: quoteView(quote),
      /** Deposits on the quote that its sale counts, by mode. */
      deposits: state.quote?.deposits ?? [],
      depositBusiness: state.quote?.depositBusiness ?? null,
      openQuote: quoteView(openQuote),
      customerId: customerId && (state.customer?.id ?? null),
      customerName: state.customer?.name ?? knownName(state.chat?.userName),
      day: localDay(now, settings.timezone),
      /** Sale that was recorded before this one. */
      last: last.length > 0 ? lastSale(last) : null,
      ...formLines(proposedLines(proposal, products), added, products),
      products: [...products.values()],
      rules: rulesByBusiness(state.rules),
      businessNames: settings.businesses,
    };
  },
});

/** Lines of the form, and those without the products that the address names. */
const formLines = (proposed: DraftLine[], added: string[], products: ReadonlyMap<string, SaleProduct>) => ({
  proposedLines: proposed,
  lines: withNamed(proposed, added, products),
});

/** Names what a sale is of, for the reads that it depends on. */
const namedBy = ({ chatId, customerId, ...others }: NamedSale) => ({
  ...{ requestId: "", unitIds: [], ...others },
  chatId: chatId ?? undefined,
  customerId: customerId ?? undefined,
});

interface NamedSale {
  chatId: string | null;
  customerId: string | null;
  holdId: string | undefined;
  quoteId: string | undefined;
}

const lastSale = (documents: StoredDocument[]) => ({
  totalCents: sum(documents.map(({ totalCents }) => totalCents)),
  documents: documents.map(({ id, number }) => ({ id, number })),
});

const quoteView = (quote: StoredQuote | undefined) =>
  quote ? { id: quote.id, title: quote.title, totalCents: quote.totalCents } : null;

const nameOf = (chat: SaleState["chat"], timezone: string) =>
  chat ? visitorLabel({ chatId: chat.id, name: chat.userName, began: chat.createdAt }, timezone) : "";
