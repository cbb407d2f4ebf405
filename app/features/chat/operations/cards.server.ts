import { z } from "zod";
import type { LabelledOptions, OfferedOptions } from "~/features/catalogue/options";
import {
  checkOptions,
  offeredOptions,
  shownOptions,
  soldUnit,
} from "~/features/catalogue/product-views.server";
import {
  findSellableProducts,
  findStaffProducts,
  isProductKnown,
  type SellableProduct,
} from "~/features/catalogue/queries.server";
import { fieldError } from "~/http/errors";
import { id } from "~/http/fields";
import { operation, type StaffContext } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { isStaff } from "~/session/caller.server";
import { firstQuestions } from "../first-questions";
import {
  type CardProduct,
  excessOf,
  latestProductIds,
  MAX_CARDS,
  productLine,
  withLine,
} from "../message-links";
import { askedCard, optionsOf } from "../product-selection";
import type { ChatMessage, ProductCard } from "../protocol";
import type { ChatCartLine } from "../rooms";
import { readStoredSettings, settingsView } from "./settings.server";

type AskedFor = Pick<ProductCard, "quantity" | "color" | "engraving">;

/**
 * Builds the card of a product that a visitor asks about, and the line of what they ask for. Without a quantity and options
 * the card names the product alone, and there is no line.
 *
 * @throws AppError invalid (400) for options that the product does not offer
 */
export function askAbout(product: SellableProduct, asked: AskedFor) {
  const { id: productId } = product;
  const isLine = [asked.quantity, asked.color, asked.engraving].some((value) => value !== undefined);
  if (!isLine) return { card: { type: "product", productId } satisfies ProductCard, lines: [] };
  const { quantity, ...options } = optionsOf(asked);
  const selected = checkOptions(product, options);
  const chosen = shownOptions(product, selected);
  const unit = soldUnit(product, selected.color);
  const card = askedCard(productId, {
    quantity,
    // The only colour of a product is no choice.
    color: (offeredOptions(product).colors.length > 1 && chosen.color) || null,
    engraving: chosen.engraving ?? null,
  });
  const priceCents = unit?.priceCents ?? product.priceCents;
  const line = requestedLine({ ...product, priceCents, unitId: unit?.unitId ?? undefined, quantity, chosen });
  return { card, lines: [{ ...line, isQuestion: true }] };
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
  const [product] = await findSellableProducts(context.db, [asked.productId]);
  if (!product)
    return { cards: [asked], lines: [], isUnknown: !(await isProductKnown(context.db, asked.productId)) };
  const { card, lines } = askAbout(product, asked);
  return { cards: [card], lines, line: cardLine(context, product.name, card), isUnknown: false };
}

interface Requested extends Pick<ChatCartLine, "name" | "quantity" | "priceCents"> {
  id: string;
  unitId?: string | undefined;
  chosen: LabelledOptions;
}

/** Builds the line of a product that is asked for by itself. */
export function requestedLine({ id, unitId, name, quantity, priceCents, chosen }: Requested): ChatCartLine {
  return { productId: id, ...(unitId && { unitId }), name, quantity, priceCents, ...chosen, inCart: false };
}

/** Returns the line that names the product of a card, as scripts write it. */
const cardLine = ({ request }: Pick<RequestContext, "request">, name: string, card: ProductCard) =>
  productLine({ id: card.productId, name }, new URL(request.url).origin, optionsOf(card));

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

/** Reads the current data of products on cards, for staff with what is on hold; deleted ones, and hidden ones for shoppers, are left out. */
export const readCardProducts = operation({
  access: "anyone",
  input: CardProductsInput,
  run: async ({ db, user, input }) => ({
    products: await findProducts(db, input.ids, isStaff(user)),
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
  return findProducts(db, shownIds(messages, origin, productId), false);
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
  return findProducts(db, ids, true);
}

/** Lists a product and those that the latest messages show. */
const shownIds = (messages: ChatMessage[], origin: string, productId: string | null) =>
  [...new Set([productId ?? [], latestProductIds(messages, origin)].flat())].slice(0, MAX_CARDS);

/** Adds what is there of each unit, with what is on hold. */
const withOnHand = (choices: OfferedOptions, units: SellableProduct["units"]): OfferedOptions => ({
  ...choices,
  colors: choices.colors.map((choice, i) =>
    choice.unit ? { ...choice, unit: { ...choice.unit, onHand: units[i]?.stock ?? 0 } } : choice,
  ),
});

async function findProducts(
  db: RequestContext["db"],
  ids: string[],
  forStaff: boolean,
): Promise<CardProduct[]> {
  if (ids.length === 0) return [];
  const [rows, settings] = await Promise.all([
    findStaffProducts(db, ids),
    forStaff ? null : readStoredSettings({ db }),
  ]);
  const { firstQuestions: own } = settingsView(settings);
  const offered = rows.filter(({ isHidden }) => forStaff || !isHidden);
  return offered.map((row) => {
    const { id, name, priceCents, stock, image, onHand, isHidden, lowStock } = row;
    const choices = forStaff ? withOnHand(offeredOptions(row), row.units) : offeredOptions(row);
    const product = { id, name, priceCents, stock, image, choices };
    return forStaff
      ? { ...product, onHand, lowStock, ...(isHidden && { isHidden }) }
      : { ...product, questions: firstQuestions(row, own) };
  });
}
