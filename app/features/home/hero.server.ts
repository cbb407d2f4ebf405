import { findCardsById } from "~/features/catalogue/queries.server";
import type { RequestContext } from "~/http/request-context.server";

/** Product in the hero's picture. */
const HERO_PRODUCT = "walnut-serving-board";

/** Reads the hero's product; null when the shop no longer sells it. */
export async function heroProduct({
  db,
}: RequestContext): Promise<{ id: string; priceCents: number } | null> {
  const [product] = await findCardsById(db, [HERO_PRODUCT]);
  return product ? { id: product.id, priceCents: product.priceCents } : null;
}
