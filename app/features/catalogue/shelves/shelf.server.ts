import type { RequestContext } from "~/http/request-context.server";
import type { Category } from "../categories";
import { countFound, countProducts, findProduct } from "../queries.server";
import { sanitizeRichText } from "../rich-text.server";
import { planSearch } from "../search.queries.server";
import { type ListPlace, pageCount, type ShelfSort } from "./lists";
import { findShelf, type ShelfQuery, searchShelf } from "./shelves.queries.server";
import type { ProductDetail, ShelfRow } from "./views";

/** A page of the list of products. */
export interface ShelfPage {
  rows: ShelfRow[];
  total: number;
  /** The page that was read: the last one where an address asks for a later one. */
  page: number;
}

/**
 * A page of products for the back office. A search finds words by any part of them; one round trip to D1, two with it.
 */
export async function shelfPage({ db }: RequestContext, place: ListPlace): Promise<ShelfPage> {
  const { page, size } = place;
  const plan = place.q ? await planSearch(db, place.q, { insideWords: true }) : null;
  if (place.q && !plan) return { rows: [], total: 0, page: 1 };
  const category = (place.filters.category ?? null) as Category | null;
  const query = (at: number): ShelfQuery => ({
    category,
    sort: place.sort as ShelfSort,
    dir: place.dir,
    limit: size,
    offset: (at - 1) * size,
  });
  const read = (at: number) => (plan ? searchShelf(db, plan, query(at)) : findShelf(db, query(at)));
  const count = plan ? countFound(db, plan, category) : countProducts(db, category);
  const [rows, total] = await Promise.all([read(page), count]);
  const last = pageCount(total, size);
  return page <= last ? { rows, total, page } : { rows: await read(last), total, page: last };
}

/** A product for its dialogs; null when there is none. */
export async function productDetail({ db }: RequestContext, id: string): Promise<ProductDetail | null> {
  const product = await findProduct(db, id);
  if (!product) return null;
  const { name, description, priceCents, stock, category, colors, imageUrls } = product;
  return {
    id,
    name,
    descriptionHtml: sanitizeRichText(description),
    priceCents,
    stock,
    category,
    colors,
    imageUrls,
  };
}
