import { z } from "zod";
import { askedUnit, productUrl } from "~/features/catalogue/chosen-unit.server";
import type { LabelledOptions } from "~/features/catalogue/options";
import { checkOptions, offeredOptions, shownOptions } from "~/features/catalogue/product-views.server";
import {
  findSellableProducts,
  findStaffProducts,
  isProductKnown,
  type SellableProduct,
} from "~/features/catalogue/queries.server";
import { choiceText } from "~/features/catalogue/unit-name";
import { AppError, fieldError } from "~/http/errors";
import { id } from "~/http/fields";
import { operation, type StaffContext } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { isStaff } from "~/session/caller.server";
import {
  type CardProduct,
  excessOf,
  latestProductIds,
  MAX_CARDS,
  productLine,
  withLine,
} from "../message-links";
import { askedCard, optionsOf, soldId } from "../product-selection";
import type { ChatMessage, ProductCard } from "../protocol";
import type { ChatCartLine } from "../rooms";

type AskedFor = Pick<ProductCard, "quantity" | "unitId" | "color" | "engraving">;

/**
 * Builds the card of a product that a visitor asks about, and the line of what they ask for. Without a quantity and options
 * the card names the product alone, and there is no line.
 *
 * @throws AppError invalid (400) for options that the product does not offer
 */
export function askAbout(product: SellableProduct, asked: AskedFor) {
  const { productId, colors, values } = product;
  const unit = unitIdOf(product);
  const isLine = [asked.quantity, asked.color, asked.engraving].some((value) => value !== undefined);
  if (!isLine) return { card: { type: "product", productId, ...unit } satisfies ProductCard, lines: [] };
  const { quantity, ...options } = optionsOf(asked);
  const chosen = shownOptions(product, checkOptions(product, options));
  const card = askedCard(productId, {
    quantity,
    unitId: unit.unitId ?? null,
    // The only colour of a product is no choice.
    color: ((colors.length > 1 || values.length > 0) && chosen.color) || null,
    engraving: chosen.engraving ?? null,
  });
  return { card, lines: [{ ...requestedLine({ ...product, quantity, chosen }), isQuestion: true }] };
}

/**
 * Reads the product of a visitor's question with its card and line. The question about a deleted product keeps the card,
 * which its readers leave out; `isUnknown` is true for one that never was.
 *
 * @returns also the line that names it in words
 * @throws AppError invalid (400) for options that the product does not offer
 */
export async function productOf(context: RequestContext, asked: ProductCard | undefined) {
  if (!asked) return { cards: [], lines: [], isUnknown: false };
  const product = await findAsked(context.db, asked);
  if (!product)
    return { cards: [asked], lines: [], isUnknown: !(await isProductKnown(context.db, asked.productId)) };
  const { card, lines } = askAbout(product, asked);
  return { cards: [card], lines, line: cardLine(context, product, card), isUnknown: false };
}

/** Finds the unit that a card names or the value of the only option does, else the product. @throws AppError invalid (400) for a unit of another product */
async function findAsked(db: RequestContext["db"], { productId, unitId, color }: ProductCard) {
  const found = await findSellableProducts(db, unitId ? [unitId, productId] : [productId]);
  const product = found.find(({ id }) => id === productId);
  const unit = found.find(({ id }) => id === unitId);
  if (unit && unit.productId !== productId)
    throw fieldError("invalid", "unitId", "No such unit of this product");
  if (unit) return unit;
  return color && product ? askedUnit(db, product, { choice1: color }) : product;
}

/** Names the unit of a product that has several. */
const unitIdOf = ({ id, values }: Pick<SellableProduct, "id" | "values">) =>
  values.length > 0 ? { unitId: id } : {};

export const productNotFound = () => new AppError("notFound", "Product not found");

interface Requested extends Pick<ChatCartLine, "name" | "quantity" | "priceCents"> {
  id: string;
  /** Product of a unit. */
  productId?: string;
  /** Values of a unit. */
  values?: string[];
  chosen: LabelledOptions;
}

/** Builds the line of a product that is asked for by itself. */
export function requestedLine(line: Requested): ChatCartLine {
  const { id, productId = id, values = [], name, quantity, priceCents, chosen } = line;
  return { productId, ...unitIdOf({ id, values }), name, quantity, priceCents, ...chosen, inCart: false };
}

/** Returns the line that names the product of a card, as scripts write it. */
const cardLine = (
  { request }: Pick<RequestContext, "request">,
  { name, values }: SellableProduct,
  card: ProductCard,
) => {
  const product = { id: soldId(card), name, ...(values.length > 0 && { choice: choiceText(values) }) };
  return productLine(product, new URL(request.url).origin, optionsOf(card));
};

/**
 * Appends the line that names its product to a text of a plain form.
 *
 * @param field of the text
 * @throws AppError invalid when they are too long together
 */
export function withProductLine(field: string, text: string, line: string | undefined): string {
  const excess = excessOf(text, line);
  if (excess <= 0) return withLine(text, line);
  const room = ([...text].length - excess).toLocaleString("en");
  throw fieldError("invalid", field, `Must be at most ${room} characters beside the product`);
}

/** Input of reading products by their ids, separated by commas. */
const CardProductsInput = z.object({
  ids: z
    .string({ error: "Must be text" })
    .transform((text) => [...new Set(text.split(",").filter(Boolean))])
    .pipe(z.array(id).max(MAX_CARDS, `Must be at most ${MAX_CARDS} ids`)),
});

/** Reads the current data of products on cards, for staff with what is on hold; deleted ones are left out. */
export const readCardProducts = operation({
  access: "anyone",
  input: CardProductsInput,
  run: async ({ db, user, input }) => ({
    products: await findProducts(db, input.ids, isStaff(user) ? findStaffProducts : findSellableProducts),
  }),
});

/**
 * Reads the products that the latest messages show.
 *
 * @param origin of the shop, as its links have it
 * @param productId another product to be read
 */
export async function productsOf(
  { db }: Pick<RequestContext, "db">,
  messages: ChatMessage[],
  origin: string,
  productId: string | null = null,
): Promise<CardProduct[]> {
  return findProducts(db, shownIds(messages, origin, productId), findSellableProducts);
}

/** Products of messages in the console's first view, which bounds the rows read; the browser reads older ones. */
const MAX_FIRST_CARDS = 7;

/** Reads the products that the latest messages show, with what is on hold. */
export async function staffProductsOf(
  { db }: StaffContext,
  messages: ChatMessage[],
  origin: string,
  productId: string | null,
): Promise<CardProduct[]> {
  const ids = shownIds(messages, origin, productId).slice(0, MAX_FIRST_CARDS);
  return findProducts(db, ids, findStaffProducts);
}

/** Lists a product and those that the latest messages show. */
const shownIds = (messages: ChatMessage[], origin: string, productId: string | null) =>
  [...new Set([productId ?? [], latestProductIds(messages, origin)].flat())].slice(0, MAX_CARDS);

type Find = (db: RequestContext["db"], ids: string[]) => Promise<(SellableProduct & { onHand?: number })[]>;

async function findProducts(db: RequestContext["db"], ids: string[], find: Find): Promise<CardProduct[]> {
  const rows = ids.length > 0 ? await find(db, ids) : [];
  return rows.map(({ onHand, ...product }) => ({
    id: product.id,
    ...(product.values.length > 0 && {
      productId: product.productId,
      choice: choiceText(product.values),
      url: productUrl(product),
    }),
    name: product.name,
    priceCents: product.priceCents,
    stock: product.stock,
    image: product.image,
    choices: offeredOptions(product),
    ...(onHand !== undefined && { onHand }),
  }));
}
