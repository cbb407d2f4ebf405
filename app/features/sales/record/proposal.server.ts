import { decimalDollars } from "~/domain/money";
import { type Chosen, nameWithOptions } from "~/features/catalogue/options";
import { findCardsById } from "~/features/catalogue/queries.server";
import { NO_MESSAGES, readChatFor, readStoredCart } from "~/features/chat/operations/messages.server";
import type { StaffContext } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { fittingDescription, MAX_LINES } from "../document";
import { findChatDocuments, type StoredDocument } from "../documents.queries.server";
import { holdState } from "../holds.server";
import {
  findChatHolds,
  findChatQuotes,
  findHold,
  findQuote,
  type StoredHold,
  type StoredQuote,
} from "../holds-and-quotes.queries.server";
import { findSoldProducts } from "../sale.queries.server";
import { customLine, type DraftLine, productLine, type SaleProduct } from "./draft";

/** Holds, quotes and documents of a chat that are read, newest first. */
const MAX_ITEMS = 20;

/** Reads the holds, quotes and documents of a chat. */
export async function readChatSales({ db }: Pick<RequestContext, "db">, chatId: string) {
  const [holds, quotes, documents] = await Promise.all([
    findChatHolds(db, chatId, MAX_ITEMS),
    findChatQuotes(db, chatId, MAX_ITEMS),
    findChatDocuments(db, chatId, MAX_ITEMS),
  ]);
  return { holds, quotes, documents };
}
export type ChatSales = Awaited<ReturnType<typeof readChatSales>>;

interface CartLine extends Chosen {
  productId: string;
  name: string;
  quantity: number;
  priceCents: number;
  /** Epoch seconds; missing in chats of before. */
  requestedAt?: number;
}

/** Sale that a chat leads to. */
export interface Proposal {
  hold: StoredHold | undefined;
  quote: StoredQuote | undefined;
  cart: CartLine[];
}

/**
 * Finds what is to be sold in a chat: its active hold, its accepted quote, and its cart without what was sold or is quoted
 * here since it was asked for.
 */
export function proposalOf({ holds, quotes, documents }: ChatSales, cart: CartLine[], now: number): Proposal {
  const quote = quotes.find(({ state, documentId }) => state === "accepted" && !documentId);
  const answeredAt = lastSales(documents);
  for (const productId of quotedIds(quote))
    answeredAt.set(productId, Math.max(quote?.createdAt ?? 0, answeredAt.get(productId) ?? 0));
  return {
    hold: holds.find((hold) => holdState(hold, now) === "active"),
    quote,
    cart: cart.filter(({ productId, requestedAt = 0 }) => requestedAt > (answeredAt.get(productId) ?? -1)),
  };
}

/** Lists the products that a quote names. */
const quotedIds = (quote: StoredQuote | undefined): string[] =>
  (quote?.lines ?? []).flatMap(({ productId }) => productId ?? []);

/** Returns when each product was last sold, epoch seconds. @param documents newest first */
function lastSales(documents: StoredDocument[]): Map<string | null, number> {
  const sales = documents.filter(({ kind }) => kind === "sale").toReversed();
  return new Map(
    sales.flatMap(({ lines, recordedAt }) => lines.map(({ productId }) => [productId, recordedAt])),
  );
}

/** Ids that a proposal begins with. */
interface ProposalSource {
  chatId: string | null;
  holdId: string | null;
  quoteId: string | null;
}

/**
 * Reads what a sale begins with: the hold or quote that is named, else everything of its chat.
 *
 * @throws AppError notFound for the chat
 */
