import { and, count, desc, eq, type SQL, sql } from "drizzle-orm";
import { deleteKeys } from "~/db/api-keys";
import { added, INSERTED, recorded } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import type { ListWindow } from "~/db/lists";
import { apiKeys, users } from "~/db/schema";

const ownedBy = (userId: string | null) => (userId === null ? undefined : eq(apiKeys.userId, userId));

/**
 * Lists API keys with their owners, the latest first.
 *
 * @param userId owner; null for all
 */
export function findKeys(db: Db, userId: string | null, { limit, offset }: ListWindow) {
  return selectKeys(db, ownedBy(userId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .limit(limit)
    .offset(offset);
}

/** Counts API keys, up to `max`. @param userId owner; null for all */
export async function countKeys(db: Db, userId: string | null, max: number): Promise<{ total: number }> {
  const found = db.select({ id: apiKeys.id }).from(apiKeys).where(ownedBy(userId)).limit(max).as("found");
  const [counted] = await db.select({ total: count() }).from(found);
  return { total: counted?.total ?? 0 };
}

/** Finds an API key. @param userId owner; null for any */
export async function findKey(db: Db, userId: string | null, id: string) {
  const [found] = await selectKeys(db, and(ownedBy(userId), eq(apiKeys.id, id)));
  return found?.key ?? null;
}

function selectKeys(db: Db, where: SQL | undefined) {
  const { id, name, scope, createdAt, lastUsedAt } = apiKeys;
  // Named, because D1 returns one of two columns with the same name.
  const ownerId = sql<string>`${users.id}`.as("owner_id");
  return db
    .select({
      key: { id, name, scope, createdAt, lastUsedAt },
      owner: { id: ownerId, firstName: users.firstName, lastName: users.lastName },
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(where);
}

/** Stores a key unless its owner has the maximum. @returns false for the maximum */
export async function insertKey(db: Db, row: typeof apiKeys.$inferInsert, max: number): Promise<boolean> {
  const { id, userId, name, scope, tokenHash, createdAt } = row;
  const [stored = []] = await runBatch(db, [
    sql`INSERT INTO api_keys (id, user_id, name, scope, token_hash, created_at)
      SELECT ${id}, ${userId}, ${name}, ${scope}, ${tokenHash}, ${createdAt}
      WHERE (SELECT count(*) FROM api_keys WHERE user_id = ${userId}) < ${max} RETURNING id`,
    recorded(db, {
      object: "apiKey",
      action: "created",
      id,
      changes: { name: added(name), owner: added(userId), scope: added(scope) },
      rows: sql`WHERE ${INSERTED}`,
    }),
  ]);
  return stored.length > 0;
}

/** Deletes a key. @param userId owner whose keys may be deleted; null for all @returns its name */
export async function deleteKey(db: Db, id: string, userId: string | null): Promise<string | undefined> {
  const where = and(eq(apiKeys.id, id), ownedBy(userId));
  const [, rows] = await db.batch(deleteKeys(db, where));
  return rows[0]?.name;
}
