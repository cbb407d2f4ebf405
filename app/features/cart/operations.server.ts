import { findCardsById } from "~/features/catalogue/queries.server";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { cartCookie } from "~/session/cookies.server";
import { AddInput, EmptyInput, MAX_LINES, RemoveInput, SetInput } from "./schema";
import { type CartView, cartView } from "./view";

type Entries = RequestContext["cookies"]["cart"];

/** A product that was put into the cart. */
interface Put {
  name: string;
  /** How many of it the cart holds now, and whether that is fewer than was asked for. */
  quantity: number;
  short: boolean;
}

/**
 * The cart of this reader: names, prices, pictures and stock as they are now. Products that are gone are left
 * out, quantities shown never pass the stock. One read of D1, none for an empty cart.
 */
export async function cartOf({ db, cookies, settings }: RequestContext): Promise<CartView> {
  const entries = cookies.cart;
  const cards = entries.length
    ? await findCardsById(
        db,
        entries.map(([id]) => id),
      )
    : [];
  const known = new Map(cards.map((card) => [card.id, card]));
  const lines = entries.flatMap(([id, wanted]) => {
    const card = known.get(id);
    if (!card) return [];
    const { name, priceCents, stock, image, imageAlt } = card;
    return [{ id, name, priceCents, stock, quantity: Math.min(wanted, stock), image, imageAlt }];
  });
  return cartView(lines, settings.sms);
}

/**
 * Puts a product into the cart, or raises the quantity of one that is there (spec 4), by 1 unless told otherwise.
 * Fewer are added when the stock has no more.
 *
 * @throws AppError notFound; conflict at stock 0, at the stock's end and at the cart's 51st line
 */
export const addToCart = operation({
  access: "anyone",
  input: AddInput,
  async run({ input, ...context }): Promise<Put> {
    const { product, entries } = await sellable(context, input.id);
    const before = heldOf(context, input.id);
    const wanted = before + input.quantity;
    if (before >= product.stock) throw new AppError("conflict", noMore(product.stock));
    const quantity = Math.min(wanted, product.stock);
    await keep(context, withQuantity(entries, input.id, quantity));
    return { name: product.name, quantity, short: quantity < wanted };
  },
});

/**
 * Sets a quantity; 0 or less removes the line (spec 4). More than the stock is as many as there are.
 *
 * @returns null when the line was removed
 * @throws AppError notFound; conflict at stock 0 and at the cart's 51st line
 */
export const setQuantity = operation({
  access: "anyone",
  input: SetInput,
  async run({ input, ...context }): Promise<Put | null> {
    const { id } = input;
    const wanted = (input.quantity ?? heldOf(context, id)) + input.step;
    if (wanted <= 0) {
      await keep(context, without(context.cookies.cart, id));
      return null;
    }
    const { product, entries } = await sellable(context, id);
    const quantity = Math.min(wanted, product.stock);
    await keep(context, withQuantity(entries, id, quantity));
    return { name: product.name, quantity, short: quantity < wanted };
  },
});

/** Takes a product out of the cart; one that isn't in it is out already. */
export const removeFromCart = operation({
  access: "anyone",
  input: RemoveInput,
  async run({ input, ...context }) {
    await keep(context, without(context.cookies.cart, input.id));
  },
});

/** Empties the cart. */
export const clearCart = operation({
  access: "anyone",
  input: EmptyInput,
  async run(context) {
    await keep(context, []);
  },
});

/**
 * Lets somebody write to the seller about the cart.
 *
 * @throws AppError invalid, 'Your cart is empty' (spec 5, Cart)
 */
export const askAboutCart = operation({
  access: "anyone",
  input: EmptyInput,
  async run(context) {
    const { itemCount } = await cartOf(context);
    if (itemCount === 0) throw new AppError("invalid", "Your cart is empty");
  },
});

/** The product, if it may be sold, and the cart without what is gone from the shop, so that it takes up no line. */
async function sellable({ db, cookies }: RequestContext, id: string) {
  const ids = new Set([id, ...cookies.cart.map(([known]) => known)]);
  const cards = new Map((await findCardsById(db, [...ids])).map((card) => [card.id, card]));
  const product = cards.get(id);
  if (!product) throw new AppError("notFound", "Product not found");
  if (product.stock === 0) throw new AppError("conflict", "This product is out of stock");
  return { product, entries: cookies.cart.filter(([known]) => cards.has(known)) };
}

/** How many of a product the cart holds. */
function heldOf({ cookies }: Pick<RequestContext, "cookies">, id: string): number {
  return cookies.cart.find(([known]) => known === id)?.[1] ?? 0;
}

/** What is said to somebody who has all that there is. */
function noMore(stock: number): string {
  return stock === 1
    ? "There is only one, and it is in your cart"
    : `There are only ${stock}, and they are in your cart`;
}

function without(entries: Entries, id: string): Entries {
  return entries.filter(([known]) => known !== id);
}

function withQuantity(entries: Entries, id: string, quantity: number): Entries {
  if (entries.some(([known]) => known === id)) {
    return entries.map(([known, before]) => [known, known === id ? quantity : before]);
  }
  if (entries.length >= MAX_LINES) {
    throw new AppError("conflict", `Your cart is full: it holds ${MAX_LINES} different products`);
  }
  return [...entries, [id, quantity]];
}

/** The cart lives in its cookie alone: two tabs that add at the same moment leave the later one's. */
async function keep({ headers, env, secure }: RequestContext, entries: Entries): Promise<void> {
  headers.append("Set-Cookie", await cartCookie(entries, env.COOKIE_SECRET, secure));
}
