import { and, asc, eq, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "~/db/client.server";
import { users } from "~/db/schema";

/** Accounts checked per night. */
const MAX_ACCOUNTS = 500;

/** Finds accounts whose key was made by an older rule: its domain is not ASCII. Oldest first. */
export function findOutdatedKeys(db: Db) {
  return db
    .select({ id: users.id, email: users.email, emailKey: users.emailKey })
    .from(users)
    .where(sql`substr(${users.emailKey}, instr(${users.emailKey}, '@')) glob '*[^ -~]*'`)
    .orderBy(asc(users.createdAt), asc(users.id))
    .limit(MAX_ACCOUNTS);
}

/**
 * Replaces keys, except where another account already has the new one.
 *
 * @param keys for each account its new key, and the old one that was read
 */
export async function replaceEmailKeys(
  db: Db,
  keys: { id: string; oldKey: string; key: string }[],
): Promise<void> {
  const other = alias(users, "other");
  const updates = keys.map(({ id, oldKey, key }) =>
    db
      .update(users)
      .set({ emailKey: key })
      .where(
        and(
          eq(users.id, id),
          eq(users.emailKey, oldKey),
          notExists(db.select({ one: sql`1` }).from(other).where(eq(other.emailKey, key))),
        ),
      ),
  );
  const [first, ...rest] = updates;
  if (first) await db.batch([first, ...rest]);
}
