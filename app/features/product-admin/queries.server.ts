import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { products } from "~/db/schema";
import type { Category } from "~/features/catalogue/categories";
import type { SearchPlan } from "~/features/catalogue/search";
import { byRank, matching, onMatch, rankedMatches } from "~/features/catalogue/search.queries.server";
import type { ProductSort } from "./list-params";
import type { ProductRowView } from "./views";

const row = {
  id: products.id,
  name: products.name,
  category: products.category,
  priceCents: products.priceCents,
  stock: products.stock,
  colors: products.colors,
  image: sql<string | null>`${products.imageUrls} ->> 0`.as("image"),
};

/** What the list is asked for. */
export interface ProductListQuery {
  category: Category | null;
  sort: ProductSort;
  dir: "asc" | "desc";
  limit: number;
  offset: number;
}

const COLUMNS = {
  newest: [products.createdAt, products.id],
  name: [products.nameKey, products.id],
  category: [products.category, products.nameKey, products.id],
  price: [products.priceCents, products.id],
  stock: [products.stock, products.id],
};

function order({ sort, dir }: ProductListQuery): SQL[] {
  const by = dir === "asc" ? asc : desc;
  return COLUMNS[sort].map((column) => by(column));
}

const within = (category: Category | null) => (category ? eq(products.category, category) : undefined);

/** A page of the list, read along an index. */
export function findProductRows(db: Db, query: ProductListQuery): Promise<ProductRowView[]> {
  return db
    .select(row)
    .from(products)
    .where(within(query.category))
    .orderBy(...order(query))
    .limit(query.limit)
    .offset(query.offset);
}

/** Products whose names hold a text, whatever its case; a cross join, or SQLite would walk an index of all products. */
const named = (text: string) =>
  sql`(SELECT rowid AS "row" FROM product_names WHERE product_names MATCH ${`"${text.replaceAll('"', '""')}"`}) AS found`;

/** A page of the products whose names hold a text: names that begin with it first, or in the order that was asked for. */
export function findByNamePart(db: Db, text: string, query: ProductListQuery): Promise<ProductRowView[]> {
  const begins = sql`substr(${products.nameKey}, 1, length(${text})) <> ${text}`;
  const first = query.sort === "newest" ? [begins, products.nameKey, products.id] : order(query);
  return db
    .select(row)
    .from(named(text))
    .crossJoin(products)
    .where(and(onMatch, within(query.category)))
    .orderBy(...first)
    .limit(query.limit)
    .offset(query.offset) as unknown as Promise<ProductRowView[]>;
}

/** How many products there are whose names hold a text. */
export async function countByNamePart(db: Db, text: string, category: Category | null): Promise<number> {
  const rows = await db
    .select({ total: sql<number>`count(*)`.as("total") })
    .from(named(text))
    .crossJoin(products)
    .where(and(onMatch, within(category)));
  return Number(rows[0]?.total ?? 0);
}

/** A page of what a search finds: the best match first, or in the order that was asked for. */
export function searchProductRows(
  db: Db,
  plan: SearchPlan,
  query: ProductListQuery,
): Promise<ProductRowView[]> {
  const isBest = query.sort === "newest";
  return db
    .select(row)
    .from(isBest ? rankedMatches(plan) : matching(plan))
    .crossJoin(products)
    .where(and(onMatch, within(query.category)))
    .orderBy(...(isBest ? byRank : order(query)))
    .limit(query.limit)
    .offset(query.offset) as unknown as Promise<ProductRowView[]>;
}
