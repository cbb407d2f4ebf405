import { and, desc, eq, getTableColumns, inArray, lt, ne, or, sql } from "drizzle-orm";
import { type Author, added, recorded } from "~/db/audit";
import type { Db } from "~/db/client.server";
import { importRuns, productChanges } from "~/db/schema";

export type ImportRun = typeof importRuns.$inferSelect;
export type RunCounts = Pick<ImportRun, "created" | "updated" | "unchanged" | "rejected">;

/** Counts that an undo has besides those of an import. */
export type UndoCounts = Pick<ImportRun, "removed" | "hidden" | "partial">;
export type NewRun = typeof importRuns.$inferInsert & Pick<ImportRun, "rows">;

/** A run without its errors and notes. */
export type ListedRun = Omit<ImportRun, "errorDetails" | "notes">;

export async function insertRun(db: Db, run: NewRun): Promise<void> {
  await db.insert(importRuns).values(run);
}

/** Records a planned run, or renews the one that has the same fingerprint. @returns its id */
export async function upsertPlannedRun(db: Db, run: NewRun): Promise<string> {
  const rows = await db
    .insert(importRuns)
    .values(run)
    .onConflictDoUpdate({ target: importRuns.fingerprint, set: { startedAt: run.startedAt } })
    .returning({ id: importRuns.id });
  return rows[0]?.id ?? run.id;
}

/**
 * Marks a run as running, unless another request has done so.
 *
 * @param interruptedBefore epoch seconds; a running run that started earlier was interrupted
 * @returns false when the run is running or done
 */
export async function claimRun(
  db: Db,
  id: string,
  start: Pick<ImportRun, "source" | "rows" | "startedAt">,
  interruptedBefore: number,
): Promise<boolean> {
  const isTakenBack = sql`EXISTS (SELECT 1 FROM import_runs AS undo WHERE undo.undoes = ${id})`;
  const rows = await db
    .update(importRuns)
    .set({ ...start, state: "running", fingerprint: null, finishedAt: null })
    .where(and(eq(importRuns.id, id), isOpen(interruptedBefore), sql`NOT ${isTakenBack}`))
    .returning({ id: importRuns.id });
  return rows.length > 0;
}

/** Condition on a run that nobody is storing. */
const isOpen = (interruptedBefore: number) =>
  or(
    inArray(importRuns.state, ["planned", "failed"]),
    and(eq(importRuns.state, "running"), lt(importRuns.startedAt, interruptedBefore)),
  );

/** Finds the run that takes another one back. */
export async function findUndo(db: Db, run: string): Promise<ImportRun | undefined> {
  const rows = await db.select().from(importRuns).where(eq(importRuns.undoes, run)).limit(1);
  return rows[0];
}

/**
 * Begins to take a run back, or continues an undo that has failed or was interrupted.
 *
 * @param undo its row, which names the run that it undoes
 * @returns the id of the undo; null while another request takes the run back, or when that is done
 */
export async function claimUndo(
  db: Db,
  undo: NewRun & { undoes: string },
  interruptedBefore: number,
): Promise<string | null> {
  const [begun] = await db
    .insert(importRuns)
    .values(undo)
    .onConflictDoNothing({ target: importRuns.undoes })
    .returning({ id: importRuns.id });
  if (begun) return begun.id;
  const [continued] = await db
    .update(importRuns)
    .set({ state: "running", startedAt: undo.startedAt })
    .where(and(eq(importRuns.undoes, undo.undoes), isOpen(interruptedBefore)))
    .returning({ id: importRuns.id });
  return continued?.id ?? null;
}

/** Tells whether a run's changes are kept. */
export async function hasChanges(db: Db, run: string): Promise<boolean> {
  const rows = await db
    .select({ row: productChanges.row })
    .from(productChanges)
    .where(eq(productChanges.runId, run))
    .limit(1);
  return rows.length > 0;
}

/** Counts the products of a run by what it did with them. */
export async function countOutcomes(db: Db, run: string): Promise<Record<string, number>> {
  const rows = await db
    .select({ outcome: productChanges.outcome, products: sql<number>`count(*)`.as("products") })
    .from(productChanges)
    .where(eq(productChanges.runId, run))
    .groupBy(productChanges.outcome);
  return Object.fromEntries(rows.map(({ outcome, products }) => [outcome, products]));
}

/** Changes deleted by one statement. */
const DELETED_ROWS = 5000;

/** Deletes changes of before an instant (epoch seconds), the oldest first. @returns how many; fewer than a slice at the end */
export async function deleteOldChanges(
  db: Db,
  before: number,
): Promise<{ deleted: number; isLast: boolean }> {
  const rows = await db.all(
    sql`DELETE FROM product_changes WHERE "row" IN (SELECT "row" FROM product_changes WHERE created_at < ${before}
      ORDER BY created_at LIMIT ${DELETED_ROWS}) RETURNING 1`,
  );
  return { deleted: rows.length, isLast: rows.length < DELETED_ROWS };
}

export const runAuthor = (db: Db, run: string): Author => ({
  kind: "import",
  userId: db.author.userId,
  sourceId: run,
});

/** Deletes planned runs older than `before` (epoch seconds). The nightly clean-up deletes their files. */
export async function deletePlannedRuns(db: Db, before: number): Promise<void> {
  await db.delete(importRuns).where(and(eq(importRuns.state, "planned"), lt(importRuns.startedAt, before)));
}

export function saveProgress(db: Db, id: string, counts: RunCounts) {
  return db.update(importRuns).set(counts).where(eq(importRuns.id, id));
}

export async function finishRun(
  db: Db,
  id: string,
  end: RunCounts & Pick<ImportRun, "state" | "errorDetails" | "notes" | "finishedAt"> & Partial<UndoCounts>,
): Promise<void> {
  const { created, updated, unchanged, rejected, removed, hidden, partial } = end;
  const counts = { created, updated, unchanged, rejected, removed, hidden, partial };
  await db.batch([
    recorded(
      db,
      {
        object: "import",
        action: end.state === "done" ? "finished" : "failed",
        id,
        changes: Object.fromEntries(
          Object.entries(counts).flatMap(([name, count]) =>
            count === undefined ? [] : [[name, added(count)]],
          ),
        ),
      },
      runAuthor(db, id),
    ),
    db.update(importRuns).set(end).where(eq(importRuns.id, id)),
  ]);
}

/** Run that a page of the history follows. */
export type RunCursor = Pick<ImportRun, "startedAt" | "id">;

/** Finds the latest committed runs, newest first. @param before those that started before this one; all without */
export function findRuns(db: Db, limit: number, before: RunCursor | null = null): Promise<ListedRun[]> {
  const { errorDetails: _, notes: __, ...columns } = getTableColumns(importRuns);
  return db
    .select(columns)
    .from(importRuns)
    .where(
      and(
        ne(importRuns.state, "planned"),
        before
          ? sql`(${importRuns.startedAt}, ${importRuns.id}) < (${before.startedAt}, ${before.id})`
          : undefined,
      ),
    )
    .orderBy(desc(importRuns.startedAt), desc(importRuns.id))
    .limit(limit);
}

export async function findRun(db: Db, id: string): Promise<ImportRun | undefined> {
  const rows = await db.select().from(importRuns).where(eq(importRuns.id, id)).limit(1);
  return rows[0];
}
