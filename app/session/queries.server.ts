import { and, eq, gt, ne, type SQLWrapper } from "drizzle-orm";
import { type Author, recorded } from "~/db/audit";
import type { Db } from "~/db/client.server";
import { sessions, users } from "~/db/schema";
import type { CurrentUser } from "./caller.server";

/**
 * Finds the active user of a running session.
 *
 * @param tokenHash SHA-256 of the token, hex
 * @param now epoch seconds
 */
export async function findSessionUser(db: Db, tokenHash: string, now: number): Promise<CurrentUser | null> {
  const rows = await db
    .select({
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      phoneNumber: users.phoneNumber,
      photoUrl: users.photoUrl,
      isAdmin: users.isAdmin,
      isManager: users.isManager,
      isUser: users.isUser,
      createdAt: users.createdAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, now), eq(users.isUser, true)))
    .limit(1);
  return rows[0] ?? null;
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
