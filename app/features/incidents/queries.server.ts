import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { errorHours, incidents, sentMails, slowRoutes } from "~/db/schema";
import { DAY_SECONDS, HOUR_SECONDS } from "~/domain/durations";

export type Incident = typeof incidents.$inferSelect;

/** Records an incident, or counts it once more with its latest time and message. */
export async function insertIncident(db: Db, incident: Omit<Incident, "times">): Promise<void> {
  await db
    .insert(incidents)
    .values(incident)
    .onConflictDoUpdate({
      target: [incidents.kind, incidents.place, incidents.reference],
      set: { at: incident.at, message: incident.message, times: sql`${incidents.times} + 1` },
    });
}

/** Counts a failed request in its hour. @param now epoch seconds */
export async function countError(db: Db, now: number): Promise<void> {
  await db
    .insert(errorHours)
    .values({ hour: now - (now % HOUR_SECONDS), errors: 1 })
    .onConflictDoUpdate({ target: errorHours.hour, set: { errors: sql`${errorHours.errors} + 1` } });
}

export interface SlowRequest {
  route: string;
  /** Epoch seconds. */
  at: number;
  /** Time until the response, ms. */
  ms: number;
  rowsRead: number;
  rowsWritten: number;
}

/** Adds a slow request to the figures of its route and day. */
export async function addSlowRequest(
  db: Db,
  { route, at, ms, rowsRead, rowsWritten }: SlowRequest,
): Promise<void> {
  const day = at - (at % DAY_SECONDS);
  await db
    .insert(slowRoutes)
    .values({ day, route, requests: 1, totalMs: ms, longestMs: ms, rowsRead, rowsWritten })
    .onConflictDoUpdate({
      target: [slowRoutes.day, slowRoutes.route],
      set: {
        requests: sql`${slowRoutes.requests} + 1`,
        totalMs: sql`${slowRoutes.totalMs} + excluded.total_ms`,
        longestMs: sql`max(${slowRoutes.longestMs}, excluded.longest_ms)`,
        rowsRead: sql`${slowRoutes.rowsRead} + excluded.rows_read`,
        rowsWritten: sql`${slowRoutes.rowsWritten} + excluded.rows_written`,
      },
    });
}

/** Counts a mail that the platform accepted. @param now epoch seconds */
export async function countSentMail(db: Db, now: number): Promise<void> {
  await db
    .insert(sentMails)
    .values({ day: now - (now % DAY_SECONDS), mails: 1, lastAt: now })
    .onConflictDoUpdate({ target: sentMails.day, set: { mails: sql`${sentMails.mails} + 1`, lastAt: now } });
}
