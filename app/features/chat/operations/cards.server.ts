import { z } from "zod";
import { itemText } from "~/features/catalogue/options";
import { findCardsById, findStaffCardsById } from "~/features/catalogue/queries.server";
import { fieldError } from "~/http/errors";
import { id } from "~/http/fields";
import { operation, type StaffContext } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { isStaff } from "~/session/caller.server";
import { MAX_MESSAGE } from "../limits";
import { type CardProduct, excessOf, latestProductIds, MAX_CARDS, withLine } from "../message-links";
import type { ChatMessage } from "../protocol";
import type { ChatCartLine } from "../rooms";

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

/** Texts of messages that begin a conversation. */

/** Lists the items with quantity and price, and the total; items that exceed the length of a message are left out. */
export function cartMessage(lines: ChatCartLine[], totalCents: number): string {
  const items = lines.map(
    (line) => `- ${itemText(line.name, line)} × ${line.quantity}, ${dollars(line.priceCents)} each`,
  );
  return listMessage("I'm interested in buying these items:", items, [`Total: ${dollars(totalCents)}`]);
}

/** Joins the lines of a message; items that exceed its length are left out. */
export function listMessage(intro: string, items: string[], end: string[] = []): string {
  const fitting = [...items];
  while (length([intro, ...fitting, "- …", ...end]) > MAX_MESSAGE && fitting.length > 0) fitting.pop();
  const ellipsis = fitting.length < items.length ? ["- …"] : [];
  return [intro, ...fitting, ...ellipsis, ...end].join("\n");
}

export const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
const length = (parts: string[]) => [...parts.join("\n")].length;
/** Shortens a text to the length of a message. */
export const truncate = (text: string) => [...text].slice(0, MAX_MESSAGE).join("");
