import { findCardsById } from "~/features/catalogue/queries.server";
import type { RequestContext } from "~/http/request-context.server";

/** The board in the hero's picture, as long as the shop sells it. */
const HERO_PRODUCT = "walnut-serving-board";

/** The product that the hero shows, for its price and its page; null when the shop has it no more. */
export async function heroProduct({
  db,
}: RequestContext): Promise<{ id: string; priceCents: number } | null> {
  const [product] = await findCardsById(db, [HERO_PRODUCT]);
  return product ? { id: product.id, priceCents: product.priceCents } : null;
}
