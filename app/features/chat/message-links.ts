import { nameWithOptions, type OfferedOptions } from "~/features/catalogue/options";
import { MAX_MESSAGE } from "./limits";
import { haveSameOptions, NOTHING_SELECTED, optionsOf, type ProductSelection } from "./product-selection";
import type { ChatMessage, MessageCard, ProductCard } from "./protocol";
import type { ChatCartLine } from "./rooms";

/** Product of a card, with its current name, price, stock and picture. */
export interface CardProduct {
  id: string;
  name: string;
  priceCents: number;
  /** Pieces that shoppers can buy. */
  stock: number;
  /** Pieces that are there, those on hold included; for staff only. */
  onHand?: number;
  /** Number of the product up to which it counts as low, -1 for that of the settings; for staff only. */
  lowStock?: number;
  /** Hidden from shoppers; for staff only. */
  isHidden?: boolean;
  /** Stored entry (`minio:{key}` or a URL). */
  image: string | null;
  /** Colours and words on offer; missing where it was searched for. */
  choices?: OfferedOptions;
  /** First questions about it, for shoppers. */
  questions?: string[];
}

/** Products by id; null for deleted ones, missing while unknown. */
export type ProductMap = ReadonlyMap<string, CardProduct | null>;

/** Products that one request reads. */
export const MAX_CARDS = 50;

/**
 * Web address. Characters that change the text direction or are invisible end it, since they disguise addresses; so do
 * `**` and punctuation of other scripts, which no space need follow.
 */
