import { and, asc, eq, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "~/db/client.server";
import { users } from "~/db/schema";

/** Most accounts that are looked at in one night. */
const MAX_ACCOUNTS = 500;

/** Accounts whose key has letters beyond ASCII, as only mailboxes have in a key of today; the oldest first. */
export function findForeignKeys(db: Db) {
  return db
    .select({ id: users.id, email: users.email, emailKey: users.emailKey })
    .from(users)
    .where(sql`substr(${users.emailKey}, instr(${users.emailKey}, '@')) glob '*[^ -~]*'`)
    .orderBy(asc(users.createdAt), asc(users.id))
    .limit(MAX_ACCOUNTS);
}

/**
 * Replaces keys, except where another account has the new one: the address stays with the first.
 *
 * @param keys new key of each account, and the one that was read
 */
export async function replaceEmailKeys(
  db: Db,
  keys: { id: string; before: string; key: string }[],
): Promise<void> {
  const other = alias(users, "other");
  const updates = keys.map(({ id, before, key }) =>
    db
      .update(users)
      .set({ emailKey: key })
      .where(
        and(
          eq(users.id, id),
          eq(users.emailKey, before),
          notExists(db.select({ one: sql`1` }).from(other).where(eq(other.emailKey, key))),
        ),
      ),
  );
  const [first, ...rest] = updates;
  if (first) await db.batch([first, ...rest]);
}
