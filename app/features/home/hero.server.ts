import type { Category } from "~/domain/categories";
import { categoryTag, productTag } from "~/features/catalogue/page-tags";
import { type CardRow, findCardsById, findChosenCards } from "~/features/catalogue/queries.server";
import { NO_FILTER } from "~/features/catalogue/schema";
import { findCards } from "~/features/catalogue/shop.queries.server";
import type { RequestContext } from "~/http/request-context.server";
import { shownSettings } from "~/http/shop-settings.server";

/** Product in the hero's picture. */
const HERO_PRODUCT = "walnut-serving-board";
/** Category with the large tile: engraving is the shop's second business. */
const LARGE: Category = "ENGRAVING";

/** Product in the hero; `image` is null for the one of the picture that the shop brings along. */
export interface HeroProduct {
  id: string;
  name: string;
  priceCents: number;
  image: string | null;
}

/** Products that the owner chose for the home page and that the shop sells. */
interface HomeProducts {
  /** Those for the hero, the first choice first. */
  heroes: CardRow[];
  /** Empty where the shop chooses by itself. */
  featured: CardRow[];
}

/** Reads the products of the home page that the settings name, and the hero's own one. */
export async function homeProducts(context: RequestContext): Promise<HomeProducts> {
  const { db, pageTags } = context;
  const [{ home }, chosen, usual] = await Promise.all([
    shownSettings(context),
    findChosenCards(db),
    findCardsById(db, [HERO_PRODUCT]),
  ]);
  for (const id of [HERO_PRODUCT, home.heroProduct, ...home.featured].filter(Boolean))
    pageTags.add(productTag(id));
  const find = (id: string) => chosen.find((card) => card.id === id) ?? [];
  return { heroes: [find(home.heroProduct), usual].flat(), featured: home.featured.flatMap(find) };
}

/**
 * Picks the product of the hero: the first that can be bought and has a picture. One that is sold out stays where there is
 * no other.
 *
 * @param featured products below the hero, which take its place when those for it are hidden or sold out
 */
export function heroProduct(heroes: CardRow[], featured: CardRow[]): HeroProduct | null {
  const pictured = [...heroes, ...featured].filter(({ id, image }) => image || id === HERO_PRODUCT);
  const card = pictured.find(({ stock }) => stock > 0) ?? pictured[0];
  if (!card) return null;
  const { id, name, priceCents, image } = card;
  return { id, name, priceCents, image: id === HERO_PRODUCT ? null : image };
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
