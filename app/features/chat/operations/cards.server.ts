import { z } from "zod";
import { findCardsById } from "~/features/catalogue/queries.server";
import { id } from "~/http/fields";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { type CardProduct, latestProductIds, MAX_CARDS } from "../message-links";
import type { ChatMessage } from "../protocol";

/** Input of reading products by their ids, separated by commas. */
const CardProductsInput = z.object({
  ids: z
    .string({ error: "Must be text" })
    .transform((text) => [...new Set(text.split(",").filter(Boolean))])
    .pipe(z.array(id).max(MAX_CARDS, `Must be at most ${MAX_CARDS} ids`)),
});

/** Reads the current data of products on cards; deleted ones are left out. */
export const readCardProducts = operation({
  access: "anyone",
  input: CardProductsInput,
  run: async ({ db, input }) => ({ products: await findProducts(db, input.ids) }),
});

/**
 * Reads the products that the latest messages show.
 *
 * @param origin of the shop, as its links have it
 * @param productId another product to be read
 * @param max number of products; those of older messages are left out
 */
export async function productsOf(
  { db }: Pick<RequestContext, "db">,
  messages: ChatMessage[],
  origin: string,
  productId: string | null = null,
  max = MAX_CARDS,
): Promise<CardProduct[]> {
  const ids = new Set([productId ?? [], latestProductIds(messages, origin)].flat());
  return findProducts(db, [...ids].slice(0, max));
}

async function findProducts(db: RequestContext["db"], ids: string[]): Promise<CardProduct[]> {
  const rows = ids.length > 0 ? await findCardsById(db, ids) : [];
  return rows.map(({ id, name, priceCents, stock, image }) => ({ id, name, priceCents, stock, image }));
}