export async function readProposal(
  context: StaffContext,
  source: ProposalSource,
): Promise<Proposal & { chatId: string | null }> {
  const [hold, quote] = await Promise.all([
    source.holdId ? findHold(context.db, source.holdId) : undefined,
    source.quoteId ? findQuote(context.db, source.quoteId) : undefined,
  ]);
  const chatId = source.chatId ?? hold?.chatId ?? quote?.chatId ?? null;
  if (!chatId) return { chatId, hold, quote, cart: [] };
  // At once, so that the page's other reads share their round trip.
  const [{ chat }, sales] = await Promise.all([
    readChatFor(context, chatId, NO_MESSAGES),
    hold || quote ? null : readChatSales(context, chatId),
  ]);
  if (!sales) return { chatId, hold, quote, cart: [] };
  return { chatId, ...proposalOf(sales, await readStoredCart(context, chat.id), context.now) };
}

/** Reads products with picture and held pieces, by id. */
export async function readSaleProducts(
  { db, now }: Pick<StaffContext, "db" | "now">,
  ids: string[],
  hold: StoredHold | undefined,
): Promise<Map<string, SaleProduct>> {
  const wanted = [...new Set(ids)].filter(Boolean);
  const [sold, cards] = await Promise.all([
    findSoldProducts(db, wanted),
    wanted.length > 0 ? findCardsById(db, wanted) : [],
  ]);
  const images = new Map(cards.map(({ id, image }) => [id, image]));
  const held = hold && holdState(hold, now) === "active" ? hold.lines : [];
  const heldPieces = new Map(held.map((line) => [line.productId, line.quantity]));
  return new Map(
    [...sold.values()].map(({ stock: _, ...product }) => [
      product.id,
      { ...product, image: images.get(product.id) ?? null, heldPieces: heldPieces.get(product.id) ?? 0 },
    ]),
  );
}

/** Lists the ids of the products on hold, in the cart and in the quote. */
export const proposedIds = ({ hold, cart, quote }: Proposal): string[] => [
  ...(hold?.lines ?? []).map(({ productId }) => productId),
  ...cart.map(({ productId }) => productId),
  ...quotedIds(quote),
];

/** Fills the lines of a sale: what is on hold and neither in the cart nor quoted, the cart, the quote. */
export function proposedLines(
  { hold, quote, cart }: Proposal,
  products: Map<string, SaleProduct>,
): DraftLine[] {
  const held = new Set(hold?.lines.map(({ productId }) => productId));
  const quoted = new Set(quotedIds(quote));
  const unquoted = (hold?.lines ?? []).filter(({ productId }) => !quoted.has(productId));
  const productLines = withHeld(unquoted, cart).map((line) => {
    const product = products.get(line.productId);
    const filled = product ? productLine(product, line.quantity, line) : deletedProductLine(line);
    const isOfHold = held.has(line.productId);
    // The name of a hold's line has the choices.
    const isNamed = isOfHold && !cart.some(({ productId }) => productId === line.productId);
    return { ...filled, ...(isNamed && { description: line.name }), from: isOfHold ? "hold" : "" };
  });
  const quotedLines = (quote?.lines ?? []).map((line) => {
    const filled = quoteLine(line, products.get(line.productId ?? ""));
    // A line of no product takes nothing out of the hold.
    return { ...filled, from: held.has(filled.productId) ? "hold quote" : "quote" };
  });
  return [...productLines, ...quotedLines];
}

/** Adds the held pieces that the cart lacks: to the first line of their product, or as a line of their own. */
function withHeld(held: StoredHold["lines"], cart: CartLine[]): CartLine[] {
  const lines = cart.map((line) => ({ ...line }));
  const added = held.filter(({ productId, quantity }) => {
    const ofProduct = lines.filter((line) => line.productId === productId);
    const [first] = ofProduct;
    if (!first) return true;
    first.quantity += Math.max(0, quantity - ofProduct.reduce((sum, line) => sum + line.quantity, 0));
    return false;
  });
  return [...added.map((line) => ({ ...line, priceCents: 0 })), ...lines];
}

/** Line of a deleted product. */
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
  const missing = [...new Set(ids)].filter((id) => !lines.some(({ productId }) => productId === id));
  const added = missing.flatMap((id) => products.get(id) ?? []).map((product) => productLine(product));
  return [...lines, ...added].slice(0, MAX_LINES);
}
