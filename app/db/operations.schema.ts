import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Records of this installation, which no backup contains (docs/decisions/0027-backup.md).

/** Rows of all tables as they were when a backup began, as JSON; empty between backups. */
export const backupRows = sqliteTable("backup_rows", {
  number: integer("number").primaryKey(),
  /** Table. */
  source: text("source").notNull(),
  row: text("row").notNull(),
});

/** Backups by their id, which is the time of their beginning. */
export const backups = sqliteTable(
  "backups",
  {
    id: text("id").primaryKey(),
    kind: text("kind", { enum: ["nightly", "manual"] }).notNull(),
    state: text("state", { enum: ["running", "done", "failed"] }).notNull(),
    startedAt: integer("started_at").notNull(),
    /** Time of the latest slice. */
    activeAt: integer("active_at").notNull(),
    finishedAt: integer("finished_at"),
    bytes: integer("bytes").notNull().default(0),
    /** Counts of a finished backup, the reason of a failed one. */
    result: text("result").notNull().default(""),
  },
  () => [
    check("backups_kind", sql`kind IN ('nightly', 'manual')`),
    check("backups_state", sql`state IN ('running', 'done', 'failed')`),
  ],
);

/** Restore under way. */
export const restores = sqliteTable(
  "restores",
  {
    one: integer("one").primaryKey(),
    /** SHA-256 of the archive. */
    archive: text("archive").notNull(),
    /** Identifies the process that restores. */
    token: text("token").notNull(),
    /** Number of the next slice, and of all. */
    next: integer("next").notNull(),
    slices: integer("slices").notNull(),
    /** Triggers to be recreated at the end: a JSON array of `{name, sql}`. */
    triggers: text("triggers").notNull(),
    /** JSON array of chats that were deleted while the backup was made. */
    missingChats: text("missing_chats").notNull().default("[]"),
    activeAt: integer("active_at").notNull(),
  },
  () => [check("restores_one", sql`one = 1`)],
);

/** Runs of the nightly jobs. */
export const nightlyRuns = sqliteTable("nightly_runs", {
  startedAt: integer("started_at").primaryKey(),
  durationMs: integer("duration_ms").notNull(),
  /** JSON array of `{job, result, failed}`. */
  jobs: text("jobs", { mode: "json" }).$type<JobResult[]>().notNull(),
});

/** Result of one nightly job in words. */
export interface JobResult {
  job: string;
  result: string;
  failed: boolean;
}

/** Failed requests, mails and notifications, without personal data. */
export const incidents = sqliteTable(
  "incidents",
  {
    kind: text("kind", { enum: ["error", "mail", "push"] }).notNull(),
    /** Method and path pattern of a request, or the task that failed. */
    place: text("place").notNull(),
    /** Reference of the failed request; id of the chat for a task of its room. */
    reference: text("reference").notNull(),
    /** Latest occurrence. */
    at: integer("at").notNull(),
    message: text("message").notNull(),
    times: integer("times").notNull().default(1),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.place, t.reference] }),
    index("incidents_at").on(t.at),
    check("incidents_kind", sql`kind IN ('error', 'mail', 'push')`),
  ],
);

/** Slow requests by hour (epoch seconds of its beginning) and route. */
export const slowRoutes = sqliteTable(
  "slow_routes",
  {
    hour: integer("hour").notNull(),
    route: text("route").notNull(),
    requests: integer("requests").notNull(),
    totalMs: integer("total_ms").notNull(),
    longestMs: integer("longest_ms").notNull(),
    rowsRead: integer("rows_read").notNull(),
    rowsWritten: integer("rows_written").notNull(),
  },
  (t) => [primaryKey({ columns: [t.hour, t.route] })],
);
