import { findCardsById } from "~/features/catalogue/queries.server";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { cartCookie } from "~/session/cookies.server";
import { AddInput, EmptyInput, MAX_LINES, RemoveInput, SetInput } from "./schema";
import { type CartView, cartView } from "./view";

type Entries = RequestContext["cookies"]["cart"];

/** Result of adding a product or setting its quantity. */
interface ChangedLine {
  name: string;
  quantity: number;
  /** True when the stock allowed fewer than requested. */
  short: boolean;
}

/**
 * Reads the caller's cart with current names, prices, pictures and stock. Deleted products are omitted, quantities
 * limited to the stock. One read of D1, none for an empty cart.
 */
export async function readCart({ db, cookies, settings }: RequestContext): Promise<CartView> {
  const entries = cookies.cart;
  const cards = entries.length
    ? await findCardsById(
        db,
        entries.map(([id]) => id),
      )
    : [];
  const cardsById = new Map(cards.map((card) => [card.id, card]));
  const lines = entries.flatMap(([id, requested]) => {
    const card = cardsById.get(id);
    if (!card) return [];
    const { name, priceCents, stock, image, imageAlt } = card;
    return [{ id, name, priceCents, stock, quantity: Math.min(requested, stock), image, imageAlt }];
  });
  return cartView(lines, settings.sms);
}

/**
 * Adds a product to the cart or raises its quantity, up to the stock.
 *
 * @throws AppError notFound (404); conflict (409) when out of stock, when all stock is in the cart, and at the 51st line
 */
export const addToCart = operation({
  access: "anyone",
  input: AddInput,
  async run({ input, ...context }): Promise<ChangedLine> {
    const { product, entries } = await findSellable(context, input.id);
    const before = quantityInCart(context, input.id);
    const requested = before + input.quantity;
    if (before >= product.stock) throw new AppError("conflict", stockExhausted(product.stock));
    const quantity = Math.min(requested, product.stock);
    await storeCart(context, withQuantity(entries, input.id, quantity));
    return { name: product.name, quantity, short: quantity < requested };
  },
});

/**
 * Sets a quantity, up to the stock; 0 or less removes the line.
 *
 * @returns null when the line was removed
 * @throws AppError notFound (404); conflict (409) when out of stock and at the 51st line
 */
export const setQuantity = operation({
  access: "anyone",
  input: SetInput,
  async run({ input, ...context }): Promise<ChangedLine | null> {
    const { id } = input;
    const requested = (input.quantity ?? quantityInCart(context, id)) + input.step;
    if (requested <= 0) {
      await storeCart(context, without(context.cookies.cart, id));
      return null;
    }
    const { product, entries } = await findSellable(context, id);
    const quantity = Math.min(requested, product.stock);
    await storeCart(context, withQuantity(entries, id, quantity));
    return { name: product.name, quantity, short: quantity < requested };
  },
});

export const removeFromCart = operation({
  access: "anyone",
  input: RemoveInput,
  async run({ input, ...context }) {
    await storeCart(context, without(context.cookies.cart, input.id));
  },
});

export const clearCart = operation({
  access: "anyone",
  input: EmptyInput,
  async run(context) {
    await storeCart(context, []);
  },
});

/**
 * Checks that the cart has something to write to the seller about.
 *
 * @throws AppError invalid (400) for an empty cart
 */
export const askAboutCart = operation({
  access: "anyone",
  input: EmptyInput,
  async run(context) {
    const { itemCount } = await readCart(context);
    if (itemCount === 0) throw new AppError("invalid", "Your cart is empty");
  },
});

/** Finds a product that can be sold, and the cart's entries without deleted products, which must not count as lines. */
async function findSellable({ db, cookies }: RequestContext, id: string) {
  const ids = new Set([id, ...cookies.cart.map(([entryId]) => entryId)]);
  const cards = new Map((await findCardsById(db, [...ids])).map((card) => [card.id, card]));
  const product = cards.get(id);
  if (!product) throw new AppError("notFound", "Product not found");
  if (product.stock === 0) throw new AppError("conflict", "This product is out of stock");
  return { product, entries: cookies.cart.filter(([entryId]) => cards.has(entryId)) };
}

function quantityInCart({ cookies }: Pick<RequestContext, "cookies">, id: string): number {
  return cookies.cart.find(([entryId]) => entryId === id)?.[1] ?? 0;
}

function stockExhausted(stock: number): string {
  return stock === 1
    ? "There is only one, and it is in your cart"
    : `There are only ${stock}, and they are in your cart`;
}

function without(entries: Entries, id: string): Entries {
  return entries.filter(([entryId]) => entryId !== id);
}

function withQuantity(entries: Entries, id: string, quantity: number): Entries {
  if (entries.some(([entryId]) => entryId === id)) {
    return entries.map(([entryId, before]) => [entryId, entryId === id ? quantity : before]);
  }
  if (entries.length >= MAX_LINES) {
    throw new AppError("conflict", `Your cart is full: it holds ${MAX_LINES} different products`);
  }
  return [...entries, [id, quantity]];
}

/** Stores the cart in its cookie; of two simultaneous changes the later response wins. */
async function storeCart({ headers, env, secure }: RequestContext, entries: Entries): Promise<void> {
  headers.append("Set-Cookie", await cartCookie(entries, env.COOKIE_SECRET, secure));
}
