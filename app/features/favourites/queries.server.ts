import { and, type SQL, sql } from "drizzle-orm";
import { type Db, runBatch } from "~/db/client.server";
import { type AccountRef, favouriteLists, favourites, IS_SHOWN, products } from "~/db/schema";
import { type CardRow, card, type ProductRow, productColumns } from "~/features/catalogue/queries.server";

/** Favourites of a caller. */
export const MAX_FAVOURITES = 200;

const list = (values: string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** Finds the ids of an account's favourites, latest first. */
export async function findAccountIds(db: Db, account: AccountRef): Promise<string[]> {
  const [row] = await db.select().from(favouriteLists).where(sql`${favouriteLists.owner} = ${account}`);
  return (row?.ids ?? []).reverse().slice(0, MAX_FAVOURITES);
}

/** Finds the ids of a visitor's favourites, latest first. @param owners hashes of their keys, the latest key first */
export async function findIds(db: Db, owners: string[]): Promise<string[]> {
  const rows = await db
    .select()
    .from(favouriteLists)
    .where(sql`${favouriteLists.owner} IN ${list(owners)}`);
  const lists = new Map(rows.map(({ owner, ids }) => [owner, ids.reverse()]));
  return [...new Set(owners.flatMap((owner) => lists.get(owner) ?? []))].slice(0, MAX_FAVOURITES);
}

/** Finds products by their row numbers. */
export function findRows(db: Db, rows: number[]): Promise<{ row: number; id: string }[]> {
  return db
    .select({ row: products.row, id: products.id })
    .from(products)
    .where(sql`${products.row} IN (SELECT value FROM json_each(${JSON.stringify(rows)}))`);
}

/**
 * Adds products to an account's favourites until they are full. Those that are there stay as they are.
 *
 * @param ids latest first
 * @returns true when the first one is stored
 */
export async function insertFavourites(db: Db, userId: string, ids: string[], now: number): Promise<boolean> {
  const [, stored = []] = await runBatch(db, [
    favouritesInsertion(userId, ids, now),
    sql`SELECT 1 FROM favourites WHERE user_id = ${userId} AND product_id = ${ids[0] ?? ""}`,
  ]);
  return stored.length > 0;
}

/** Statement that adds products to an account's favourites, as `insertFavourites` does. */
export function favouritesInsertion(userId: string, ids: string[], now: number): SQL {
  const fitting = sql`SELECT p.id, wanted.key AS nth FROM json_each(${JSON.stringify(ids)}) AS wanted
    CROSS JOIN products AS p ON p.id = wanted.value
    WHERE p.is_hidden = 0 AND NOT EXISTS (SELECT 1 FROM favourites AS f WHERE f.user_id = ${userId} AND f.product_id = p.id)
    ORDER BY wanted.key
    LIMIT max(0, ${MAX_FAVOURITES} - (SELECT count(*) FROM favourites WHERE user_id = ${userId}))`;
  return sql`INSERT INTO ${favourites} (user_id, product_id, created_at)
    SELECT ${userId}, id, ${now} FROM (${fitting}) ORDER BY nth DESC`;
}

/**
 * Adds products to a visitor's favourites until they are full.
 *
 * @param visitors hashes of the keys; the first one gets the products
 * @param ids latest first
 * @returns true when the first one is stored
 */
export async function insertVisitorFavourites(
  db: Db,
  visitors: string[],
  ids: string[],
  now: number,
): Promise<boolean> {
  const isOwn = sql`visitor IN ${list(visitors)}`;
  const [, stored = []] = await runBatch(db, [
    sql`INSERT INTO visitor_favourites (visitor, product_id, created_at)
      SELECT ${visitors[0]}, p.id, ${now} FROM json_each(${JSON.stringify(ids)}) AS wanted
      CROSS JOIN products AS p ON p.id = wanted.value
      WHERE p.is_hidden = 0 AND NOT EXISTS (SELECT 1 FROM visitor_favourites WHERE ${isOwn} AND product_id = p.id)
      ORDER BY wanted.key DESC
      LIMIT max(0, ${MAX_FAVOURITES} - (SELECT count(DISTINCT product_id) FROM visitor_favourites WHERE ${isOwn}))`,
    sql`SELECT 1 FROM visitor_favourites WHERE ${isOwn} AND product_id = ${ids[0] ?? ""}`,
  ]);
  return stored.length > 0;
}

/** Statement that deletes one favourite of a visitor, or all. */
export const visitorFavouritesDeletion = (visitors: string[], id?: string): SQL =>
  sql`DELETE FROM visitor_favourites WHERE visitor IN ${list(visitors)}
    ${id === undefined ? sql`` : sql`AND product_id = ${id}`}`;

/** Deletes the favourites of visitors whose cookie has expired. @param before epoch seconds */
export async function purgeVisitorFavourites(db: Db, before: number): Promise<void> {
  await db.run(sql`DELETE FROM visitor_favourites WHERE created_at < ${before}`);
}

export async function deleteFavourite(db: Db, userId: string, id: string): Promise<void> {
  await db.run(sql`DELETE FROM favourites WHERE user_id = ${userId} AND product_id = ${id}`);
}

const wanted = (ids: string[]) => sql`json_each(${JSON.stringify(ids)}) AS wanted`;
const isWanted = and(sql`${products.id} = wanted.value`, IS_SHOWN);

/** Finds the cards of products that are not hidden, in the order of their ids. */
export async function findFavouriteCards(db: Db, ids: string[]): Promise<CardRow[]> {
  return inOrder(await db.select(card).from(wanted(ids)).crossJoin(products).where(isWanted), ids);
}

/** Finds products that are not hidden in the order of their ids, for the API. */
export async function findFavouriteProducts(db: Db, ids: string[]): Promise<ProductRow[]> {
  return inOrder(await db.select(productColumns).from(wanted(ids)).crossJoin(products).where(isWanted), ids);
}

function inOrder<Row extends { id: string }>(rows: Row[], ids: string[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
