import { and, eq, exists, getTableColumns, inArray, not, or, type SQLWrapper, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { deleteUserKeys } from "~/db/api-keys";
import {
  type Author,
  added,
  authorOf,
  changedFact,
  contents,
  differences,
  INSERTED,
  type RecordedFields,
  recorded,
  removed,
} from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import { changedForms, SEARCHED_TEXTS } from "~/db/columns";
import { isLastAdmin } from "~/db/erasures";
import { chats, customers, IS_ACTIVE_STAFF, mailThreads, users } from "~/db/schema";
import { type DisplayedUser, USER } from "./users/user";

export type UserRow = typeof users.$inferSelect;
/** Columns that an edit may write. */
export type UserChanges = Partial<Omit<UserRow, "id" | "createdAt" | "passwordHash">>;
type Statement = BatchItem<"sqlite">;

/** Finds the user of an address. @param emailKey as emailKey() makes it */
export async function findUserByEmail(db: Db, emailKey: string): Promise<UserRow | null> {
  const rows = await db.select().from(users).where(eq(users.emailKey, emailKey)).limit(1);
  return rows[0] ?? null;
}

export async function findUser(db: Db, id: string): Promise<UserRow | null> {
  const rows = await db.select().from(users).where(eq(users.id, id)).limit(1);
  return rows[0] ?? null;
}

/** Fields of an account in the audit log: roles; of the person's data and the password only that they changed. */
export const USER_AUDIT: RecordedFields<typeof users> = {
  ...USER.audited,
  username: "fact",
  photoUrl: "fact",
  passwordHash: "fact",
};

/** Statement that records a new account, after its insert. */
export const recordNewUser = (db: Db, id: string, author?: Author) =>
  recorded(
    db,
    {
      object: "user",
      action: "created",
      id: users.id,
      changes: contents(users, USER_AUDIT, added),
      rows: sql`FROM ${users} WHERE ${eq(users.id, id)} AND ${INSERTED}`,
    },
    author,
  );

/**
 * Stores a new user who has signed up.
 *
 * @param alongside statements of the same transaction
 * @throws Error recognised by isEmailTaken when the address has an account
 */
export async function insertUser(db: Db, user: UserRow, alongside: SQLWrapper[] = []): Promise<void> {
  await runBatch(db, [
    db.insert(users).values(user),
    recordNewUser(db, user.id, authorOf(user)),
    ...alongside,
  ]);
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
  const [rows] = await db.batch([
    db.insert(users).select(row).returning({ id: users.id }),
    recordNewUser(db, user.id),
  ]);
  return rows.length > 0;
}

/** Recognises a write that failed on the unique index of e-mail addresses. */
export function isEmailTaken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /UNIQUE constraint failed: users\.email_key/.test(error.message) || isEmailTaken(error.cause);
}

/** Author of a write, with the roles that permitted it. */
export type Actor = Pick<UserRow, "id" | "isAdmin" | "isManager" | "isSeller">;

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

/** Tells that an edit takes an admin's role or access. */
const endsAdmin = ({ isAdmin }: Pick<UserRow, "isAdmin">, changes: UserChanges) =>
  isAdmin && (changes.isAdmin === false || changes.isUser === false);

/** Tells that an edit would leave the shop without an admin once the planned deletions are done. */
export async function leavesNoAdmin(
  db: Db,
  target: Pick<UserRow, "id" | "isAdmin">,
  changes: UserChanges,
): Promise<boolean> {
  if (!endsAdmin(target, changes)) return false;
  const [row] = await db.all<{ isLast: number }>(
    sql`SELECT ${isLastAdmin(target.id, { exceptPlanned: true })} AS isLast`,
  );
  return row?.isLast === 1;
}

/** Author of a write, and the row as it was when the write was permitted. */
interface PermittedWrite {
  actor: Actor;
  target: Actor & {
    passwordHash?: string;
    unchanged?: DisplayedUser;
  };
}

/**
 * Writes an edit, unless the actor has lost their role, the row's roles have changed since it was read, or no admin would be
 * left once the planned deletions are done. A new password
 * or address is written only while the stored password is the one that was read, so that one of two simultaneous changes
 * fails.
 *
 * @param target its `unchanged` lists further values that must still be stored
 * @param endsKeys deletes the user's API keys
 * @param alongside builds statements of the same transaction for a query of the id, which is empty when nothing is
 *   written
 * @returns the row after the edit, and the names of the API keys that ended; null when nothing was written
 */
export async function updateUser(
  db: Db,
  { actor, target, endsKeys = false }: PermittedWrite & { endsKeys?: boolean },
  changes: UserChanges & { passwordHash?: string },
  alongside: (id: SQLWrapper) => Statement[] = () => [],
): Promise<{ user: UserRow; endedKeys: string[] } | null> {
  const hasSamePassword =
    (changes.passwordHash || changes.email) && target.passwordHash
      ? eq(users.passwordHash, target.passwordHash)
      : undefined;
  const isUnchanged = and(
    hasRolesOf(target),
    hasSamePassword,
    target.unchanged && hasValues(target.unchanged),
    hasRoleStill(db, actor),
    endsAdmin(target, changes) ? not(isLastAdmin(target.id, { exceptPlanned: true })) : undefined,
  );
  const id = db.select({ id: users.id }).from(users).where(isUnchanged);
  const update = db
    .update(users)
    .set({ ...changes, ...changedForms(users, SEARCHED_TEXTS.users.texts, changes) })
    .where(isUnchanged)
    .returning();
  const record = recorded(db, {
    object: "user",
    action: "changed",
    id: users.id,
    changes: differences(users, USER_AUDIT, changes),
    rows: sql`FROM ${users} WHERE ${isUnchanged}`,
  });
  // The update runs last: it may make the condition false for the others.
  const statements = [...alongside(id), record, ...(endsKeys ? deleteUserKeys(db, id) : []), update];
  const results = (await db.batch(statements as unknown as [typeof update])) as unknown[][];
  const user = results.at(-1)?.[0] as UserRow | undefined;
  const ended = endsKeys ? (results.at(-2) as { name: string }[]) : [];
  return user ? { user, endedKeys: ended.map(({ name }) => name) } : null;
}

