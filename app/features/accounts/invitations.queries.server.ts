import { and, asc, eq, getTableColumns, gt, lte, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { added, authorOf, changedFact, INSERTED, recorded, removed } from "~/db/audit";
import type { Db } from "~/db/client.server";
import { invitations, users } from "~/db/schema";
import { recordNewUser, type UserRow } from "./queries.server";

export type Invitation = typeof invitations.$inferSelect;

/** Roles of an invitation in the audit log, which names no person. */
const roleChanges = (change: typeof added) => ({
  isSeller: change(invitations.isSeller),
  isManager: change(invitations.isManager),
  isAdmin: change(invitations.isAdmin),
});

/** Lists the invitations that are open or have expired, by their ends. */
export const findInvitations = (db: Db, limit: number): Promise<Invitation[]> =>
  db.select().from(invitations).orderBy(asc(invitations.expiresAt), asc(invitations.id)).limit(limit);

export async function findInvitation(db: Db, id: string): Promise<Invitation | undefined> {
  const [row] = await db.select().from(invitations).where(eq(invitations.id, id)).limit(1);
  return row;
}

/** Condition of an invitation whose sender is still an admin. */
const isVouchedFor = sql`(${invitations.invitedBy} is null or exists (select 1 from users as sender
  where sender.id = ${invitations.invitedBy} and sender.is_admin = 1 and sender.is_user = 1))`;

/** Finds the invitation of a link, unless its sender is no admin any more. @param tokenHash SHA-256 of the link's token, hex */
export async function findInvitationOf(db: Db, tokenHash: string): Promise<Invitation | undefined> {
  const isIts = and(eq(invitations.tokenHash, tokenHash), isVouchedFor);
  const [row] = await db.select().from(invitations).where(isIts).limit(1);
  return row;
}

/**
 * Stores an invitation, in place of an expired one of its address.
 *
 * @returns what stands against it: an account of the address, or an open invitation; null when it was stored
 */
export async function insertInvitation(db: Db, row: Invitation): Promise<"account" | "invitation" | null> {
  const columns = Object.entries(getTableColumns(invitations)) as [keyof Invitation, SQLiteColumn][];
  const values = columns.map(([name, column]) => sql.param(row[name], column));
  const isTaken = sql`exists (select 1 from ${users} where ${users.emailKey} = ${row.emailKey})`;
  const [, stored, , [account]] = await db.batch([
    db
      .delete(invitations)
      .where(and(eq(invitations.emailKey, row.emailKey), lte(invitations.expiresAt, row.createdAt))),
    db
      .insert(invitations)
      .select(sql`select ${sql.join(values, sql`, `)} where not ${isTaken}`)
      .onConflictDoNothing()
      .returning({ id: invitations.id }),
    recorded(db, {
      object: "invitation",
      action: "created",
      id: invitations.id,
      changes: roleChanges(added),
      rows: sql`FROM ${invitations} WHERE ${eq(invitations.id, row.id)} AND ${INSERTED}`,
    }),
    db.select({ id: users.id }).from(users).where(eq(users.emailKey, row.emailKey)),
  ]);
  if (stored.length > 0) return null;
  return account ? "account" : "invitation";
}

/** Gives an invitation another link, which ends the former one. @returns undefined for one that is gone */
export async function renewInvitation(
  db: Db,
  id: string,
  changes: Pick<Invitation, "tokenHash" | "expiresAt" | "invitedBy">,
): Promise<Invitation | undefined> {
  const [, [row]] = await db.batch([
    recorded(db, {
      object: "invitation",
      action: "sentAgain",
      id: invitations.id,
      changes: { link: changedFact(invitations.tokenHash, changes.tokenHash) },
      rows: sql`FROM ${invitations} WHERE ${eq(invitations.id, id)}`,
    }),
    db.update(invitations).set(changes).where(eq(invitations.id, id)).returning(),
  ]);
  return row;
}

/** Deletes an invitation, whose link ends. @returns false for one that is gone */
export async function deleteInvitation(db: Db, id: string): Promise<boolean> {
  const [, rows] = await db.batch([
    recorded(db, {
      object: "invitation",
      action: "revoked",
      id: invitations.id,
      changes: roleChanges(removed as typeof added),
      rows: sql`FROM ${invitations} WHERE ${eq(invitations.id, id)}`,
    }),
    db.delete(invitations).where(eq(invitations.id, id)).returning({ id: invitations.id }),
  ]);
  return rows.length > 0;
}

/**
 * Stores the account of an invited person and ends the invitation, in one transaction. Of two calls with the same link, one
 * succeeds.
 *
 * @returns false for a link that has ended, which changes nothing
 * @throws Error recognised by isEmailTaken when the address has an account by now
 */
export async function acceptInvitation(db: Db, tokenHash: string, user: UserRow): Promise<boolean> {
  const columns = Object.entries(getTableColumns(users)) as [keyof UserRow, SQLiteColumn][];
  const values = columns.map(([name, column]) => sql.param(user[name], column));
  const isOpen = and(
    eq(invitations.tokenHash, tokenHash),
    gt(invitations.expiresAt, user.createdAt),
    isVouchedFor,
  );
  const author = authorOf(user);
  const [rows] = await db.batch([
    db
      .insert(users)
      .select(sql`select ${sql.join(values, sql`, `)} from ${invitations} where ${isOpen}`)
      .returning({ id: users.id }),
    recordNewUser(db, user.id, author),
    recorded(
      db,
      {
        object: "invitation",
        action: "accepted",
        id: invitations.id,
        changes: {},
        rows: sql`FROM ${invitations} WHERE ${isOpen}`,
      },
      author,
    ),
    db.delete(invitations).where(isOpen),
  ]);
  return rows.length > 0;
}

/** Removes invitations that expired before a time. @param now epoch seconds */
export async function deleteExpiredInvitations(db: Db, now: number): Promise<void> {
  const isOver = lte(invitations.expiresAt, now);
  await db.batch([
    recorded(db, {
      object: "invitation",
      action: "expired",
      id: invitations.id,
      changes: {},
      rows: sql`FROM ${invitations} WHERE ${isOver}`,
    }),
    db.delete(invitations).where(isOver),
  ]);
}
