import { and, desc, eq, exists, getTableColumns, isNull, lte, type SQLWrapper, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "~/db/client.server";
import { passwordResets, sessions, users } from "~/db/schema";
import { countUsers } from "./list.queries.server";
import type { DisplayedUser } from "./users/schema";

export type UserRow = typeof users.$inferSelect;
/** Columns that an edit may write. */
export type UserChanges = Partial<Omit<UserRow, "id" | "createdAt" | "passwordHash">>;
type Statement = BatchItem<"sqlite">;

/** @param emailKey as emailKey() makes it */
export async function findUserByEmail(db: Db, emailKey: string): Promise<UserRow | null> {
  const rows = await db.select().from(users).where(eq(users.emailKey, emailKey)).limit(1);
  return rows[0] ?? null;
}

export async function findUser(db: Db, id: string): Promise<UserRow | null> {
  const rows = await db.select().from(users).where(eq(users.id, id)).limit(1);
  return rows[0] ?? null;
}

/** Finds users, newest first, with the total. */
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
 * Stores a new user.
 *
 * @param alongside statements of the same transaction
 * @throws Error recognised by isEmailTaken when the address has an account
 */
export async function insertUser(db: Db, user: UserRow, ...alongside: Statement[]): Promise<void> {
  await db.batch([db.insert(users).values(user), ...alongside]);
}

/**
 * Stores a new user created by staff.
 *
 * @param actor author, with the roles that permitted it
 * @returns false when the author has lost them
 * @throws Error recognised by isEmailTaken when the address has an account
 */
export async function insertUserBy(db: Db, actor: Actor, user: UserRow): Promise<boolean> {
  const columns = Object.entries(getTableColumns(users)) as [keyof UserRow, SQLiteColumn][];
  const values = columns.map(([name, column]) => sql.param(user[name], column));
  const row = sql`select ${sql.join(values, sql`, `)} where ${hasRoleStill(db, actor)}`;
  const rows = await db.insert(users).select(row).returning({ id: users.id });
  return rows.length > 0;
}

/** Recognises a write that failed on the unique index of e-mail addresses. */
export function isEmailTaken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /UNIQUE constraint failed: users\.email_key/.test(error.message) || isEmailTaken(error.cause);
}

/** Author of a write, with the roles that permitted it. */
export type Actor = Pick<UserRow, "id" | "isAdmin" | "isManager">;

/**
 * Condition that an actor is still active and still has the role that permitted a write. Since nobody can remove their
 * own admin role, checking this in every write guarantees that one admin remains.
 */
function hasRoleStill(db: Db, { id, isAdmin, isManager }: Actor) {
  const actor = alias(users, "actor");
  const role = isAdmin ? eq(actor.isAdmin, true) : isManager ? eq(actor.isManager, true) : undefined;
  return exists(
    db
      .select({ one: sql`1` })
      .from(actor)
      .where(and(eq(actor.id, id), eq(actor.isUser, true), role)),
  );
}

/** Author of a write, and the row as it was when the write was permitted. */
interface PermittedWrite {
  actor: Actor;
  read: Pick<UserRow, "id" | "isAdmin" | "isManager"> & { passwordHash?: string; seen?: DisplayedUser };
}

/**
 * Writes an edit, unless the actor has lost their role or the row's roles have changed since it was read. A new password
 * or address is written only while the stored password is the one that was read, so that one of two simultaneous changes
 * fails.
 *
 * @param read its `seen` lists further values that must be unchanged
 * @param alongside builds statements of the same transaction for a query of the id, which is empty when nothing is
 *   written
 * @returns the row after the edit; null when nothing was written
 */
export async function updateUser(
  db: Db,
  { actor, read }: PermittedWrite,
  changes: UserChanges & { passwordHash?: string },
  alongside: (id: SQLWrapper) => Statement[] = () => [],
): Promise<UserRow | null> {
  const hasSamePassword =
    (changes.passwordHash || changes.email) && read.passwordHash
      ? eq(users.passwordHash, read.passwordHash)
      : undefined;
  const isUnchanged = and(
    hasRolesOf(read),
    hasSamePassword,
    read.seen && hasValues(read.seen),
    hasRoleStill(db, actor),
  );
  const id = db.select({ id: users.id }).from(users).where(isUnchanged);
  const update = db.update(users).set(changes).where(isUnchanged).returning();
  // The update runs last: it may make the condition false for the others.
  const results = await db.batch([...alongside(id), update] as unknown as [typeof update]);
  return (results as UserRow[][]).at(-1)?.[0] ?? null;
}

/** Deletes a user with sessions and reset links, unless its roles or the actor's have changed since it was read. */
export async function removeUser(db: Db, { actor, read }: PermittedWrite): Promise<boolean> {
  const rows = await db
    .delete(users)
    .where(and(hasRolesOf(read), hasRoleStill(db, actor)))
    .returning({ id: users.id });
  return rows.length > 0;
}

function hasValues(seen: DisplayedUser) {
  const names = Object.keys(seen) as (keyof DisplayedUser)[];
  return and(...names.map((name) => eq(users[name], seen[name])));
}

function hasRolesOf(read: Pick<UserRow, "id" | "isAdmin" | "isManager">) {
  return and(eq(users.id, read.id), eq(users.isAdmin, read.isAdmin), eq(users.isManager, read.isManager));
}

/** Statement that voids a user's unused reset links. */
export function voidResetLinks(db: Db, userId: string | SQLWrapper, now: number) {
  return db
    .update(passwordResets)
    .set({ usedAt: now })
    .where(and(eq(passwordResets.userId, userId), isNull(passwordResets.usedAt)));
}

/**
 * Stores a reset link, unless the account has a new e-mail address by now.
 *
 * @param emailKey of the address that the link is sent to
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

/** @param tokenHash SHA-256 of the link's token, hex */
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
 * Sets a password by a reset link, ends every session of its user and voids all their links, in one transaction. Of two
 * simultaneous calls one finds the link used.
 *
 * @param now epoch seconds
 * @returns false for a used or expired link
 */
export async function redeemReset(
  db: Db,
  link: { tokenHash: string; userId: string },
  passwordHash: string,
  now: number,
): Promise<boolean> {
  const isValid = sql`exists (select 1 from ${passwordResets} where ${passwordResets.tokenHash} = ${link.tokenHash}
    and ${passwordResets.usedAt} is null and ${passwordResets.expiresAt} > ${now})`;
  const [changed] = await db.batch([
    db
      .update(users)
      .set({ passwordHash, updatedAt: now })
      .where(and(eq(users.id, link.userId), isValid))
      .returning({ id: users.id }),
    db.delete(sessions).where(and(eq(sessions.userId, link.userId), isValid)),
    voidResetLinks(db, link.userId, now),
  ]);
  return changed.length > 0;
}

/** Removes expired sessions and reset links. @param now epoch seconds */
export async function deleteExpired(db: Db, now: number): Promise<void> {
  await db.batch([
    db.delete(sessions).where(lte(sessions.expiresAt, now)),
    db.delete(passwordResets).where(lte(passwordResets.expiresAt, now)),
  ]);
}
