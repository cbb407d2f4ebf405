import { count } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { products } from "~/db/schema";
import {
  conditions,
  countProducts,
  IS_AVAILABLE,
  type ListWindow,
  noLimit,
  order,
  type ProductRow,
  productColumns,
} from "./queries.server";
import type { ListFilter } from "./schema";

/** Finds products for staff, also hidden ones, by what is available now. */
export function findAllProducts(db: Db, filter: ListFilter, window: ListWindow): Promise<ProductRow[]> {
  return db
    .select(productColumns)
    .from(products)
    .where(conditions(filter, IS_AVAILABLE))
    .orderBy(...order(filter))
    .limit(window.limit ?? noLimit)
    .offset(window.offset);
}

/** Counts what `findAllProducts` finds. */
export async function countAllProducts(db: Db, filter: ListFilter): Promise<number> {
  const where = conditions(filter, IS_AVAILABLE);
  const hasCounts = filter.min === null && filter.max === null && !filter.inStock;
  if (hasCounts) return countProducts(db, filter.category);
  const [row] = await db.select({ total: count() }).from(products).where(where);
  return row?.total ?? 0;
}
