import { asc, gt, lte, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { pageChanges } from "~/db/schema";

/**
 * Finds the oldest changes that cached pages do not show yet.
 *
 * @returns the changes, each with the number of the newest of all
 */
export function findPageChanges(db: Db, limit: number) {
  const { productId, category, isEverywhere } = pageChanges;
  const newest = sql<number>`(SELECT max(seq) FROM page_changes)`;
  return db
    .select({ productId, category, isEverywhere, newest })
    .from(pageChanges)
    .where(gt(pageChanges.seq, 0))
    .orderBy(asc(pageChanges.seq))
    .limit(limit);
}

/** Removes changes whose pages have been purged. @param newest number of the newest of them */
export async function deletePageChanges(db: Db, newest: number): Promise<void> {
  await db.delete(pageChanges).where(lte(pageChanges.seq, newest));
}
