import { and, eq, gt, ne, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type Author, recorded } from "~/db/audit";
import type { Db } from "~/db/client.server";
import { HAS_FACTOR, OWES_FACTOR } from "~/db/factors";
import { apiKeys, sessions, users } from "~/db/schema";
import type { CurrentUser, KeyCaller } from "./caller.server";

const userColumns = {
  id: users.id,
  email: users.email,
  firstName: users.firstName,
  lastName: users.lastName,
  phoneNumber: users.phoneNumber,
  photoUrl: users.photoUrl,
  isAdmin: users.isAdmin,
  isManager: users.isManager,
  isSeller: users.isSeller,
  isUser: users.isUser,
  createdAt: users.createdAt,
  hasFactor: HAS_FACTOR,
};
/** Columns of a person who has signed in; keys of programs need no second factor. */
const personColumns = { ...userColumns, owesFactor: OWES_FACTOR };

/**
 * Finds the active user of a running session, with the hash of their password.
 *
 * @param tokenHash SHA-256 of the token, hex
 * @param now epoch seconds
 */
export async function findSessionUser(
  db: Db,
  tokenHash: string,
  now: number,
): Promise<{ user: CurrentUser; passwordHash: string } | null> {
  const rows = await db
    .select({ user: personColumns, passwordHash: users.passwordHash })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, now), eq(users.isUser, true)))
    .limit(1);
  return rows[0] ?? null;
}

/** Expression for the account of a session, which may have ended. @param tokenHash SHA-256 of the token, hex */
export const accountOfSession = (tokenHash: string): SQL =>
  sql`(SELECT ${sessions.userId} FROM ${sessions} WHERE ${sessions.tokenHash} = ${tokenHash})`;

/** Finds an API key with its owner, who must be active staff. @param tokenHash SHA-256 of the key, hex */
export async function findKeyCaller(db: Db, tokenHash: string): Promise<KeyCaller | null> {
  const { name, scope, lastUsedAt } = apiKeys;
  // Named, because D1 returns one of two columns with the same name.
  const id = sql<string>`${apiKeys.id}`.as("key_id");
  const rows = await db
    .select({ key: { id, name, scope, lastUsedAt }, user: userColumns })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(
      and(
        eq(apiKeys.tokenHash, tokenHash),
        eq(users.isUser, true),
        or(eq(users.isAdmin, true), eq(users.isManager, true)),
      ),
    )
    .limit(1);
  return rows[0] ?? null;
}

/** Records the use of a key. @param now epoch seconds */
export async function recordKeyUse(db: Db, id: string, now: number): Promise<void> {
  await db.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.id, id));
}

export function insertSession(db: Db, row: typeof sessions.$inferInsert) {
  return db.insert(sessions).values(row);
}

/** Statement that records a sign-in. */
export const recordSignIn = (db: Db, author: Author) =>
  recorded(db, { object: "user", action: "signedIn", id: author.userId ?? "", changes: {} }, author);

export function deleteSession(db: Db, tokenHash: string) {
  return db.delete(sessions).where(eq(sessions.tokenHash, tokenHash));
}

/**
 * Statement that ends a user's sessions.
 *
 * @param userId or a query for it
 * @param exceptTokenHash session that continues
 */
export function deleteUserSessions(db: Db, userId: string | SQLWrapper, exceptTokenHash?: string | null) {
  const ofUser = eq(sessions.userId, userId);
  return db
    .delete(sessions)
    .where(exceptTokenHash ? and(ofUser, ne(sessions.tokenHash, exceptTokenHash)) : ofUser);
}