const ADDRESS =
  /https?:\/\/(?:(?!\*\*|(?![\0-\x7f])\p{P})[^\s<>"\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff])+/giu;
const PRODUCT_PATH = /^\/products\/([\w-]{1,64})\/?$/;
const PUNCTUATION = /[.,;:!?'")\]}*]$/;

/** Part of a message: plain text, or a link. */
interface TextSegment {
  /** Position in the message. */
  at: number;
  text: string;
  href: string | null;
}

/** Splits a message into plain text and links; only https addresses without a user name are links. */
export function splitLinks(message: string): TextSegment[] {
  const segments: TextSegment[] = [];
  let end = 0;
  const push = (to: number, href: string | null) => {
    if (to > end) segments.push({ at: end, text: message.slice(end, to), href });
    end = to;
  };
  for (const { address, at } of addressesIn(message)) {
    const url = parseUrl(address);
    if (url?.protocol !== "https:" || url.username || url.password) continue;
    push(at, null);
    push(at + address.length, url.href);
  }
  push(message.length, null);
  return segments;
}

function addressesIn(message: string): { address: string; at: number }[] {
  return [...message.matchAll(ADDRESS)].map(({ 0: found, index }) => {
    const address = withoutPunctuation(found);
    // Ids may end with an underscore, so it ends an address only where one stands before it.
    const isEmphasised = message[index - 1] === "_" && address.endsWith("_");
    return { address: isEmphasised ? address.slice(0, -1) : address, at: index };
  });
}

/** Removes the punctuation that follows an address; a bracket that closes one of its own stays. */
function withoutPunctuation(address: string): string {
  let text = address;
  while (PUNCTUATION.test(text)) {
    if (text.endsWith(")") && text.split("(").length >= text.split(")").length) break;
    text = text.slice(0, -1);
  }
  return text;
}

function parseUrl(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

/** Returns the id of the shop's own product at an address; null for other addresses. */
function ownProductId(address: string, origin: string): string | null {
  const url = parseUrl(address);
  return url?.origin === origin ? (PRODUCT_PATH.exec(url.pathname)?.[1] ?? null) : null;
}

type MessageText = Pick<ChatMessage, "message" | "cards">;

const isProductCard = (card: MessageCard): card is ProductCard => card.type === "product";

/** Returns the products of a message's cards. */
const cardProductIds = ({ cards = [] }: Pick<ChatMessage, "cards">): string[] =>
  cards.filter(isProductCard).map(({ productId }) => productId);

/**
 * Detects a product of the conversation's latest cards, or of the visitor's latest: it is not attached again, unless other
 * options were chosen.
 */
export function isAttached(
  messages: Pick<ChatMessage, "cards" | "isFromAdmin">[],
  productId: string | null,
  options: ProductSelection = NOTHING_SELECTED,
): boolean {
  const withCard = messages.filter((message) => cardProductIds(message).length > 0);
  const latest = [withCard.at(-1), withCard.findLast(({ isFromAdmin }) => !isFromAdmin)];
  const isOpen = haveSameOptions(options, NOTHING_SELECTED);
  return latest
    .flatMap((message) => message?.cards ?? [])
    .filter(isProductCard)
    .some((card) => card.productId === productId && (isOpen || haveSameOptions(optionsOf(card), options)));
}

/** Finds the options with which the visitor asked about a product last. */
export function lastAsked(
  messages: Pick<ChatMessage, "cards" | "isFromAdmin">[],
  id: string,
): ProductSelection | undefined {
  const card = messages
    .filter(({ isFromAdmin }) => !isFromAdmin)
    .flatMap((message) => message.cards ?? [])
    .filter(isProductCard)
    .findLast((card) => card.productId === id);
  return card && optionsOf(card);
}

/** Finds the products that a message shows: those of its cards, then those that its text links to. */
function productIdsIn({ message, cards }: MessageText, origin: string): string[] {
  const linked = addressesIn(message).flatMap(({ address }) => ownProductId(address, origin) ?? []);
  return [...new Set([...cardProductIds({ cards }), ...linked])];
}

/** Finds the products that the latest messages show, latest first. */
export function latestProductIds(messages: MessageText[], origin: string): string[] {
  const ids = new Set<string>();
  for (let i = messages.length - 1; i >= 0 && ids.size < MAX_CARDS; i--)
    for (const id of productIdsIn(messages[i] as MessageText, origin)) ids.add(id);
  return [...ids].slice(0, MAX_CARDS);
}

/** Text and products of a message, as they are drawn. */
export interface MessageParts {
  text: string;
  /** `options` are those of the card; missing where it has none. */
  products: (CardProduct & { options?: ProductSelection })[];
}

/**
 * Splits a message into its text and its products. Last lines that only name a product which is drawn are left out; a
 * deleted product leaves the text as it is.
 *
 * @param origin of the shop
 */
export function messageParts(message: MessageText, products: ProductMap, origin: string): MessageParts {
  const cards = message.cards?.filter(isProductCard) ?? [];
  const drawn = productIdsIn(message, origin).flatMap((id) => {
    const product = products.get(id);
    const card = cards.find(({ productId, quantity }) => productId === id && quantity !== undefined);
    return product ? { ...product, ...(card && { options: optionsOf(card) }) } : [];
  });
  const repeated = new Set(
    drawn.flatMap((product) => [
      productLine(product, origin),
      productLine(product, origin, product.options),
      productUrl(product, origin),
    ]),
  );
  let text = message.message;
  const isRequest = PURCHASE.test(text);
  const isDrawn = (line: string) =>
    repeated.has(line) || (isRequest && drawn.some(({ options }) => options && saysChoice(line, options)));
  for (let line = lastLine(text); isDrawn(line); line = lastLine(text))
    text = text.slice(0, -line.length).trimEnd();
  return { text, products: drawn };
}

/** Tests for a line of Buy Now with a choice that its card has; the label of a colour is the product's own. */
const saysChoice = (line: string, { quantity, color, engraving }: ProductSelection) =>
  [quantity, `“${engraving}”`, color, "none yet", "not chosen yet"].some((value) =>
    line.endsWith(`: ${value}`),
  );

const lastLine = (text: string) => text.slice(text.lastIndexOf("\n") + 1);

const productUrl = ({ id }: Pick<CardProduct, "id">, origin: string) => `${origin}/products/${id}`;

/** Line that names a product and what was chosen of it, for clients without cards: `Vase (Clay), 2 pieces: https://…`. */
export function productLine(
  product: Pick<CardProduct, "id" | "name">,
  origin: string,
  { quantity, ...chosen }: ProductSelection = NOTHING_SELECTED,
): string {
  const pieces = quantity > 1 ? `, ${quantity} pieces` : "";
  return `${nameWithOptions(product.name, chosen)}${pieces}: ${productUrl(product, origin)}`;
}

const joined = (message: string, line: string) => [message, line].filter(Boolean).join("\n\n");

/** Counts the characters by which a message and the line of a product are too long together; an emoji is one. */
export const excessOf = (message: string, line = "") => [...joined(message, line)].length - MAX_MESSAGE;

/** Appends the line of a product, which its card says too, unless the message would become too long. */
export const withLine = (message: string, line = "") =>
  excessOf(message, line) > 0 ? message : joined(message, line);

/** Message of Buy Now or Chat with Seller. */
const PURCHASE = /^I'm interested in buying /;

/** Message of Chat with Seller, which lists the cart. */
const CART = /^I'm interested in buying these items:/;
export const listsCart = ({ message }: Pick<ChatMessage, "message">): boolean => CART.test(message);

/** Message about favourites. */
const LIST = /^I have a question about these:\n- /;
const LAST_LINE_WITH_PRODUCT = /\n*[^\n]*: https?:\/\/\S+\/products\/[\w-]+$/;

/** Returns what the writer typed: nothing of a message that a button composed, and no line that names its product. */
export function typedText({ message, cards = [] }: MessageText): string {
  const isAbout = cards.some(isProductCard);
  if (listsCart({ message }) || (isAbout && (PURCHASE.test(message) || LIST.test(message)))) return "";
  return isAbout ? message.replace(LAST_LINE_WITH_PRODUCT, "") : message;
}

/**
 * Finds the messages whose products the chat asks for, in order: the latest with the cart, and the latest of each product
 * after it, which is a line of its own.
 */
export function findPurchases<Message extends ChatMessage>(messages: Message[]): Set<Message> {
  const latest = new Map<string, Message>();
  for (const each of messages) {
    if (each.isFromAdmin || !PURCHASE.test(each.message)) continue;
    const [card] = each.cards ?? [];
    const subject = card?.type === "product" ? card.productId : "cart";
    if (subject === "cart") latest.clear();
    latest.delete(subject);
    latest.set(subject, each);
  }
  return new Set(latest.values());
}

/** Adds up lines that a chat asks for, in cents. */
export const totalOf = (lines: Pick<ChatCartLine, "priceCents" | "quantity">[]): number =>
  lines.reduce((sum, { priceCents, quantity }) => sum + priceCents * quantity, 0);

/** Finds the visitor's latest message that asks for products. @returns its `seq`, 0 without one */
export function latestRequest(messages: ChatMessage[], origin: string): number {
  const asks = (message: ChatMessage) =>
    PURCHASE.test(message.message) || productIdsIn(message, origin).length > 0;
  return messages.filter((message) => !message.isFromAdmin && asks(message)).at(-1)?.seq ?? 0;
}

/** Products that a search for one to attach finds. */
export const MAX_FOUND_PRODUCTS = 6;

/** Product of the API's list as staff read it; `price` in dollars, `stock` with what is on hold. */
interface FoundProduct {
  id: string;
  name: string;
  price: number;
  stock: number;
  available?: number;
  lowStock?: number;
  imageUrls: string[];
}

/** Converts found products to those of cards. */
export const asCardProducts = (found: FoundProduct[]): CardProduct[] =>
  found.map(({ id, name, price, stock, available = stock, lowStock, imageUrls }) => ({
    id,
    name,
    priceCents: Math.round(price * 100),
    stock: available,
    onHand: stock,
    ...(lowStock !== undefined && { lowStock }),
    image: imageUrls[0] ?? null,
  }));

/** Address of the search in the API. */
export const productSearchUrl = (text: string) =>
  `/api/product/all?${new URLSearchParams({ raw: "1", limit: String(MAX_FOUND_PRODUCTS), search: text })}`;
