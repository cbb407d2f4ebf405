import { type SQL, sql } from "drizzle-orm";
import { added, recorded, removed } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import type { closings } from "~/db/schema";
import type { Business } from "~/domain/enums";

export type ClosingRow = typeof closings.$inferSelect;

const COLUMNS =
  sql.raw(`id, business_type AS businessType, until, note, closed_by AS closedBy, closed_at AS closedAt,
  reopened_by AS reopenedBy, reopened_at AS reopenedAt, reason`);
const ACTIVE = (business: Business) =>
  sql`(SELECT id FROM closings WHERE business_type = ${business} AND reopened_at IS NULL ORDER BY until DESC LIMIT 1)`;

/** Lists closings of both businesses, the newest first, and counts all of them. */
export async function findClosings(db: Db, { limit, offset }: { limit: number; offset: number }) {
  const [rows = [], counted = []] = await runBatch(db, [
    sql`SELECT ${COLUMNS} FROM closings ORDER BY closed_at DESC, until DESC, id LIMIT ${limit} OFFSET ${offset}`,
    sql`SELECT count(*) AS total FROM closings`,
  ]);
  return { rows: rows as unknown as ClosingRow[], total: Number(counted[0]?.total) };
}

/** Finds the closing up to whose day a business is closed, for each business that has one. */
export const findActiveClosings = (db: Db): Promise<ClosingRow[]> =>
  db.all<ClosingRow>(
    sql`SELECT ${COLUMNS} FROM closings WHERE id IN (${ACTIVE("EMPORIA")}, ${ACTIVE("LASER")}) ORDER BY business_type`,
  );

export async function findClosing(db: Db, id: string): Promise<ClosingRow | undefined> {
  const [row] = await db.all<ClosingRow>(sql`SELECT ${COLUMNS} FROM closings WHERE id = ${id}`);
  return row;
}

export type NewClosing = Pick<ClosingRow, "id" | "until" | "note" | "closedBy" | "closedAt"> & {
  businessType: Business;
};

/** Closes a business up to a day, unless it is closed up to it or the id is used. @returns whether it was closed */
export async function insertClosing(db: Db, closing: NewClosing): Promise<boolean> {
  const { id, businessType, until, note, closedBy, closedAt } = closing;
  const where = sql`NOT EXISTS (SELECT 1 FROM closings WHERE id = ${id} OR (business_type = ${businessType}
    AND reopened_at IS NULL AND until >= ${until}))`;
  const [, inserted = []] = await runBatch(db, [
    recordClosing(db, businessType, "closed", { closedUntil: added(until), note: added(note) }, where),
    sql`INSERT INTO closings (id, business_type, until, note, closed_by, closed_at)
      SELECT ${id}, ${businessType}, ${until}, ${note}, ${closedBy}, ${closedAt} WHERE ${where} RETURNING id`,
  ]);
  return inserted.length > 0;
}

export interface Reopening {
  business: Business;
  /** Closing that the author has seen; null for the last one. */
  id: string | null;
  by: string;
  /** Epoch seconds. */
  at: number;
  reason: string;
}

/**
 * Selects the closing that a request without an id has reopened: by the same person for the same reason, and nothing was closed
 * since. Sent again, it would reopen the month before.
 */
const selectRepeated = ({ business, by, reason }: Reopening): SQL =>
  sql`SELECT ${COLUMNS} FROM closings AS r WHERE business_type = ${business} AND reopened_by = ${by} AND reason = ${reason}
    AND NOT EXISTS (SELECT 1 FROM closings AS c WHERE c.business_type = r.business_type
      AND (c.reopened_at > r.reopened_at OR c.closed_at > r.reopened_at OR (c.reopened_at IS NULL AND c.until >= r.until)))
    ORDER BY until LIMIT 1`;

/** Finds the closing that a request without an id has reopened before. */
export async function findRepeatedReopening(db: Db, reopening: Reopening): Promise<ClosingRow | undefined> {
  const [row] = await db.all<ClosingRow>(selectRepeated(reopening));
  return row;
}

/**
 * Reopens the last closing of a business.
 *
 * @returns it; undefined when there is none, or another one than was seen, or the request reopened one before
 */
export async function reopenClosing(db: Db, reopening: Reopening): Promise<ClosingRow | undefined> {
  const { business, id, by, at, reason } = reopening;
  const seen = id === null ? sql`NOT EXISTS (${selectRepeated(reopening)})` : sql`id = ${id}`;
  const where = sql`id = ${ACTIVE(business)} AND ${seen}`;
  const until = sql`(SELECT until FROM closings WHERE ${where})`;
  const [, reopened = []] = await runBatch(db, [
    recordClosing(
      db,
      business,
      "reopened",
      { closedUntil: removed(until), reason: added(reason) },
      sql`EXISTS (SELECT 1 FROM closings WHERE ${where})`,
    ),
    sql`UPDATE closings SET reopened_by = ${by}, reopened_at = ${at}, reason = ${reason} WHERE ${where} RETURNING ${COLUMNS}`,
  ]);
  return reopened[0] as unknown as ClosingRow | undefined;
}

/** Builds the statement that records a closing or reopening in the audit log. */
const recordClosing = (
  db: Db,
  business: Business,
  action: "closed" | "reopened",
  changes: Record<string, SQL>,
  where: SQL,
) =>
  recorded(db, {
    object: "closing",
    action,
    id: business,
    changes,
    rows: sql`WHERE ${where}`,
  });
