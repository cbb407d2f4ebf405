import { z } from "zod";
import { findCardsById, findStaffCardsById } from "~/features/catalogue/queries.server";
import { fieldError } from "~/http/errors";
import { id } from "~/http/fields";
import { operation, type StaffContext } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { isStaff } from "~/session/caller.server";
import { type CardProduct, excessOf, latestProductIds, MAX_CARDS, withLine } from "../message-links";
import type { ChatMessage } from "../protocol";

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
    products: await findProducts(db, input.ids, isStaff(user) ? findStaffCardsById : findCardsById),
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
  return findProducts(db, shownIds(messages, origin, productId), findCardsById);
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
  return findProducts(db, ids, findStaffCardsById);
}

/** Lists a product and those that the latest messages show. */
const shownIds = (messages: ChatMessage[], origin: string, productId: string | null) =>
  [...new Set([productId ?? [], latestProductIds(messages, origin)].flat())].slice(0, MAX_CARDS);

type Find = (db: RequestContext["db"], ids: string[]) => Promise<CardProduct[]>;

async function findProducts(db: RequestContext["db"], ids: string[], find: Find): Promise<CardProduct[]> {
  const rows = ids.length > 0 ? await find(db, ids) : [];
  return rows.map(({ id, name, priceCents, stock, image, onHand }) => ({
    id,
    name,
    priceCents,
    stock,
    image,
    ...(onHand !== undefined && { onHand }),
  }));
}
