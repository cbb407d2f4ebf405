import type { Category } from "~/domain/categories";
import { categoryTag, productTag } from "~/features/catalogue/page-tags";
import { findCardsById } from "~/features/catalogue/queries.server";
import { NO_FILTER } from "~/features/catalogue/schema";
import { findCards } from "~/features/catalogue/shop.queries.server";
import type { RequestContext } from "~/http/request-context.server";

/** Product in the hero's picture. */
const HERO_PRODUCT = "walnut-serving-board";
/** Category with the large tile: engraving is the shop's second business. */
const LARGE: Category = "ENGRAVING";

/** Reads the hero's product; null when the shop no longer sells it. */
export async function heroProduct({
  db,
  pageTags,
}: RequestContext): Promise<{ id: string; priceCents: number } | null> {
  pageTags.add(productTag(HERO_PRODUCT));
  const [product] = await findCardsById(db, [HERO_PRODUCT]);
  return product ? { id: product.id, priceCents: product.priceCents } : null;
}

/** Reads the large tile: its category, and the picture of a product that the hero does not show. */
export async function largeTile({
  db,
  pageTags,
}: RequestContext): Promise<{ category: Category; image: string | null }> {
  pageTags.add(categoryTag(LARGE));
  const cards = await findCards(db, { ...NO_FILTER, category: LARGE }, { limit: 2, offset: 0 });
  const other = cards.find(({ id }) => id !== HERO_PRODUCT);
  return { category: LARGE, image: other?.image ?? null };
}
