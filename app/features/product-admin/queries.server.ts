import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { products } from "~/db/schema";
import { textSearch } from "~/db/search";
import { HELD } from "~/db/stock";
import { searchKey } from "~/db/text";
import type { Category } from "~/domain/categories";
import { PRODUCT } from "~/features/catalogue/product";
import { onMatch } from "~/features/catalogue/queries.server";
import type { SearchPlan } from "~/features/catalogue/search";
import { byRank, matching, rankedMatches } from "~/features/catalogue/search.queries.server";
import type { ProductDetail, ProductRowView, ProductSort } from "./list-params";

const { description: _, imageUrls: _images, plates: _plates, ...content } = PRODUCT.pick(products);
const row = {
  id: products.id,
  ...content,
  image: sql<string | null>`${products.imageUrls} ->> 0`.as("image"),
};

export interface ProductListQuery {
  category: Category | null;
  sort: ProductSort;
  dir: "asc" | "desc";
  limit: number;
  offset: number;
}

const COLUMNS = {
  newest: [products.createdAt, products.id],
  name: [products.sortKey, products.id],
  category: [products.category, products.sortKey, products.id],
  price: [products.priceCents, products.id],
  stock: [products.stock, products.id],
};

function order({ sort, dir }: ProductListQuery): SQL[] {
  const by = dir === "asc" ? asc : desc;
  return COLUMNS[sort].map((column) => by(column));
}

const inCategory = (category: Category | null) => (category ? eq(products.category, category) : undefined);

/** Reads a product for its dialogs; null for an unknown id. */
export async function findProductDetail(db: Db, id: string): Promise<ProductDetail | null> {
  const columns = { id: products.id, ...PRODUCT.pick(products), held: HELD.as("held") };
  const [product] = await db.select(columns).from(products).where(eq(products.id, id)).limit(1);
  return product ?? null;
}

/** Finds a page of the list by an index. */
export function findProductRows(db: Db, query: ProductListQuery): Promise<ProductRowView[]> {
  return db
    .select(row)
    .from(products)
    .where(inCategory(query.category))
    .orderBy(...order(query))
    .limit(query.limit)
    .offset(query.offset);
}

/** Table of names that contain a text, to be cross-joined: otherwise SQLite scans an index of all products. */
const nameMatches = (text: string) =>
  sql`(SELECT rowid AS "row" FROM product_names WHERE product_names MATCH ${textSearch(text).match}) AS found`;

/** Finds products whose names contain a text, by default those that begin with it first. */
export function findByNamePart(db: Db, text: string, query: ProductListQuery): Promise<ProductRowView[]> {
  const folded = searchKey(text);
  const begins = sql`substr("products".folded_key, 1, length(${folded})) <> ${folded}`;
  const first = query.sort === "newest" ? [begins, asc(products.sortKey), asc(products.id)] : order(query);
  return findMatching(db, nameMatches(text), first, query);
}

export async function countByNamePart(db: Db, text: string, category: Category | null): Promise<number> {
  const rows = await db
    .select({ total: sql<number>`count(*)`.as("total") })
    .from(nameMatches(text))
    .crossJoin(products)
    .where(and(onMatch, inCategory(category)));
  return Number(rows[0]?.total ?? 0);
}

/** Finds products that match a search, by default the best match first. */
export function searchProductRows(
  db: Db,
  plan: SearchPlan,
  query: ProductListQuery,
): Promise<ProductRowView[]> {
  const isRanked = query.sort === "newest";
  const found = isRanked ? rankedMatches(plan) : matching(plan);
  return findMatching(db, found, isRanked ? byRank(plan) : order(query), query);
}

/** Reads the matching products. @param found table of the matching row ids */
function findMatching(
  db: Db,
  found: SQL,
  orderBy: SQL[],
  { category, limit, offset }: ProductListQuery,
): Promise<ProductRowView[]> {
  return db
    .select(row)
    .from(found)
    .crossJoin(products)
    .where(and(onMatch, inCategory(category)))
    .orderBy(...orderBy)
    .limit(limit)
    .offset(offset) as unknown as Promise<ProductRowView[]>;
}
