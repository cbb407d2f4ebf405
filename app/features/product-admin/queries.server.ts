import { eq, gt, type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { selection } from "~/db/list-of";
import { products } from "~/db/schema";
import { textSearch } from "~/db/search";
import { HELD } from "~/db/stock";
import { searchKey } from "~/db/text";
import type { Category } from "~/domain/categories";
import { PRODUCT } from "~/features/catalogue/product";
import { PRODUCT_LIST, type ProductRow, productColumns } from "~/features/catalogue/queries.server";
import type { SearchPlan } from "~/features/catalogue/search";
import { byRank, matching, rankedMatches } from "~/features/catalogue/search.queries.server";
import type { ProductDetail, ProductRowView, ProductSort } from "./list-params";

const { description: _, imageUrls: _images, plates: _plates, ...content } = PRODUCT.pick(products);
const ROW = selection<ProductRowView>({
  id: products.id,
  ...content,
  image: sql`${products.imageUrls} ->> 0`,
  options: products.options,
  isFrom: sql`${products.baseCents} IS NOT NULL`,
});

interface ProductListQuery {
  category: Category | null;
  sort: ProductSort;
}

/** Builds the query of the list. */
export const productRows = ({ category, sort }: ProductListQuery) => ({
  ...ROW,
  sort,
  where: [category ? eq(products.category, category) : undefined],
});

/** Builds the query of the products whose names contain a text, by default those that begin with it first. */
export function rowsByNamePart(text: string, list: ProductListQuery) {
  const folded = searchKey(text);
  const begins = sql`substr("products".folded_key, 1, length(${folded})) <> ${folded}`;
  return {
    ...productRows(list),
    found: sql`(SELECT rowid AS "row" FROM product_names WHERE product_names MATCH ${textSearch(text).match}) AS found`,
    ranked: list.sort === "newest" ? [begins, sql`${products.sortKey}`, sql`${products.id}`] : undefined,
  };
}

/** Builds the query of the products that a search finds, by default the best match first. */
export function rowsBySearch(plan: SearchPlan, list: ProductListQuery) {
  const found =
    list.sort === "newest"
      ? { found: rankedMatches(plan, "all"), ranked: byRank(plan) }
      : { found: matching(plan, "all"), ranked: undefined };
  return { ...productRows(list), ...found };
}

/** Builds the query of the products that a search for a code has found. */
export const rowsByCode = (found: SQL, list: ProductListQuery) => ({ ...productRows(list), found });

/** Counts what a search for a code has found. */
export async function countByCode(db: Db, found: SQL, list: ProductListQuery): Promise<number> {
  const [row] = await db.all<{ total: number }>(
    sql`SELECT count(*) AS total ${PRODUCT_LIST.from(rowsByCode(found, list))}`,
  );
  return row?.total ?? 0;
}

export async function countByNamePart(db: Db, text: string, list: ProductListQuery): Promise<number> {
  const [row] = await db.all<{ total: number }>(
    sql`SELECT count(*) AS total ${PRODUCT_LIST.from(rowsByNamePart(text, list))}`,
  );
  return row?.total ?? 0;
}

/** Reads a product for its dialogs; null for an unknown id. */
export async function findProductDetail(db: Db, id: string): Promise<Omit<ProductDetail, "waiting"> | null> {
  const { priceCents, options, units } = productColumns;
  const columns = {
    id: products.id,
    ...PRODUCT.pick(products),
    ...{ priceCents, options, units },
    held: HELD.as("held"),
  };
  const [product] = await db.select(columns).from(products).where(eq(products.id, id)).limit(1);
  return product ?? null;
}

/** Finds products, in the order of their ids. */
export function findByIds(db: Db, ids: string[]): Promise<ProductRow[]> {
  const requested = sql`(SELECT key AS position, value AS id FROM json_each(${JSON.stringify(ids)})) AS requested`;
  return db
    .select(productColumns)
    .from(requested)
    .crossJoin(products)
    .where(sql`${products.id} = requested.id`)
    .orderBy(sql`requested.position`) as unknown as Promise<ProductRow[]>;
}

/** Finds products in the order in which they were added, after a row. */
export function findAfter(db: Db, row: number, limit: number): Promise<ProductRow[]> {
  return db
    .select(productColumns)
    .from(products)
    .where(gt(products.row, row))
    .orderBy(products.row)
    .limit(limit);
}
