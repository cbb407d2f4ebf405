import { and, desc, eq, getTableColumns, inArray, lt, ne, or } from "drizzle-orm";
import { added, recorded } from "~/db/audit";
import type { Db } from "~/db/client.server";
import { importRuns } from "~/db/schema";

export type ImportRun = typeof importRuns.$inferSelect;
export type RunCounts = Pick<ImportRun, "created" | "updated" | "unchanged" | "rejected">;

/** A run without its errors and notes. */
export type ListedRun = Omit<ImportRun, "errorDetails" | "notes">;

export async function insertRun(db: Db, run: ImportRun): Promise<void> {
  await db.insert(importRuns).values(run);
}

/** Records a planned run, or renews the one that has the same fingerprint. @returns its id */
export async function upsertPlannedRun(db: Db, run: ImportRun): Promise<string> {
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
  const isInterrupted = and(eq(importRuns.state, "running"), lt(importRuns.startedAt, interruptedBefore));
  const rows = await db
    .update(importRuns)
    .set({ ...start, state: "running", fingerprint: null, finishedAt: null })
    .where(and(eq(importRuns.id, id), or(inArray(importRuns.state, ["planned", "failed"]), isInterrupted)))
    .returning({ id: importRuns.id });
  return rows.length > 0;
}

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
  end: RunCounts & Pick<ImportRun, "state" | "errorDetails" | "notes" | "finishedAt">,
): Promise<void> {
  await db.batch([
    recorded(
      db,
      {
        object: "import",
        action: end.state === "done" ? "finished" : "failed",
        id,
        changes: {
          created: added(end.created),
          updated: added(end.updated),
          unchanged: added(end.unchanged),
          rejected: added(end.rejected),
        },
      },
      { kind: "import", userId: db.author.userId, sourceId: id },
    ),
    db.update(importRuns).set(end).where(eq(importRuns.id, id)),
  ]);
}

/** Finds the latest committed runs, newest first. */
export function findRuns(db: Db, limit: number): Promise<ListedRun[]> {
  const { errorDetails: _, notes: __, ...columns } = getTableColumns(importRuns);
  return db
    .select(columns)
    .from(importRuns)
    .where(ne(importRuns.state, "planned"))
    .orderBy(desc(importRuns.startedAt), desc(importRuns.id))
    .limit(limit);
}

export async function findRun(db: Db, id: string): Promise<ImportRun | undefined> {
  const rows = await db.select().from(importRuns).where(eq(importRuns.id, id)).limit(1);
  return rows[0];
}
