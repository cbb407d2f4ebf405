import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "~/db/client.server";
import { userCounts, userRows, users } from "~/db/schema";
import type { UserSort } from "./users/schema";

/** One page of the users' screen. */
export interface UserWindow {
  /** Contained in name or e-mail address; "" is no search. */
  q: string;
  sort: UserSort;
  dir: "asc" | "desc";
  limit: number;
  offset: number;
}

/** What the users' screen shows of a user. */
export type ListedUser = Awaited<ReturnType<typeof findUserPage>>["rows"][number];

const SHOWN = {
  id: users.id,
  firstName: users.firstName,
  lastName: users.lastName,
  email: users.email,
  phoneNumber: users.phoneNumber,
  isAdmin: users.isAdmin,
  isManager: users.isManager,
  isUser: users.isUser,
  createdAt: users.createdAt,
};

/** Each order is an index of the table; the expressions are written as there. */
const ORDERS: Record<UserSort, (SQL | SQLiteColumn)[]> = {
  name: [sql`lower(${users.firstName})`, sql`lower(${users.lastName})`, users.id],
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

/**
 * One page of users, and how many there are in all that the search finds. One round trip, by indexes alone.
 */
export async function findUserPage(db: Db, { q, sort, dir, limit, offset }: UserWindow) {
  const order = ORDERS[sort].map(dir === "asc" ? asc : desc);
  const found = q && foundBy(q);
  const list = found
    ? db
        .select(SHOWN)
        .from(found.rows)
        // A cross join, because SQLite would else walk all users and look each of them up among those found.
        .crossJoin(userRows)
        .crossJoin(users)
        .where(and(sql`${userRows.row} = found.at`, eq(users.id, userRows.userId)))
    : db.select(SHOWN).from(users);
  const [rows, totals] = await Promise.all([
    list
      .orderBy(...order)
      .limit(limit)
      .offset(offset),
    found ? db.all<{ total: number }>(found.count) : countUsers(db),
  ]);
  return { rows, total: totals[0]?.total ?? 0 };
}

/** How many users there are: one row read. */
export function countUsers(db: Db) {
  return db.select({ total: userCounts.users }).from(userCounts).where(eq(userCounts.one, 1));
}

/** Three characters and more are looked for anywhere, fewer where words begin (architecture: Money, time, ids). */
function foundBy(q: string): { rows: SQL; count: SQL } {
  const isShort = Array.from(q).length < 3;
  const table = sql.raw(isShort ? "user_starts" : "user_search");
  const phrase = `"${q.replaceAll('"', '""')}"${isShort ? "*" : ""}`;
  return {
    rows: sql`(SELECT rowid AS at FROM ${table} WHERE ${table} MATCH ${phrase}) AS found`,
    count: sql`SELECT count(*) AS total FROM ${table} WHERE ${table} MATCH ${phrase}`,
  };
}
