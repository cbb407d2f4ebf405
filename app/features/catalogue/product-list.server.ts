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

/** Which products, in which order; an empty search is none. */
export interface ProductFilter {
  category: Category | null;
  search: string;
  sort: Sort;
}

/** A window's rows and how many there are in all. */
export interface FoundPage<T> {
  rows: T[];
  total: number;
}

/** Cards for the shop's pages: one round trip to D1, two with a search. */
export async function listCards(
  db: Db,
  filter: ProductFilter,
  window: ListWindow,
): Promise<FoundPage<CardRow>> {
  if (!filter.search)
    return together(findCards(db, filter.category, filter.sort, window), countListed(db, filter.category));
  const plan = await planSearch(db, filter.search);
  if (!plan) return { rows: [], total: 0 };
  return together(searchCards(db, plan, filter, window), countFound(db, plan, filter.category));
}

/** Whole products for the API: one round trip to D1, two with a search. */
export async function listWholeProducts(
  db: Db,
  filter: ProductFilter,
  window: ListWindow,
): Promise<FoundPage<ProductRow>> {
  if (!filter.search)
    return together(
      findProducts(db, filter.category, filter.sort, window),
      countProducts(db, filter.category),
    );
  const plan = await planSearch(db, filter.search);
  if (!plan) return { rows: [], total: 0 };
  return together(searchProducts(db, plan, filter, window), countFound(db, plan, filter.category));
}

async function together<T>(rows: Promise<T[]>, total: Promise<number>): Promise<FoundPage<T>> {
  const [found, count] = await Promise.all([rows, total]);
  return { rows: found, total: count };
}

/** The categories of requests that are being answered: a page's frame asks for them, and its list for their sum. */
const asked = new WeakMap<Db, Promise<CategoryRow[]>>();

/** The categories that have products, read once for a request. */
export function categoryTiles(db: Db): Promise<CategoryRow[]> {
  const shelves = asked.get(db) ?? findCategories(db);
  asked.set(db, shelves);
  return shelves;
}

/** How many products there are without a search: what the categories say where the frame has asked, else counted. */
async function countListed(db: Db, category: Category | null): Promise<number> {
  const shelves = await asked.get(db)?.catch(() => null);
  if (!shelves) return countProducts(db, category);
  const listed = category ? shelves.filter((shelf) => shelf.category === category) : shelves;
  return listed.reduce((sum, { products }) => sum + products, 0);
}