/**
 * Builds the statements that give the account's customer the account's new address, unless staff entered another one.
 *
 * @param userId query of the id, as in `updateUser`
 * @param formerKey of the former address
 */
export function updateCustomerEmail(
  db: Db,
  userId: SQLWrapper,
  formerKey: string,
  changes: { email: string; emailKey: string; updatedAt: number },
) {
  const isOfAccount = and(eq(customers.userId, userId), eq(customers.emailKey, formerKey));
  return [
    recorded(db, {
      object: "customer",
      action: "changed",
      id: customers.id,
      changes: { email: changedFact(customers.email, changes.email) },
      rows: sql`FROM ${customers} WHERE ${isOfAccount}`,
    }),
    db.update(customers).set(changes).where(isOfAccount),
  ];
}

/** Chats of an account, the latest ones, that follow a change of its address. */
const MAX_RENEWED_CHATS = 200;

/** Selects the latest chats of an account that have an address. */
const chatsWithAddress = (userId: SQLWrapper | string, email: string) =>
  sql`SELECT id FROM (SELECT id, user_email FROM chats INDEXED BY chats_user WHERE user_id = ${userId}
    ORDER BY last_message_at DESC LIMIT ${MAX_RENEWED_CHATS}) AS latest WHERE lower(user_email) = lower(${email})`;

/**
 * Statement that gives the chats of an account its new address, unless the visitor gave another one. Their rooms, which
 * write these rows, take the address over.
 *
 * @param userId query of the id, as in `updateUser`
 */
export const renewChatAddresses = (db: Db, userId: SQLWrapper, former: string, email: string) =>
  db
    .update(chats)
    .set({ userEmail: email })
    .where(sql`${chats.id} IN (${chatsWithAddress(userId, former)})`);

/** Lists the chats whose rooms take over the new address of their account. */
export async function findRenewedChats(db: Db, userId: string, email: string): Promise<string[]> {
  const rows = await db.all<{ id: string }>(chatsWithAddress(userId, email));
  return rows.map(({ id }) => id);
}

/** Ends the addresses at which an account answers conversations by mail: the next mail of each has another one. */
export const endReplyAddresses = (db: Db, userId: SQLWrapper) =>
  db
    .update(mailThreads)
    .set({ tokenHash: sql`lower(hex(randomblob(32)))` })
    .where(eq(mailThreads.userId, userId));

/** Deletes a user with sessions and reset links, unless its roles or the actor's have changed since it was read. */
export async function removeUser(db: Db, { actor, target }: PermittedWrite): Promise<boolean> {
  const where = and(hasRolesOf(target), hasRoleStill(db, actor));
  const [, rows] = await db.batch([
    recorded(db, {
      object: "user",
      action: "deleted",
      id: users.id,
      changes: contents(users, USER_AUDIT, removed),
      rows: sql`FROM ${users} WHERE ${where}`,
    }),
    db.delete(users).where(where).returning({ id: users.id }),
  ]);
  return rows.length > 0;
}

function hasValues(values: DisplayedUser) {
  const names = Object.keys(values) as (keyof DisplayedUser)[];
  return and(...names.map((name) => eq(users[name], values[name])));
}

function hasRolesOf({ id, isAdmin, isManager, isSeller }: Actor) {
  return and(
    eq(users.id, id),
    eq(users.isAdmin, isAdmin),
    eq(users.isManager, isManager),
    eq(users.isSeller, isSeller),
  );
}

const isActiveStaff = sql.raw(IS_ACTIVE_STAFF);

/** Largest number of staff offered as assignees. */
const MAX_STAFF = 50;

/** Finds the staff to whom a chat can be assigned. */
export function findStaff(db: Db): Promise<{ id: string; firstName: string; email: string }[]> {
  return db.all(sql`SELECT id, first_name AS firstName, email FROM users INDEXED BY users_team
    WHERE ${isActiveStaff} ORDER BY created_at LIMIT ${MAX_STAFF}`);
}

/** Reads the first names of accounts by their ids; those of deleted accounts are missing. */
export async function findFirstNames(db: Db, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: users.id, firstName: users.firstName })
    .from(users)
    .where(inArray(users.id, [...new Set(ids)]));
  return new Map(rows.map(({ id, firstName }) => [id, firstName]));
}

export async function isStaffMember(db: Db, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), isActiveStaff));
  return rows.length > 0;
}

/** Tells that an active account is an admin's or manager's. */
export async function isManagerAccount(db: Db, id: string): Promise<boolean> {
  const isManaging = or(eq(users.isAdmin, true), eq(users.isManager, true));
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), eq(users.isUser, true), isManaging));
  return rows.length > 0;
}
