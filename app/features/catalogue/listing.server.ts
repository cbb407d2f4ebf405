import type { Db } from "~/db/client.server";
import type { Category } from "./categories";
import {
  type CardRow,
  countProducts,
  findCards,
  findProducts,
  type ListWindow,
  type ProductRow,
} from "./queries.server";
import type { Sort } from "./schema";

/** Which products, in which order; an empty search is none. */
export interface ProductFilter {
  category: Category | null;
  search: string;
  sort: Sort;
}

/** A window's rows and how many there are in all. */
export interface Found<T> {
  rows: T[];
  total: number;
}

/** Cards for the shop's pages. */
export async function listCards(db: Db, filter: ProductFilter, window: ListWindow): Promise<Found<CardRow>> {
  const [rows, total] = await Promise.all([
    findCards(db, filter.category, filter.sort, window),
    countProducts(db, filter.category),
  ]);
  return { rows, total };
}

/** Whole products for the API. */
export async function listWholeProducts(
  db: Db,
  filter: ProductFilter,
  window: ListWindow,
): Promise<Found<ProductRow>> {
  const [rows, total] = await Promise.all([
    findProducts(db, filter.category, filter.sort, window),
    countProducts(db, filter.category),
  ]);
  return { rows, total };
}
