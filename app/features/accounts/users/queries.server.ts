import { and, asc, eq, getTableColumns, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "~/db/client.server";
import { listOf, type Selection, selection } from "~/db/list-of";
import { ROLE_RANK, userCounts, users } from "~/db/schema";
import { textMatches } from "~/db/search";
import type { UserRow } from "../queries.server";
import type { UserSort } from "./schema";
import { USER } from "./user";

const LISTED = { id: users.id, ...USER.pick(users), createdAt: users.createdAt };
export type ListedUser = Pick<UserRow, keyof typeof LISTED>;

/** Users. Each order matches an index of the table, whose expressions it repeats. */
const USERS = listOf<UserSort>({
  table: "users",
  sorts: {
    name: ["sort_key", "id"],
    email: ["email_key"],
    phoneNumber: ["phone_number", "id"],
    role: [sql.raw(ROLE_RANK.replaceAll("is_", "users.is_")), "created_at", "id"],
    isUser: ["is_user", "created_at", "id"],
    createdAt: ["created_at", "id"],
  },
  match: sql.raw("users.id = matched.user_id"),
});

interface UserQuery {
  /** Contained in name or e-mail address; "" for all users. */
  q: string;
  sort: UserSort;
}

/** Returns how users are read, by indexes alone. */
export const listedUserReads = (db: Db, query: UserQuery) =>
  userReads(db, query, selection<ListedUser>(LISTED));

/** Returns how users are read with all their columns, newest first. */
export const storedUserReads = (db: Db) =>
  userReads(db, { q: "", sort: "createdAt" }, selection<UserRow>(getTableColumns(users)));

function userReads<Row>(db: Db, { q, sort }: UserQuery, columns: Selection<Row>) {
  const matches = q && textMatches("user", q);
  const found = matches
    ? sql`${matches} CROSS JOIN user_rows AS matched ON matched."row" = found."row"`
    : undefined;
  return USERS.reads<Row, { total: number }>(db, { sort, found, ...columns }, async () => {
    const [counted] = await (matches
      ? db.all<{ total: number }>(sql`SELECT count(*) AS total FROM ${matches}`)
      : db.select({ total: userCounts.users }).from(userCounts).where(eq(userCounts.one, 1)));
    return { total: counted?.total ?? 0 };
  });
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
