import { and, asc, desc, eq, notExists, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "~/db/client.server";
import { userCounts, userRows, users } from "~/db/schema";
import { textSearch } from "~/db/search";
import type { UserSort } from "./schema";
import { USER } from "./user";

interface UserListQuery {
  /** Search text, contained in name or e-mail address; "" for none. */
  q: string;
  sort: UserSort;
  dir: "asc" | "desc";
  limit: number;
  offset: number;
}

export type ListedUser = Awaited<ReturnType<typeof findUserRows>>[number];

const COLUMNS = { id: users.id, ...USER.pick(users), createdAt: users.createdAt };

/** Sort orders. Each matches an index of the table, whose expressions it repeats. */
const ORDERS: Record<UserSort, (SQL | SQLiteColumn)[]> = {
  name: [users.sortKey, users.id],
  email: [users.emailKey],
  phoneNumber: [users.phoneNumber, users.id],
  role: [
    sql`(${users.isAdmin} * 2 + (${users.isManager} and not ${users.isAdmin}))`,
    users.createdAt,
    users.id,
  ],
  isUser: [users.isUser, users.createdAt, users.id],
  createdAt: [users.createdAt, users.id],
};

/** Finds a window of users, by indexes alone. */
export async function findUserRows(db: Db, { q, sort, dir, limit, offset }: UserListQuery) {
  const order = ORDERS[sort].map(dir === "asc" ? asc : desc);
  const found = q && searchTables(q);
  const list = found
    ? db
        .select(COLUMNS)
        .from(found.rows)
        // A cross join: SQLite would otherwise scan all users and look each up among the matches.
        .crossJoin(userRows)
        .crossJoin(users)
        .where(and(sql`${userRows.row} = found.at`, eq(users.id, userRows.userId)))
    : db.select(COLUMNS).from(users);
  return list
    .orderBy(...order)
    .limit(limit)
    .offset(offset);
}

/** Counts the users whom a search finds. @param q "" for all users */
export async function countFoundUsers(db: Db, q: string): Promise<{ total: number }> {
  const [found] = await (q ? db.all<{ total: number }>(searchTables(q).count) : countUsers(db));
  return { total: found?.total ?? 0 };
}

/** Counts users; reads one row. */
export function countUsers(db: Db) {
  return db.select({ total: userCounts.users }).from(userCounts).where(eq(userCounts.one, 1));
}

/** Builds the tables of matches: three or more characters match anywhere, fewer at the beginning of words. */
function searchTables(q: string): { rows: SQL; count: SQL } {
  const { index, match } = textSearch(q);
  const table = sql.raw(`user_${index}`);
  return {
    rows: sql`(SELECT rowid AS at FROM ${table} WHERE ${table} MATCH ${match}) AS found`,
    count: sql`SELECT count(*) AS total FROM ${table} WHERE ${table} MATCH ${match}`,
  };
}

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
