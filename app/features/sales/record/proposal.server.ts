import { decimalDollars } from "~/domain/money";
import { type LabelledOptions, nameWithOptions } from "~/features/catalogue/options";
import { offeredOptions } from "~/features/catalogue/product-views.server";
import { findStaffProducts } from "~/features/catalogue/queries.server";
import { NO_MESSAGES, readChatFor, readStoredCart } from "~/features/chat/operations/messages.server";
import { AppError } from "~/http/errors";
import type { StaffContext } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { fittingDescription, MAX_LINES } from "../document";
import { holdState } from "../operations/holds.server";
import { refuseUnknown } from "../operations/record.server";
import { findChatDocuments, type StoredDocument } from "../queries/documents.server";
import {
  type ChatRef,
  findChatHolds,
  findChatQuotes,
  findHold,
  findQuote,
  type QuoteDeposit,
  type SaleSource,
  type StoredHold,
  type StoredQuote,
  selectChatOf,
} from "../queries/holds-and-quotes.server";
import { findSoldProducts, findUnitsBeside } from "../queries/sale.server";
import { quoteState } from "../quote-state";
import { unitIdOf } from "../schema";
import { customLine, type DraftLine, productLine, type SaleProduct } from "./draft";

/** Holds, quotes and documents of a chat that are read, newest first. */
const MAX_ITEMS = 20;

/** Reads the holds, quotes, documents and deposits of a chat. */
export async function readChatSales({ db }: Pick<RequestContext, "db">, chatId: ChatRef) {
  const [holds, quoted, documents] = await Promise.all([
    findChatHolds(db, chatId, MAX_ITEMS),
    findChatQuotes(db, chatId, MAX_ITEMS),
    findChatDocuments(db, chatId, MAX_ITEMS),
  ]);
  return { holds, ...quoted, documents };
}
export type ChatSales = Awaited<ReturnType<typeof readChatSales>>;

/** Lists the deposits of a quote that counts them towards its sale; none once it is sold or withdrawn. */
export const depositsLeft = (
  { id, state, documentId }: StoredQuote,
  deposits: QuoteDeposit[],
): QuoteDeposit[] =>
  state === "accepted" && documentId === null ? deposits.filter(({ quoteId }) => quoteId === id) : [];

interface CartLine extends LabelledOptions {
  unitId: string;
  name: string;
  quantity: number;
  priceCents: number;
  /** Epoch seconds; missing in chats of before. */
  requestedAt?: number;
}

/** Line of a chat's cart, as its room stores it. */
type AskedLine = Omit<CartLine, "unitId"> & { productId: string; unitId?: string | undefined };

const cartLines = (asked: AskedLine[]): CartLine[] =>
  asked.map(({ productId, unitId = productId, ...line }) => ({ ...line, unitId }));

/** Sale that a chat leads to. */
export interface Proposal {
  hold: StoredHold | undefined;
  quote: StoredQuote | undefined;
  cart: CartLine[];
}

/** Proposal of an address, with the chat that it is of, and the latest quote that waits for an answer there. */
interface NamedProposal extends Proposal {
  chatId: string | null;
  openQuote: StoredQuote | undefined;
}

/**
 * Finds what is to be sold in a chat: its active hold, before others the one that has a quoted product, its accepted quote,
 * and its cart. The cart has no product of that quote, and none that was sold here after it was asked for.
 */
export function proposalOf(
  { holds, quotes, documents }: Omit<ChatSales, "deposits">,
  asked: AskedLine[],
  now: number,
): Proposal {
  const active = holds.filter((hold) => holdState(hold, now) === "active");
  const accepted = quotes.find(({ state, documentId }) => state === "accepted" && !documentId);
  const quote = accepted && withHeldProducts(accepted, active);
  const soldAt = lastSales(documents);
  const quoted = new Set(quotedIds(quote));
  return {
    hold: active.find((hold) => unquotedLines(hold, quote).length < hold.lines.length) ?? active[0],
    quote,
    cart: cartLines(asked).filter(
      ({ unitId, requestedAt = 0 }) => !quoted.has(unitId) && requestedAt > (soldAt.get(unitId) ?? -1),
    ),
  };
}

