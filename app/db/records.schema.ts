import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

// The tables up to `alerts` describe this installation; no backup contains them (docs/decisions/0027-backup.md).

/** Rows of all tables as they were when a backup began, as JSON; empty between backups. */
export const backupRows = sqliteTable("backup_rows", {
  number: integer("number").primaryKey(),
  /** Name of the table. */
  source: text("source").notNull(),
  row: text("row").notNull(),
});

/** Backups; the id states when one began. */
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
    /** Number of the next slice. */
    next: integer("next").notNull(),
    /** Number of all slices. */
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
  /** JSON array of `{job, result, failed, pending}`. */
  jobs: text("jobs", { mode: "json" }).$type<JobResult[]>().notNull(),
});

/** Result of one nightly job in words. */
export interface JobResult {
  job: string;
  result: string;
  failed: boolean;
  /** The job has not ended. */
  pending?: boolean;
}

/** Failures of requests, mails, notifications and the processing of pictures, without personal data. */
export const incidents = sqliteTable(
  "incidents",
  {
    kind: text("kind", { enum: ["error", "mail", "push", "image"] }).notNull(),
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
    index("incidents_errors").on(t.at).where(sql`kind = 'error'`),
    index("incidents_failures").on(t.at).where(sql`kind <> 'error'`),
    index("incidents_mails").on(t.at).where(sql`kind = 'mail'`),
    check("incidents_kind", sql`kind IN ('error', 'mail', 'push', 'image')`),
  ],
);

/** Number of failed requests by hour. */
export const errorHours = sqliteTable("error_hours", {
  /** Epoch seconds of its beginning. */
  hour: integer("hour").primaryKey(),
  errors: integer("errors").notNull(),
});

/** Slow requests by day and route. */
export const slowRoutes = sqliteTable(
  "slow_routes",
  {
    /** Epoch seconds of the day's beginning in UTC. Earlier versions counted by hour, which the column is named after. */
    day: integer("hour").notNull(),
    route: text("route").notNull(),
    requests: integer("requests").notNull(),
    totalMs: integer("total_ms").notNull(),
    longestMs: integer("longest_ms").notNull(),
    rowsRead: integer("rows_read").notNull(),
    rowsWritten: integer("rows_written").notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.route] }), index("slow_routes_longest").on(t.day, t.longestMs)],
);

/** Number of mails that the platform accepted, by day. */
export const sentMails = sqliteTable("sent_mails", {
  /** Epoch seconds of its beginning in UTC. */
  day: integer("day").primaryKey(),
  mails: integer("mails").notNull(),
  /** Time of the last one. */
  lastAt: integer("last_at").notNull(),
});

/** Problems of the installation that the owner has been told. */
export const alerts = sqliteTable("alerts", {
  problem: text("problem").primaryKey(),
  /** Time of the mail. */
  at: integer("at").notNull(),
});

// The other tables are records of the shop, which backups contain.

/** Kinds of authors; an import and an API key act for their user. */
const AUTHOR_KINDS = ["staff", "customer", "visitor", "system", "import", "key"] as const;
export type AuthorKind = (typeof AUTHOR_KINDS)[number];

/** Changes, one row each (docs/decisions/0029-audit.md). Triggers refuse every change of a row. */
export const auditLog = sqliteTable(
  "audit_log",
  {
    /** Rowid, without gaps. */
    seq: integer("seq").primaryKey(),
    /** Epoch seconds by D1's clock. */
    at: integer("at").notNull(),
    authorKind: text("author_kind", { enum: AUTHOR_KINDS }).notNull(),
    /** `Author.userId` (app/db/audit.ts). */
    authorId: text("author_id"),
    /** `Author.sourceId`. */
    sourceId: text("source_id"),
    action: text("action").notNull(),
    object: text("object").notNull(),
    objectId: text("object_id").notNull(),
    /** JSON by field: `[before, after]`, or `true` where only the change itself is recorded. */
    changes: text("changes").notNull(),
  },
  (t) => [
    index("audit_log_at").on(t.at),
    index("audit_log_author_at").on(t.authorId, t.at).where(sql`author_id IS NOT NULL`),
    index("audit_log_kind_at").on(t.authorKind, t.at).where(sql`author_kind <> 'staff'`),
    index("audit_log_object").on(t.objectId, t.at),
    index("audit_log_objects").on(t.object, t.at),
    check(
      "audit_log_author",
      sql`author_kind IN ('staff', 'customer', 'visitor', 'system', 'import', 'key')`,
    ),
  ],
);

/** Hash chain of the audit log: each hash is the SHA-256 of the one before it and the row with this number. */
export const auditSeals = sqliteTable("audit_seals", {
  seq: integer("seq").primaryKey(),
  hash: text("hash").notNull(),
});

/**
 * Deletions of personal data that are planned or done (docs/decisions/0030-personal-data.md). They hold ids only, which
 * name nobody once the deletion is done. Times are epoch seconds.
 */
export const erasures = sqliteTable(
  "erasures",
  {
    id: text("id").primaryKey(),
    /** The person: the account, else the customer, else the chat. */
    userId: text("user_id"),
    customerId: text("customer_id"),
    chatId: text("chat_id"),
    requestedBy: text("requested_by", { enum: ["owner", "staff"] }).notNull(),
    requestedAt: integer("requested_at").notNull(),
    dueAt: integer("due_at").notNull(),
    /** Time at which the confirmation was mailed; null while it waits. */
    mailedAt: integer("mailed_at"),
    /** Time at which the deletion began; a chat of the account that is stored later is deleted at once. */
    begunAt: integer("begun_at"),
    /** Ids of the chats: those of the plan, and those that the deletion has found. */
    chats: text("chats", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** Ids of the customers. */
    customers: text("customers", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** SHA-256 of the person's e-mail addresses, by which a local shop finds its mails; emptied after a month. */
    addresses: text("addresses", { mode: "json" }).$type<string[]>().notNull().default([]),
    doneAt: integer("done_at"),
  },
  (t) => [
    uniqueIndex("erasures_planned")
      .on(sql`coalesce(user_id, customer_id, chat_id)`)
      .where(sql`done_at IS NULL`),
    index("erasures_due").on(t.dueAt).where(sql`done_at IS NULL`),
    index("erasures_begun").on(t.userId).where(sql`begun_at IS NOT NULL`),
    index("erasures_done").on(t.doneAt).where(sql`done_at IS NOT NULL`),
    check("erasures_subject", sql`coalesce(user_id, customer_id, chat_id) IS NOT NULL`),
    check("erasures_requested_by", sql`requested_by IN ('owner', 'staff')`),
  ],
);

/**
 * Subjects that planned deletions cover, to find the plan of a person: accounts, customers, chats, the browser of the
 * plan's chat (`visitor`), and customers to whom a chat was linked before the plan covered it (`linked`). Triggers maintain
 * the table (migrations/0074_erasure_subjects.sql): a covered subject stays until the plan is cancelled or done.
 */
export const erasureSubjects = sqliteTable(
  "erasure_subjects",
  {
    kind: text("kind", { enum: ["user", "customer", "chat", "visitor", "linked"] }).notNull(),
    subjectId: text("subject_id").notNull(),
    /** `dueAt` of the plan. */
    dueAt: integer("due_at").notNull(),
    erasureId: text("erasure_id").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.subjectId, t.dueAt, t.erasureId] }),
    index("erasure_subjects_of").on(t.erasureId, t.kind),
    check("erasure_subjects_kind", sql`kind IN ('user', 'customer', 'chat', 'visitor', 'linked')`),
  ],
);
