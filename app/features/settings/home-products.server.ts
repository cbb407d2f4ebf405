import { featuredProducts } from "~/features/catalogue/operations/products.server";
import { suggest } from "~/features/catalogue/operations/suggest.server";
import { findCardsById } from "~/features/catalogue/queries.server";
import { resultOrNull } from "~/http/page.server";
import type { RequestContext } from "~/http/request-context.server";
import type { ChosenProduct, FoundProducts, HomeDraft, HomeProducts } from "./home-draft";

type Card = { id: string; name: string; priceCents: number; image: string | null };

const shown = ({ id, name, priceCents, image }: Card): ChosenProduct => ({ id, name, priceCents, image });

/** Reads the products that a form of the home page shows: those that it names, and those of the automatic choice. */
export async function productsOf(
  context: RequestContext,
  { heroProduct, featured }: Pick<HomeDraft, "heroProduct" | "featured">,
): Promise<HomeProducts> {
  const ids = [heroProduct, ...featured].filter(Boolean);
  const [chosen, automatic] = await Promise.all([
    ids.length > 0 ? findCardsById(context.db, ids) : [],
    featured.length > 0 ? [] : resultOrNull(featuredProducts(context)),
  ]);
  return { chosen: chosen.map(shown), automatic: (automatic ?? []).map(shown) };
}

/** Finds products by their names. @param text blank for no search */
export async function findProducts(context: RequestContext, text: string): Promise<FoundProducts | null> {
  const q = text.trim();
  if (q === "") return null;
  const found = await resultOrNull(suggest.execute(context, { q }));
  const products = (found?.products ?? []).map(({ price, image, ...product }) =>
    shown({ ...product, priceCents: Math.round(price * 100), image: image || null }),
  );
  return { text: q, products };
}