/** Adds the product to the lines of a quote that were typed by hand and name one on hold. */
const withHeldProducts = (quote: StoredQuote, holds: StoredHold[]): StoredQuote => ({
  ...quote,
  lines: quote.lines.map((line) => {
    const held = holds.flatMap(({ lines }) => lines).find(({ name }) => isNamed(line.description, name));
    return { ...line, unitId: unitIdOf(line) ?? held?.unitId };
  }),
});

/** Tests whether a text names a product on hold, with or without its choices: `Key tag, engraved` names `Key tag (Walnut)`. */
function isNamed(text: string, held: string): boolean {
  const [typed, name] = [text.trim().toLowerCase(), held.toLowerCase()];
  const [withoutMore] = typed.split(",");
  return [typed, withoutMore].includes(name) || name.startsWith(`${withoutMore} (`);
}

/** Lists the lines of a hold whose products a quote doesn't name. */
function unquotedLines(hold: StoredHold | undefined, quote: StoredQuote | undefined): StoredHold["lines"] {
  const quoted = new Set(quotedIds(quote));
  return (hold?.lines ?? []).filter(({ unitId }) => !quoted.has(unitId));
}

/** Lists the units that a quote names. */
const quotedIds = (quote: StoredQuote | undefined): string[] =>
  (quote?.lines ?? []).flatMap((line) => unitIdOf(line) ?? []);

/** Returns when each unit was last sold, epoch seconds. @param documents newest first */
function lastSales(documents: StoredDocument[]): Map<string | null, number> {
  const sales = documents.filter(({ kind }) => kind === "sale").toReversed();
  return new Map(
    sales.flatMap(({ lines, recordedAt }) =>
      lines.map(({ unitId, productId }) => [unitId ?? productId, recordedAt]),
    ),
  );
}

/**
 * Reads what a sale begins with: the hold or quote that is named, with the quote of the held products or the hold of the
 * quoted ones, else everything of its chat.
 *
 * @throws AppError notFound for the chat, hold or quote
 */
export async function readProposal(context: StaffContext, source: SaleSource): Promise<NamedProposal> {
  // At once, so that the page's other reads share their round trip.
  const [hold, quote, sales, room] = await Promise.all([
    source.holdId ? findHold(context.db, source.holdId) : undefined,
    source.quoteId ? findQuote(context.db, source.quoteId) : undefined,
    readChatSales(context, selectChatOf(source)),
    source.chatId ? readChatFor(context, source.chatId, NO_MESSAGES) : undefined,
  ]);
  refuseUnknown(source, { hold, quote });
  const chatId = source.chatId ?? hold?.chatId ?? quote?.chatId ?? null;
  const openQuote = sales.quotes.find((one) => quoteState(one, context.now) === "sent");
  const talk = room ?? (chatId ? await readChatIfAny(context, chatId) : null);
  // Without a conversation, also where it was deleted, the sale is one at the counter.
  if (!talk) return { chatId: null, hold, quote, openQuote, cart: [] };
  const { chat } = talk;
  if (!hold && !quote)
    return { chatId, openQuote, ...proposalOf(sales, await readStoredCart(context, chat.id), context.now) };
  const { holds, quotes, documents } = sales;
  const named = { holds: hold ? [hold] : holds, quotes: quote ? [quote] : quotes, documents };
  const proposal = proposalOf(named, [], context.now);
  const isOfBoth = unquotedLines(proposal.hold, proposal.quote).length < (proposal.hold?.lines.length ?? 0);
  return { chatId, hold, quote, openQuote, cart: [], ...(isOfBoth && proposal) };
}

/** Reads a chat; null once it is deleted. */
async function readChatIfAny(context: StaffContext, chatId: string) {
  try {
    return await readChatFor(context, chatId, NO_MESSAGES);
  } catch (error) {
    if (error instanceof AppError && error.code === "notFound") return null;
    throw error;
  }
}

/** Reads units with pictures and held pieces, by id. @param isOfChoices adds the other units of their products */
export async function readSaleProducts(
  { db, now }: Pick<StaffContext, "db" | "now">,
  ids: string[],
  hold: StoredHold | undefined,
  isOfChoices = false,
): Promise<Map<string, SaleProduct>> {
  const wanted = [...new Set(ids)].filter(Boolean);
  const [sold, cards] = await Promise.all([
    isOfChoices ? findUnitsBeside(db, wanted) : findSoldProducts(db, wanted),
    wanted.length > 0 ? findStaffProducts(db, wanted) : [],
  ]);
  const pictures = new Map(
    cards.map((card) => [card.id, { image: card.image, colors: offeredOptions(card).colors }]),
  );
  const held = hold && holdState(hold, now) === "active" ? hold.lines : [];
  const heldPieces = new Map(held.map((line) => [line.unitId, line.quantity]));
  return new Map(
    [...sold.values()].map(({ stock: _, ...product }) => [
      product.id,
      {
        ...product,
        ...(pictures.get(product.id) ?? { colors: [] }),
        heldPieces: heldPieces.get(product.id) ?? 0,
      },
    ]),
  );
}

