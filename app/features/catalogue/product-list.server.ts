import type { Db } from "~/db/client.server";
import type { Category } from "./categories";
import {
  type CardRow,
  countFound,
  countProducts,
  findProducts,
  type ListWindow,
  type ProductRow,
  searchCards,
  searchProducts,
} from "./queries.server";
import type { Sort } from "./schema";
import { planSearch } from "./search.queries.server";
import { type CategoryRow, findCards, findCategories } from "./shop.queries.server";

/** Filter and order of a product list; an empty search matches all. */
export interface ProductFilter {
  category: Category | null;
  search: string;
  sort: Sort;
}

/** Page of a list with the total. */
export interface ListedPage<T> {
  rows: T[];
  total: number;
}

/** Lists cards: one round trip to D1, two with a search. */
export async function listCards(
  db: Db,
  filter: ProductFilter,
  window: ListWindow,
): Promise<ListedPage<CardRow>> {
  if (!filter.search)
    return withTotal(findCards(db, filter.category, filter.sort, window), countListed(db, filter.category));
  const plan = await planSearch(db, filter.search);
  if (!plan) return { rows: [], total: 0 };
  return withTotal(searchCards(db, plan, filter, window), countFound(db, plan, filter.category));
}

/** Lists products for the API: one round trip to D1, two with a search. */
export async function listWholeProducts(
  db: Db,
  filter: ProductFilter,
  window: ListWindow,
): Promise<ListedPage<ProductRow>> {
  if (!filter.search)
    return withTotal(
      findProducts(db, filter.category, filter.sort, window),
      countProducts(db, filter.category),
    );
  const plan = await planSearch(db, filter.search);
  if (!plan) return { rows: [], total: 0 };
  return withTotal(searchProducts(db, plan, filter, window), countFound(db, plan, filter.category));
}

async function withTotal<T>(rows: Promise<T[]>, total: Promise<number>): Promise<ListedPage<T>> {
  const [found, count] = await Promise.all([rows, total]);
  return { rows: found, total: count };
}

/** Categories per request: the page's frame reads them, and its list uses their sum. */
const requestCategories = new WeakMap<Db, Promise<CategoryRow[]>>();

/** Reads the categories that have products, once per request. */
export function categoryTiles(db: Db): Promise<CategoryRow[]> {
  const categories = requestCategories.get(db) ?? findCategories(db);
  requestCategories.set(db, categories);
  return categories;
}

/** Counts products without a search, from the categories if the frame has read them. */
async function countListed(db: Db, category: Category | null): Promise<number> {
  const categories = await requestCategories.get(db)?.catch(() => null);
  if (!categories) return countProducts(db, category);
  const counted = category ? categories.filter((row) => row.category === category) : categories;
  return counted.reduce((sum, { products }) => sum + products, 0);
}
