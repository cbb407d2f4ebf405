import { desc, eq, getTableName, gte, inArray, is, lt, type SQL, sql } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "~/db/client.server";
import { DISABLED_BY_ADMIN, WEBHOOK_HOST } from "~/db/integrations.schema";
import * as schema from "~/db/schema";
import { DAY_SECONDS } from "~/domain/durations";
import type { Incident } from "~/features/incidents/queries.server";

const {
  alerts,
  backups,
  errorHours,
  incidents,
  nightlyRuns,
  receivedMails,
  restores,
  sentMails,
  slowRoutes,
} = schema;
type JobResult = schema.JobResult;

/** Days that records are kept. */
const INCIDENT_DAYS = 30;
const SLOW_DAYS = 7;
const RUN_DAYS = 60;
/** Rows of each list on the health page, and of each of its two days with slow routes. */
const PAGE_ROWS = 20;
const SLOW_ROWS = 10;

/** Tables that this version reads: those of its schema, and the indexes that lists search. */
const TABLES = [
  ...Object.values(schema).flatMap((each) => (is(each, SQLiteTable) ? [getTableName(each)] : [])),
  ...["product", "hidden", "deleted", "chat", "customer", "document", "invoice", "expense", "user"].map(
    (kind) => `${kind}_search`,
  ),
];
/** Tables that one statement names: D1 answers at most 100 columns. */
const NAMED_TABLES = 50;

/** Statements that fail without one of the tables, and read no row. */
const NAME_TABLES = Array.from({ length: Math.ceil(TABLES.length / NAMED_TABLES) }, (_, i) => {
  const names = TABLES.slice(i * NAMED_TABLES, (i + 1) * NAMED_TABLES);
  return `SELECT ${names.map((name) => `EXISTS (SELECT 1 FROM ${name} WHERE false)`).join(", ")}`;
});

export interface SchemaState {
  applied: string[];
  isRestoring: boolean;
  /** First table that is not there. */
  missingTable: string | null;
}

/** Reads the applied migrations, whether a restore is under way and whether all tables are there, in one round trip. */
export async function schemaState(d1: D1Database): Promise<SchemaState> {
  const migrations = d1.prepare("SELECT name FROM d1_migrations");
  const applied = (result?: D1Result<{ name: string }>) =>
    result?.results.map(({ name }) => name.replace(/\.sql$/, "")) ?? [];
  try {
    const named = NAME_TABLES.map((query) => d1.prepare(query));
    const statements = [migrations, d1.prepare("SELECT 1 FROM restores"), ...named];
    const [names, restores] = await d1.batch<{ name: string }>(statements);
    return { applied: applied(names), isRestoring: restores?.results.length !== 0, missingTable: null };
  } catch (error) {
    const [, missingTable] = /no such table: (?:main\.)?(\w+)/.exec(String(error)) ?? [];
    if (!missingTable) throw error;
    const isEmpty = missingTable === "d1_migrations";
    return { applied: isEmpty ? [] : applied(await migrations.all()), isRestoring: false, missingTable };
  }
}

/** Reads one row from the nearest copy, to test that D1 answers. @returns where it was read */
export async function probe(d1: D1Database): Promise<D1Meta> {
  const { meta } = await d1.withSession("first-unconstrained").prepare("SELECT 1").run();
  return meta;
}

/** Records the beginning of a nightly run, all of whose jobs are pending, and deletes old records. */
export async function insertNightlyRun(db: Db, startedAt: number, names: string[]): Promise<void> {
  const before = (days: number) => startedAt - days * DAY_SECONDS;
  const jobs = names.map((job): JobResult => ({ job, result: "", failed: false, pending: true }));
  await db.batch([
    db.insert(nightlyRuns).values({ startedAt, durationMs: 0, jobs }).onConflictDoNothing(),
    db.delete(nightlyRuns).where(sql`${nightlyRuns.startedAt} < ${before(RUN_DAYS)}`),
    db.delete(incidents).where(sql`${incidents.at} < ${before(INCIDENT_DAYS)}`),
    db.delete(errorHours).where(lt(errorHours.hour, before(INCIDENT_DAYS))),
    db.delete(slowRoutes).where(lt(slowRoutes.day, before(SLOW_DAYS))),
    db.delete(sentMails).where(lt(sentMails.day, before(INCIDENT_DAYS))),
    db.delete(receivedMails).where(lt(receivedMails.week, before(INCIDENT_DAYS))),
  ]);
}