/** Lists the ids of the products on hold, in the cart and in the quote. */
export const proposedIds = ({ hold, cart, quote }: Proposal): string[] => [
  ...(hold?.lines ?? []).map(({ unitId }) => unitId),
  ...cart.map(({ unitId }) => unitId),
  ...quotedIds(quote),
];

/** Fills the lines of a sale: what is on hold and neither in the cart nor quoted, the cart, the quote. */
export function proposedLines(proposal: Proposal, products: Map<string, SaleProduct>): DraftLine[] {
  const { hold, quote, cart } = proposal;
  const held = new Set(hold?.lines.map(({ unitId }) => unitId));
  const productLines = askedLines(proposal).map((line) => {
    const product = products.get(line.unitId);
    const filled = product ? productLine(product, line.quantity, line) : deletedProductLine(line);
    const isOfHold = held.has(line.unitId);
    // The name of a hold's line has the choices.
    const isNamed = isOfHold && !cart.some(({ unitId }) => unitId === line.unitId);
    return { ...filled, ...(isNamed && { description: line.name }), from: isOfHold ? "hold" : "" };
  });
  const quotedLines = (quote?.lines ?? []).map((line) => {
    const filled = quoteLine(line, products.get(unitIdOf(line) ?? ""));
    // A line of no product takes nothing out of the hold.
    return { ...filled, from: held.has(filled.unitId) ? "hold quote" : "quote" };
  });
  return [...productLines, ...quotedLines];
}

/** Lists what a chat asks for: its cart, and what is on hold and not quoted. */
export const askedLines = ({ hold, quote, cart }: Proposal): CartLine[] =>
  withHeld(unquotedLines(hold, quote), cart);

/** Adds the held pieces that the cart lacks: to the first line of their product, or as a line of their own. */
function withHeld(held: StoredHold["lines"], cart: CartLine[]): CartLine[] {
  const lines = cart.map((line) => ({ ...line }));
  const added = held.filter(({ unitId, quantity }) => {
    const ofProduct = lines.filter((line) => line.unitId === unitId);
    const [first] = ofProduct;
    if (!first) return true;
    first.quantity += Math.max(0, quantity - ofProduct.reduce((sum, line) => sum + line.quantity, 0));
    return false;
  });
  return [...added.map((line) => ({ ...line, priceCents: 0 })), ...lines];
}

const deletedProductLine = ({ name, quantity, priceCents, ...chosen }: CartLine): DraftLine => ({
  ...customLine(nameWithOptions(name, chosen)),
  quantity: String(quantity),
  price: priceCents > 0 ? decimalDollars(priceCents) : "",
});

/**
 * Line of a quote, of its product at the quoted price; an amount that its pieces don't divide becomes one piece of no
 * product, so that the sum stays.
 */
function quoteLine(
  { description, material, size, quantity, amountCents }: StoredQuote["lines"][number],
  product: SaleProduct | undefined,
): DraftLine {
  const isWhole = amountCents % quantity === 0;
  const text = [description, material, size].filter(Boolean).join(", ");
  const free = customLine("", "LASER");
  return {
    ...(product && isWhole ? productLine(product) : free),
    description: fittingDescription(isWhole ? text : `${quantity} × ${text}`),
    quantity: isWhole ? String(quantity) : "1",
    price: decimalDollars(isWhole ? amountCents / quantity : amountCents),
  };
}

/** Adds a line for each product that an address names and no line has. */
export function withNamed(
  lines: DraftLine[],
  ids: string[],
  products: ReadonlyMap<string, SaleProduct>,
): DraftLine[] {
  const missing = [...new Set(ids)].filter((id) => !lines.some(({ unitId }) => unitId === id));
  const added = missing.flatMap((id) => products.get(id) ?? []).map((product) => productLine(product));
  return [...lines, ...added].slice(0, MAX_LINES);
}
