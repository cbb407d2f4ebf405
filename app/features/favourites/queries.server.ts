import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { favourites, products } from "~/db/schema";
import { type CardRow, card, type ProductRow, productColumns } from "~/features/catalogue/queries.server";

/** Favourites of a caller. */
export const MAX_FAVOURITES = 200;

/** Finds the ids of an account's favourites, latest first. */
export async function findAccountIds(db: Db, userId: string): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`SELECT product_id AS id FROM favourites
    WHERE user_id = ${userId} ORDER BY created_at DESC, product_id LIMIT ${MAX_FAVOURITES}`);
  return rows.map(({ id }) => id);
}

/** Finds products by their row numbers, and one by its id. */
export function findRows(db: Db, rows: number[], id = ""): Promise<{ row: number; id: string }[]> {
  return db
    .select({ row: products.row, id: products.id })
    .from(products)
    .where(
      sql`${products.row} IN (SELECT value FROM json_each(${JSON.stringify(rows)})) OR ${products.id} = ${id}`,
    );
}

/** Adds products to an account's favourites, as far as there is room. Those that are there stay as they are. */
export async function insertFavourites(db: Db, userId: string, ids: string[], now: number): Promise<void> {
  await db.run(sql`INSERT INTO ${favourites} (user_id, product_id, created_at)
    SELECT ${userId}, p.id, ${now} FROM json_each(${JSON.stringify(ids)}) AS wanted
    CROSS JOIN products AS p ON p.id = wanted.value
    WHERE NOT EXISTS (SELECT 1 FROM favourites AS f WHERE f.user_id = ${userId} AND f.product_id = p.id)
    ORDER BY wanted.key
    LIMIT max(0, ${MAX_FAVOURITES} - (SELECT count(*) FROM favourites WHERE user_id = ${userId}))`);
}

export async function deleteFavourite(db: Db, userId: string, id: string): Promise<void> {
  await db.run(sql`DELETE FROM favourites WHERE user_id = ${userId} AND product_id = ${id}`);
}

const among = (ids: string[]) => sql`${products.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;

/** Finds the cards of products, in the order of their ids. */
export async function findFavouriteCards(db: Db, ids: string[]): Promise<CardRow[]> {
  return inOrder(await db.select(card).from(products).where(among(ids)), ids);
}

/** Finds products in the order of their ids, for the API. */
export async function findFavouriteProducts(db: Db, ids: string[]): Promise<ProductRow[]> {
  return inOrder(await db.select(productColumns).from(products).where(among(ids)), ids);
}

function inOrder<Row extends { id: string }>(rows: Row[], ids: string[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