/**
 * Records the end of a job in the runs that wait for it.
 *
 * @param runs beginnings, by which runs are recorded
 * @param now epoch milliseconds
 */
export async function saveJobResult(db: Db, runs: number[], result: JobResult, now: number): Promise<void> {
  await db.run(sql`UPDATE nightly_runs SET duration_ms = max(duration_ms, ${now} - started_at * 1000),
    jobs = (SELECT json_group_array(json(iif(value ->> 'job' = ${result.job}, ${JSON.stringify(result)}, value)) ORDER BY key)
      FROM json_each(nightly_runs.jobs))
    WHERE started_at IN (SELECT value FROM json_each(${JSON.stringify(runs)}))`);
}

/** Deliveries, the next ones, among which failed attempts are looked for. */
const MAX_WAITING = 40;

/** Webhook that was disabled because nothing arrived, or whose deliveries are being repeated. */
interface FailingWebhook {
  id: string;
  host: string;
  disabledAt: number | null;
  note: string;
}

/** Attempts of a delivery, over more than an hour, that tell nobody: receivers restart. */
const MAX_QUIET_ATTEMPTS = 3;

const findFailingWebhooks = (db: Db) =>
  db.all<FailingWebhook>(sql`SELECT id, ${WEBHOOK_HOST} AS host, disabled_at AS disabledAt, note FROM webhooks
    WHERE disabled_at IS NOT NULL AND note <> ${DISABLED_BY_ADMIN} OR disabled_at IS NULL AND id IN (
      SELECT webhook_id FROM (SELECT webhook_id, attempts FROM webhook_deliveries WHERE state = 'waiting'
        ORDER BY due_at LIMIT ${MAX_WAITING}) WHERE attempts > ${MAX_QUIET_ATTEMPTS})
    ORDER BY created_at, id`);

/** Reads what tells problems of the night, and of webhooks. */
export async function readNight(db: Db) {
  const [runs, [backup], [first], [migration], webhooks] = await Promise.all([
    db.select().from(nightlyRuns).orderBy(desc(nightlyRuns.startedAt)).limit(2),
    db
      .select({ finishedAt: backups.finishedAt })
      .from(backups)
      .where(eq(backups.state, "done"))
      .orderBy(desc(backups.id))
      .limit(1),
    db.select({ at: nightlyRuns.startedAt }).from(nightlyRuns).orderBy(nightlyRuns.startedAt).limit(1),
    // A restored shop has a new database.
    db.all<{ at: number }>(sql`SELECT unixepoch(applied_at) AS at FROM d1_migrations ORDER BY id LIMIT 1`),
    findFailingWebhooks(db),
  ]);
  return {
    ...{ runs, backupAt: backup?.finishedAt ?? null, firstRunAt: first?.at ?? null },
    createdAt: migration?.at ?? null,
    webhooks,
  };
}

/** Reads the problems that the owner has been told. */
export async function readTold(db: Db): Promise<string[]> {
  return (await db.select({ problem: alerts.problem }).from(alerts)).map(({ problem }) => problem);
}

/** Forgets the told problems that are over. */
export async function forgetAlerts(db: Db, ended: string[]): Promise<void> {
  if (ended.length > 0) await db.delete(alerts).where(inArray(alerts.problem, ended));
}

