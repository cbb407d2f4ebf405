import { desc, eq, gte, ne, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { backups, incidents, type JobResult, nightlyRuns, restores, slowRoutes } from "~/db/schema";

const DAY = 86_400;
/** Days that records are kept. */
const INCIDENT_DAYS = 30;
const SLOW_DAYS = 7;
const RUN_DAYS = 60;
/** Rows of each list on the health page. */
const PAGE_ROWS = 20;

/** Reads the applied migrations and whether a restore is under way. */
export async function schemaState(d1: D1Database): Promise<{ applied: string[]; isRestoring: boolean }> {
  const rows = await d1
    .prepare("SELECT name FROM d1_migrations")
    .all<{ name: string }>()
    .then(({ results }) => results)
    // A database without migrations has no such table.
    .catch((error: unknown) => (/no such table/.test(String(error)) ? [] : Promise.reject(error)));
  const applied = rows.map(({ name }) => name.replace(/\.sql$/, ""));
  // The table is one of the migrations itself.
  const restoring = await d1
    .prepare("SELECT 1 FROM restores")
    .first()
    .catch(() => null);
  return { applied, isRestoring: restoring !== null };
}

/** Reads one row, to test that D1 answers. */
export async function probe(d1: D1Database): Promise<void> {
  await d1.prepare("SELECT 1").first();
}

type Incident = typeof incidents.$inferSelect;

/** Records an incident; a repeated one counts. */
export async function insertIncident(db: Db, incident: Omit<Incident, "times">): Promise<void> {
  await db
    .insert(incidents)
    .values(incident)
    .onConflictDoUpdate({
      target: [incidents.kind, incidents.place, incidents.reference],
      set: { at: incident.at, message: incident.message, times: sql`${incidents.times} + 1` },
    });
}

export interface SlowRequest {
  route: string;
  at: number;
  ms: number;
  rowsRead: number;
  rowsWritten: number;
}

/** Adds a slow request to the figures of its hour. */
export async function addSlowRequest(
  db: Db,
  { route, at, ms, rowsRead, rowsWritten }: SlowRequest,
): Promise<void> {
  const hour = at - (at % 3600);
  await db
    .insert(slowRoutes)
    .values({ hour, route, requests: 1, totalMs: ms, longestMs: ms, rowsRead, rowsWritten })
    .onConflictDoUpdate({
      target: [slowRoutes.hour, slowRoutes.route],
      set: {
        requests: sql`${slowRoutes.requests} + 1`,
        totalMs: sql`${slowRoutes.totalMs} + excluded.total_ms`,
        longestMs: sql`max(${slowRoutes.longestMs}, excluded.longest_ms)`,
        rowsRead: sql`${slowRoutes.rowsRead} + excluded.rows_read`,
        rowsWritten: sql`${slowRoutes.rowsWritten} + excluded.rows_written`,
      },
    });
}

/** Records a nightly run and deletes old records. */
export async function insertNightlyRun(
  db: Db,
  run: { startedAt: number; durationMs: number; jobs: JobResult[] },
): Promise<void> {
  const before = (days: number) => run.startedAt - days * DAY;
  await db.batch([
    db.insert(nightlyRuns).values(run).onConflictDoNothing(),
    db.delete(nightlyRuns).where(sql`${nightlyRuns.startedAt} < ${before(RUN_DAYS)}`),
    db.delete(incidents).where(sql`${incidents.at} < ${before(INCIDENT_DAYS)}`),
    db.delete(slowRoutes).where(sql`${slowRoutes.hour} < ${before(SLOW_DAYS)}`),
  ]);
}

/** Reads what the health page shows. @param now epoch seconds */
export async function readHealth(db: Db, now: number) {
  const since = now - DAY;
  const [errors, failures, slow, runs, recentBackups, restore] = await Promise.all([
    db
      .select()
      .from(incidents)
      .where(eq(incidents.kind, "error"))
      .orderBy(desc(incidents.at))
      .limit(PAGE_ROWS),
    db
      .select()
      .from(incidents)
      .where(ne(incidents.kind, "error"))
      .orderBy(desc(incidents.at))
      .limit(PAGE_ROWS),
    db
      .select({
        route: slowRoutes.route,
        requests: sql<number>`sum(${slowRoutes.requests})`,
        averageMs: sql<number>`sum(${slowRoutes.totalMs}) / sum(${slowRoutes.requests})`,
        longestMs: sql<number>`max(${slowRoutes.longestMs})`,
        rowsRead: sql<number>`sum(${slowRoutes.rowsRead}) / sum(${slowRoutes.requests})`,
        rowsWritten: sql<number>`sum(${slowRoutes.rowsWritten}) / sum(${slowRoutes.requests})`,
      })
      .from(slowRoutes)
      .where(gte(slowRoutes.hour, since))
      .groupBy(slowRoutes.route)
      .orderBy(desc(sql`max(${slowRoutes.longestMs})`))
      .limit(PAGE_ROWS),
    db.select().from(nightlyRuns).orderBy(desc(nightlyRuns.startedAt)).limit(7),
    db.select().from(backups).orderBy(desc(backups.startedAt)).limit(7),
    db.select({ next: restores.next, slices: restores.slices }).from(restores),
  ]);
  return { errors, failures, slow, runs, backups: recentBackups, restore: restore[0] ?? null };
}

/** Counts the errors of each of the last 24 hours; 0 is the oldest one. */
export function readErrorsByHour(db: Db, now: number) {
  const since = now - DAY;
  return db
    .select({
      hour: sql<number>`(${incidents.at} - ${since}) / 3600`,
      errors: sql<number>`sum(${incidents.times})`,
    })
    .from(incidents)
    .where(sql`${incidents.kind} = 'error' AND ${incidents.at} > ${since}`)
    .groupBy(sql`1`);
}
