import { and, asc, eq, sql } from "drizzle-orm";
import { added, contents, differences, recorded, removed } from "~/db/audit";
import type { Db } from "~/db/client.server";
import { predefinedResponses } from "~/db/schema";
import { RESPONSE } from "./records";

export type ResponseRow = typeof predefinedResponses.$inferSelect;

/** Finds the predefined responses in the order they were added. */
export function findResponses(db: Db): Promise<ResponseRow[]> {
  return db
    .select()
    .from(predefinedResponses)
    .orderBy(asc(predefinedResponses.createdAt), asc(predefinedResponses.id));
}

export async function insertResponse(db: Db, row: ResponseRow): Promise<void> {
  await db.batch([
    db.insert(predefinedResponses).values(row),
    recorded(db, {
      object: "response",
      action: "created",
      id: predefinedResponses.id,
      changes: contents(predefinedResponses, RESPONSE.audited, added),
      rows: sql`FROM ${predefinedResponses} WHERE ${eq(predefinedResponses.id, row.id)}`,
    }),
  ]);
}

export async function findResponse(db: Db, id: string): Promise<ResponseRow | null> {
  const rows = await db.select().from(predefinedResponses).where(eq(predefinedResponses.id, id));
  return rows[0] ?? null;
}

/** Matches a response by its id and, if it was read before, by the values read. */
function unchanged(id: string, seen: ResponseRow | null) {
  const columns = seen ? Object.keys(RESPONSE.fields) : [];
  return and(
    eq(predefinedResponses.id, id),
    ...columns.map((name) => eq(predefinedResponses[name as "trigger"], seen?.[name as "trigger"] ?? "")),
  );
}

/**
 * Changes a response.
 *
 * @param seen overwrites these values only; null overwrites any
 * @returns the changed row; null when none matched
 */
export async function updateResponseRow(
  db: Db,
  id: string,
  changes: Partial<ResponseRow>,
  seen: ResponseRow | null,
): Promise<ResponseRow | null> {
  const where = unchanged(id, seen);
  const [, rows] = await db.batch([
    recorded(db, {
      object: "response",
      action: "changed",
      id: predefinedResponses.id,
      changes: differences(predefinedResponses, RESPONSE.audited, changes),
      rows: sql`FROM ${predefinedResponses} WHERE ${where}`,
    }),
    db.update(predefinedResponses).set(changes).where(where).returning(),
  ]);
  return rows[0] ?? null;
}

/**
 * Deletes a response.
 *
 * @param seen deletes it with these values only; null with any
 * @returns whether a row was deleted
 */
export async function removeResponse(db: Db, id: string, seen: ResponseRow | null): Promise<boolean> {
  const where = unchanged(id, seen);
  const [, rows] = await db.batch([
    recorded(db, {
      object: "response",
      action: "deleted",
      id: predefinedResponses.id,
      changes: contents(predefinedResponses, RESPONSE.audited, removed),
      rows: sql`FROM ${predefinedResponses} WHERE ${where}`,
    }),
    db.delete(predefinedResponses).where(where).returning({ id: predefinedResponses.id }),
  ]);
  return rows.length > 0;
}