/** Notes problems as told. @returns those that were not noted yet */
export async function noteAlerts(db: Db, problems: string[], at: number): Promise<string[]> {
  const noted = await db
    .insert(alerts)
    .values(problems.map((problem) => ({ problem, at })))
    .onConflictDoNothing()
    .returning({ problem: alerts.problem });
  return noted.map(({ problem }) => problem);
}

/** Admins who get mails about the installation. */
const MAX_ADMINS = 20;

/** Lists the e-mail addresses of active admins. */
export async function findAdminEmails(db: Db): Promise<string[]> {
  const rows = await db.all<{ email: string }>(sql`SELECT email FROM users INDEXED BY users_team
    WHERE ${sql.raw(schema.IS_ACTIVE_STAFF)} AND is_admin = 1 ORDER BY created_at LIMIT ${MAX_ADMINS}`);
  return rows.map(({ email }) => email);
}

/** Reads what the health page shows. @param now epoch seconds */
export async function readHealth(db: Db, now: number) {
  const today = now - (now % DAY_SECONDS);
  const [errors, failures, slow, runs, recentBackups, restore] = await Promise.all([
    latest(db, sql`INDEXED BY incidents_errors WHERE kind = 'error'`),
    latest(db, sql`INDEXED BY incidents_failures WHERE kind <> 'error'`),
    Promise.all([slowestOf(db, today), slowestOf(db, today - DAY_SECONDS)]),
    db.select().from(nightlyRuns).orderBy(desc(nightlyRuns.startedAt)).limit(7),
    db.select().from(backups).orderBy(desc(backups.id)).limit(7),
    db.select({ next: restores.next, slices: restores.slices }).from(restores),
  ]);
  return { errors, failures, slow: slow.flat(), runs, backups: recentBackups, restore: restore[0] ?? null };
}

/** Refused mails that are counted, the latest by recipient or task; Health reads 250 rows at most. */
const COUNTED_FAILURES = 20;

interface FailedMail {
  at: number;
  place: string;
  message: string;
  times: number;
}

/** Reads how many mails were sent, refused and received in about 30 days, with the last that was sent and refused. */
export async function readMails(db: Db) {
  const [[sent], failures, received] = await Promise.all([
    db
      .select({
        sent: sql<number>`coalesce(sum(${sentMails.mails}), 0)`,
        lastAt: sql<number | null>`max(${sentMails.lastAt})`,
      })
      .from(sentMails),
    // Named since the planner would rather read all mails by the primary key.
    db.all<FailedMail>(sql`SELECT at, place, message, times FROM incidents INDEXED BY incidents_mails
      WHERE kind = 'mail' ORDER BY at DESC LIMIT ${COUNTED_FAILURES}`),
    db
      .select({ outcome: receivedMails.outcome, mails: sql<number>`sum(${receivedMails.mails})` })
      .from(receivedMails)
      .groupBy(receivedMails.outcome)
      .orderBy(desc(sql`2`)),
  ]);
  const failed = failures.reduce((sum, { times }) => sum + times, 0);
  return {
    sent: sent?.sent ?? 0,
    lastAt: sent?.lastAt ?? null,
    failed,
    lastFailure: failures[0] ?? null,
    received,
  };
}

/** Reads the latest incidents. @param from partial index, and its condition without parameters */
const latest = (db: Db, from: SQL) =>
  db.all<Incident>(sql`SELECT * FROM incidents ${from} ORDER BY at DESC LIMIT ${PAGE_ROWS}`);

/** Reads the routes with the longest requests of a day. */
const slowestOf = (db: Db, day: number) =>
  db
    .select()
    .from(slowRoutes)
    .where(eq(slowRoutes.day, day))
    .orderBy(desc(slowRoutes.longestMs))
    .limit(SLOW_ROWS);

/** Counts the errors of the hours since an instant, epoch seconds. */
export function readErrorHours(db: Db, since: number) {
  return db.select().from(errorHours).where(gte(errorHours.hour, since));
}
