import { and, desc, eq, isNull, lte, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "~/db/client.server";
import { passwordResets, sessions, users } from "~/db/schema";
import { countUsers } from "./list.queries.server";
import type { ShownUser } from "./users/schema";

/** A stored user. */
export type UserRow = typeof users.$inferSelect;
/** Columns that an edit may write. */
export type UserChanges = Partial<Omit<UserRow, "id" | "createdAt" | "passwordHash">>;
type Statement = BatchItem<"sqlite">;

/**
 * @param emailKey as emailKey() makes it
 */
export async function findUserByEmail(db: Db, emailKey: string): Promise<UserRow | null> {
  const rows = await db.select().from(users).where(eq(users.emailKey, emailKey)).limit(1);
  return rows[0] ?? null;
}

export async function findUser(db: Db, id: string): Promise<UserRow | null> {
  const rows = await db.select().from(users).where(eq(users.id, id)).limit(1);
  return rows[0] ?? null;
}

/** Users, newest first, and how many there are in all. */
export async function findUsers(
  db: Db,
  window: { limit?: number | undefined; offset: number },
): Promise<{ rows: UserRow[]; total: number }> {
  const [rows, totals] = await Promise.all([
    db
      .select()
      .from(users)
      .orderBy(desc(users.createdAt), desc(users.id))
      .limit(window.limit ?? Number.MAX_SAFE_INTEGER)
      .offset(window.offset),
    countUsers(db),
  ]);
  return { rows, total: totals[0]?.total ?? 0 };
}

/**
 * Stores a new user, together with what belongs to it (a session).
 *
 * @throws what isEmailTaken knows when the address has an account
 */
export async function insertUser(db: Db, user: UserRow, ...alongside: Statement[]): Promise<void> {
  await db.batch([db.insert(users).values(user), ...alongside]);
}

/** Whether a write failed because its e-mail address has an account: the index decides, also between two at once. */
export function isEmailTaken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /UNIQUE constraint failed: users\.email_key/.test(error.message) || isEmailTaken(error.cause);
}

/**
 * Writes an edit, unless the row's roles have changed since it was read: what was allowed of a customer may
 * not be of staff. A new password is only written over the one that was read: of two changes at once, one holds.
 *
 * @param read the row as it was when the edit was allowed; `seen` is what else of it must still be so
 * @param alongside statements of the same transaction
 * @returns the row as it is now; null when it is gone or its roles have changed
 */
export async function updateUser(
  db: Db,
  read: Pick<UserRow, "id" | "isAdmin" | "isManager"> & { passwordHash?: string; seen?: ShownUser },
  changes: UserChanges & { passwordHash?: string },
  alongside: Statement[] = [],
): Promise<UserRow | null> {
  const samePassword =
    changes.passwordHash && read.passwordHash ? eq(users.passwordHash, read.passwordHash) : undefined;
  const update = db
    .update(users)
    .set(changes)
    .where(and(sameRoles(read), samePassword, read.seen && sameAs(read.seen)))
    .returning();
  const [rows] = await db.batch([update, ...alongside]);
  return rows[0] ?? null;
}

/** Removes a user with its sessions and links, unless its roles have changed since it was read. */
export async function removeUser(
  db: Db,
  read: Pick<UserRow, "id" | "isAdmin" | "isManager">,
): Promise<boolean> {
  const rows = await db.delete(users).where(sameRoles(read)).returning({ id: users.id });
  return rows.length > 0;
}

function sameAs(seen: ShownUser) {
  const names = Object.keys(seen) as (keyof ShownUser)[];
  return and(...names.map((name) => eq(users[name], seen[name])));
}

function sameRoles(read: Pick<UserRow, "id" | "isAdmin" | "isManager">) {
  return and(eq(users.id, read.id), eq(users.isAdmin, read.isAdmin), eq(users.isManager, read.isManager));
}

/** Statement that makes a user's outstanding reset links worthless. */
export function voidResetsOf(db: Db, userId: string, now: number) {
  return db
    .update(passwordResets)
    .set({ usedAt: now })
    .where(and(eq(passwordResets.userId, userId), isNull(passwordResets.usedAt)));
}

export async function insertReset(db: Db, row: typeof passwordResets.$inferInsert): Promise<void> {
  await db.insert(passwordResets).values(row);
}

/** What a reset link stands for. */
export interface ResetLink {
  userId: string;
  isStaff: boolean;
  isActive: boolean;
  /** Epoch seconds. */
  expiresAt: number;
  usedAt: number | null;
}

/**
 * @param tokenHash SHA-256 of the link's token, hex
 */
export async function findReset(db: Db, tokenHash: string): Promise<ResetLink | null> {
  const rows = await db
    .select({
      userId: passwordResets.userId,
      isStaff: sql<boolean>`(${users.isAdmin} or ${users.isManager})`.mapWith(Boolean).as("is_staff"),
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

/**
 * Sets a password by a reset link, ends every session of its user and voids the link with all others, in
 * one transaction: of two at once, one finds the link used.
 *
 * @param now epoch seconds
 * @returns whether the link was still good
 */
export async function redeemReset(
  db: Db,
  link: { tokenHash: string; userId: string },
  passwordHash: string,
  now: number,
): Promise<boolean> {
  const good = sql`exists (select 1 from ${passwordResets} where ${passwordResets.tokenHash} = ${link.tokenHash}
    and ${passwordResets.usedAt} is null and ${passwordResets.expiresAt} > ${now})`;
  const [changed] = await db.batch([
    db
      .update(users)
      .set({ passwordHash, updatedAt: now })
      .where(and(eq(users.id, link.userId), good))
      .returning({ id: users.id }),
    db.delete(sessions).where(and(eq(sessions.userId, link.userId), good)),
    voidResetsOf(db, link.userId, now),
  ]);
  return changed.length > 0;
}

/**
 * Removes sessions and reset links that are past their time.
 *
 * @param now epoch seconds
 */
export async function deleteExpired(db: Db, now: number): Promise<void> {
  await db.batch([
    db.delete(sessions).where(lte(sessions.expiresAt, now)),
    db.delete(passwordResets).where(lte(passwordResets.expiresAt, now)),
  ]);
}
