import { eq, type SQL, sql } from "drizzle-orm";
import { type Db, preparedQuery } from "~/db/client.server";
import { categoryCounts, products } from "~/db/schema";
import { CATEGORIES, type Category, type CategoryTile } from "./categories";
import { type CardRow, card, type ListWindow, noLimit, ORDER } from "./queries.server";
import { SORTS, type Sort } from "./schema";

/** Prepared queries per sort, for all products and for one category. */
const ALL = queriesBySort(undefined);
const ONE_CATEGORY = queriesBySort(eq(products.category, sql.placeholder("category")));

/** Finds a page of cards, of all products or one category. */
export async function findCards(
  db: Db,
  category: Category | null,
  sort: Sort,
  { limit = noLimit, offset }: ListWindow,
): Promise<CardRow[]> {
  const queries = category ? ONE_CATEGORY : ALL;
  return (await queries.get(sort)?.(db, { category, limit, offset })) ?? [];
}

function queriesBySort(where: SQL | undefined) {
  const find = (sort: Sort) =>
    preparedQuery<CardRow>((db) =>
      db
        .select(card)
        .from(products)
        .where(where)
        .orderBy(...ORDER[sort])
        .limit(sql.placeholder("limit"))
        .offset(sql.placeholder("offset")),
    );
  return new Map(SORTS.map((sort) => [sort, find(sort)]));
}

const categoryRows = preparedQuery<CategoryTile>((db) => {
  // Drizzle omits the table name in a single-table select, so the subquery needs an alias.
  const image = sql<string | null>`(select p.image_urls ->> 0 from ${products} p
    where p.category = ${categoryCounts}.category
    order by p.created_at desc, p.id desc limit 1)`.as("image");
  return db
    .select({ category: categoryCounts.category, products: categoryCounts.products, image })
    .from(categoryCounts);
});

/** Finds the categories that have products, in display order. Reads two rows each. */
export async function findCategories(db: Db): Promise<CategoryTile[]> {
  const found = new Map((await categoryRows(db)).map((row) => [row.category, row]));
  return CATEGORIES.flatMap((category) => {
    const row = found.get(category);
    return row && row.products > 0 ? [row] : [];
  });
}
