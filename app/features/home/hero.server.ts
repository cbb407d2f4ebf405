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

/** Products that the owner chose for the home page, and those in their place. */
interface HomeProducts {
  /** Null when the shop no longer sells it. */
  hero: HeroProduct | null;
  /** Empty where the shop chooses by itself. */
  featured: CardRow[];
}

/** Reads the products of the home page that the settings name; the hero's own product takes the place of one that is gone. */
export async function homeProducts(context: RequestContext): Promise<HomeProducts> {
  const { db, pageTags } = context;
  const [{ home }, chosen, [usual]] = await Promise.all([
    shownSettings(context),
    findChosenCards(db),
    findCardsById(db, [HERO_PRODUCT]),
  ]);
  for (const id of [HERO_PRODUCT, home.heroProduct, ...home.featured].filter(Boolean))
    pageTags.add(productTag(id));
  const find = (id: string) => chosen.find((card) => card.id === id);
  const hero = find(home.heroProduct) ?? usual;
  return {
    hero: hero ? { ...pick(hero), image: hero.id === HERO_PRODUCT ? null : hero.image } : null,
    featured: home.featured.flatMap((id) => find(id) ?? []),
  };
}

const pick = ({ id, name, priceCents }: CardRow) => ({ id, name, priceCents });

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
