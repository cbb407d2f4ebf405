import { eq, type SQL, sql } from "drizzle-orm";
import { type Db, preparedQuery } from "~/db/client.server";
import { categoryCounts, products } from "~/db/schema";
import { CATEGORIES, type Category } from "./categories";
import { type CardRow, card, type ListWindow, noLimit, ORDER } from "./queries.server";
import { SORTS, type Sort } from "./schema";

/** The pages of cards in each order: of all products, and of one category's. */
const ALL = inEachOrder(undefined);
const ONE_CATEGORY = inEachOrder(eq(products.category, sql.placeholder("category")));

/** A page of cards, all products or one category's. */
export async function findCards(
  db: Db,
  category: Category | null,
  sort: Sort,
  { limit = noLimit, offset }: ListWindow,
): Promise<CardRow[]> {
  const inOrder = category ? ONE_CATEGORY : ALL;
  return (await inOrder.get(sort)?.(db, { category, limit, offset })) ?? [];
}

function inEachOrder(where: SQL | undefined) {
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

/** A category that has products: how many, and its newest product's first image (as stored). */
export interface CategoryRow {
  category: Category;
  products: number;
  image: string | null;
}

const categoryRows = preparedQuery<CategoryRow>((db) => {
  // In a select from one table drizzle leaves the table off its columns: the inner one needs a name of its own.
  const image = sql<string | null>`(select p.image_urls ->> 0 from ${products} p
    where p.category = ${categoryCounts}.category
    order by p.created_at desc, p.id desc limit 1)`.as("image");
  return db
    .select({ category: categoryCounts.category, products: categoryCounts.products, image })
    .from(categoryCounts);
});

/** The categories that have products, spec order. Two rows read for each. */
export async function findCategories(db: Db): Promise<CategoryRow[]> {
  const found = new Map((await categoryRows(db)).map((row) => [row.category, row]));
  return CATEGORIES.flatMap((category) => {
    const row = found.get(category);
    return row && row.products > 0 ? [row] : [];
  });
}
