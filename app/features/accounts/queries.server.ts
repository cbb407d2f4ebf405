import { and, desc, eq, exists, getTableColumns, isNull, lte, type SQLWrapper, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "~/db/client.server";
import { passwordResets, sessions, users } from "~/db/schema";
import { countUsers } from "./list.queries.server";
import type { DisplayedUser } from "./users/schema";

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

/**
 * Stores a new user that staff make.
 *
 * @param actor who makes it, with the right that they had when it was allowed
 * @returns whether they still had it
 * @throws what isEmailTaken knows when the address has an account
 */
export async function insertUserBy(db: Db, actor: Actor, user: UserRow): Promise<boolean> {
  const columns = Object.entries(getTableColumns(users)) as [keyof UserRow, SQLiteColumn][];
  const values = columns.map(([name, column]) => sql.param(user[name], column));
  const row = sql`select ${sql.join(values, sql`, `)} where ${stillMay(db, actor)}`;
  const rows = await db.insert(users).select(row).returning({ id: users.id });
  return rows.length > 0;
}

/** Whether a write failed because its e-mail address has an account: the index decides, also between two at once. */
export function isEmailTaken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /UNIQUE constraint failed: users\.email_key/.test(error.message) || isEmailTaken(error.cause);
}

/** Author of a write, with the roles that they had when it was allowed. */
export type Actor = Pick<UserRow, "id" | "isAdmin" | "isManager">;

/**
 * Condition that an actor is still active and still has the role that allowed a write. Nobody takes away their own
 * role or account, so an admin who takes another's remains: with this in every write there is always one.
 */
function stillMay(db: Db, { id, isAdmin, isManager }: Actor) {
  const actor = alias(users, "actor");
  const role = isAdmin ? eq(actor.isAdmin, true) : isManager ? eq(actor.isManager, true) : undefined;
  return exists(
    db
      .select({ one: sql`1` })
      .from(actor)
      .where(and(eq(actor.id, id), eq(actor.isUser, true), role)),
  );
}

/** Row as it was when a write to it was allowed, and the write's author. */
interface Reading {
  actor: Actor;
  read: Pick<UserRow, "id" | "isAdmin" | "isManager"> & { passwordHash?: string; seen?: DisplayedUser };
}

/**
 * Writes an edit, unless the actor has lost the right to it or the row's roles have changed since it was read: what
 * was allowed of a customer may not be of staff. A new password or address is only written beside the password
 * that was read: of two changes at once, one holds.
 *
 * @param reading `read.seen` is what else of the row must still be so
 * @param alongside statements of the same transaction, for the id that they are given: none when nothing is written
 * @returns the row as it is now; null when nothing was written
 */
export async function updateUser(
  db: Db,
  { actor, read }: Reading,
  changes: UserChanges & { passwordHash?: string },
  alongside: (id: SQLWrapper) => Statement[] = () => [],
): Promise<UserRow | null> {
  const samePassword =
    (changes.passwordHash || changes.email) && read.passwordHash
      ? eq(users.passwordHash, read.passwordHash)
      : undefined;
  const allowed = and(sameRoles(read), samePassword, read.seen && sameAs(read.seen), stillMay(db, actor));
  const id = db.select({ id: users.id }).from(users).where(allowed);
  const update = db.update(users).set(changes).where(allowed).returning();
  // The update comes last: after it the condition may no longer hold.
  const results = await db.batch([...alongside(id), update] as unknown as [typeof update]);
  return (results as UserRow[][]).at(-1)?.[0] ?? null;
}

/** Removes a user with its sessions and links, unless its roles or the actor's right have changed since it was read. */
export async function removeUser(db: Db, { actor, read }: Reading): Promise<boolean> {
  const rows = await db
    .delete(users)
    .where(and(sameRoles(read), stillMay(db, actor)))
    .returning({ id: users.id });
  return rows.length > 0;
}

function sameAs(seen: DisplayedUser) {
  const names = Object.keys(seen) as (keyof DisplayedUser)[];
  return and(...names.map((name) => eq(users[name], seen[name])));
}

function sameRoles(read: Pick<UserRow, "id" | "isAdmin" | "isManager">) {
  return and(eq(users.id, read.id), eq(users.isAdmin, read.isAdmin), eq(users.isManager, read.isManager));
}

/** Statement that makes a user's outstanding reset links worthless. */
export function voidResetsOf(db: Db, userId: string | SQLWrapper, now: number) {
  return db
    .update(passwordResets)
    .set({ usedAt: now })
    .where(and(eq(passwordResets.userId, userId), isNull(passwordResets.usedAt)));
}

/**
 * Stores a reset link, unless the account has left the address that the link goes to.
 *
 * @param emailKey of that address
 * @returns whether it was stored
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
