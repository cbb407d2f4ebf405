import { and, eq, isNull, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { deleteKeys } from "~/db/api-keys";
import { differences, recorded } from "~/db/audit";
import type { Db } from "~/db/client.server";
import { apiKeys, passwordResets, provenAddresses, sessions, users } from "~/db/schema";
import { USER_AUDIT } from "./queries.server";

/**
 * Statement that voids a user's unused reset links.
 *
 * @param now epoch seconds
 * @param condition under which it voids them; none by default
 */
export function voidResetLinks(db: Db, userId: string | SQLWrapper, now: number, condition?: SQL) {
  return db
    .update(passwordResets)
    .set({ usedAt: now })
    .where(and(eq(passwordResets.userId, userId), isNull(passwordResets.usedAt), condition));
}

/**
 * Stores a reset link, unless the account's e-mail address has changed.
 *
 * @param emailKey key of the address that the link is sent to (`emailKey` in app/http/email-address.ts)
 * @returns false when it was not stored
 */
export async function insertReset(
  db: Db,
  {
    tokenHash,
    userId,
    expiresAt,
  }: Pick<typeof passwordResets.$inferSelect, "tokenHash" | "userId" | "expiresAt">,
  emailKey: string,
): Promise<boolean> {
  const row = sql`select ${tokenHash}, ${userId}, ${expiresAt}, null where exists (select 1 from ${users}
    where ${users.id} = ${userId} and ${users.emailKey} = ${emailKey})`;
  const rows = await db.insert(passwordResets).select(row).returning({ userId: passwordResets.userId });
  return rows.length > 0;
}

/** Reset link with the state of its account. */
export interface ResetLink {
  userId: string;
  isStaff: boolean;
  isActive: boolean;
  /** Epoch seconds. */
  expiresAt: number;
  usedAt: number | null;
}

/** Finds a reset link. @param tokenHash SHA-256 of the link's token, hex */
export async function findReset(db: Db, tokenHash: string): Promise<ResetLink | null> {
  const rows = await db
    .select({
      userId: passwordResets.userId,
      isStaff: sql<boolean>`(${users.isAdmin} or ${users.isManager} or ${users.isSeller})`
        .mapWith(Boolean)
        .as("is_staff"),
      isActive: users.isUser,
      expiresAt: passwordResets.expiresAt,
      usedAt: passwordResets.usedAt,
    })
    .from(passwordResets)
    .innerJoin(users, eq(users.id, passwordResets.userId))
    .where(eq(passwordResets.tokenHash, tokenHash))
    .limit(1);
  return rows[0] ?? null;
}

/** Statement that notes that the owner of an account's address has opened a mailed link. @param where of the account */
const proveAddress = (db: Db, now: number, where: SQL | undefined) =>
  db
    .insert(provenAddresses)
    .select(sql`select ${users.id}, ${users.emailKey}, ${now} from ${users} where ${where}`)
    .onConflictDoUpdate({
      target: provenAddresses.userId,
      set: { emailKey: sql`excluded.email_key`, provenAt: now },
    });

/**
 * Sets a password by a reset link, ends every session and API key of its user and voids all their links, in one
 * transaction. Of two calls with the same link, one succeeds.
 *
 * @param now epoch seconds
 * @returns the user and the names of the ended keys; null for a used or expired link, which changes nothing
 */
export async function resetPasswordByLink(
  db: Db,
  link: { tokenHash: string; userId: string; isStaff: boolean },
  passwordHash: string,
  now: number,
): Promise<{ user: { email: string; firstName: string }; endedKeys: string[] } | null> {
  const isValid = sql`exists (select 1 from ${passwordResets} where ${passwordResets.tokenHash} = ${link.tokenHash}
    and ${passwordResets.usedAt} is null and ${passwordResets.expiresAt} > ${now})`;
  const where = and(eq(users.id, link.userId), isValid);
  const kind = link.isStaff ? "staff" : "customer";
  const owner = { kind, userId: link.userId, sourceId: null } as const;
  const [, endedKeys, , changed] = await db.batch([
    ...deleteKeys(db, and(eq(apiKeys.userId, link.userId), isValid), owner),
    recorded(
      db,
      {
        object: "user",
        action: "changed",
        id: users.id,
        changes: differences(users, USER_AUDIT, { passwordHash }),
        rows: sql`FROM ${users} WHERE ${where}`,
      },
      owner,
    ),
    db
      .update(users)
      .set({ passwordHash, updatedAt: now })
      .where(where)
      .returning({ email: users.email, firstName: users.firstName }),
    db.delete(sessions).where(and(eq(sessions.userId, link.userId), isValid)),
    proveAddress(db, now, where),
    // Last: it ends the link's validity.
    voidResetLinks(db, link.userId, now, isValid),
  ]);
  const [user] = changed;
  return user ? { user, endedKeys: endedKeys.map(({ name }) => name) } : null;
}

/** Removes expired sessions and reset links. @param now epoch seconds */
export async function deleteExpiredSessionsAndResets(db: Db, now: number): Promise<void> {
  await db.batch([
    db.delete(sessions).where(lte(sessions.expiresAt, now)),
    db.delete(passwordResets).where(lte(passwordResets.expiresAt, now)),
  ]);
}
