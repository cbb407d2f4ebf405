import { DurableObject } from "cloudflare:workers";
import { DAY_MS } from "~/domain/durations";
import { purgeExpired, renewEmailKeys } from "~/features/accounts/operations/users.server";
import { maintainAuditLog, sealAuditLog } from "~/features/audit/operations.server";
import {
  BACKUP_FOLDER,
  beginBackup,
  type Cursor,
  expiredBackups,
  failBackup,
  nextSlice,
} from "~/features/backup/operations.server";
import { announceHours } from "~/features/chat/operations/settings.server";
import { removeOrphanFiles } from "~/features/chat/operations/stored-files.server";
import { purgeFavourites } from "~/features/favourites/store.server";
import { tellProblems } from "~/features/health/alerts.server";
import { beginRun, endJob, type JobResult, runStep } from "~/features/health/nightly.server";
import { completeSearchForms } from "~/features/health/search-forms.server";
import { completeSortKeys } from "~/features/health/sort-keys.server";
import { recordError } from "~/features/incidents/operations.server";
import { maintainWebhooks } from "~/features/integrations/delivery.server";
import { tellScarceUnits } from "~/features/inventory/scarce-notices.server";
import { removeUnusedFiles } from "~/features/ledger/operations/files.server";
import { checkLedger, purgeDeletedEntries } from "~/features/ledger/operations/maintenance.server";
import { eraseDue, mailPlanned } from "~/features/privacy/deletion.server";
import { removeOldImports } from "~/features/product-import/clean-up.server";
import { removeOldChanges } from "~/features/product-runs/clean-up.server";
import { purgeSubscriptions } from "~/features/push/operations.server";
import { maintainRestock, wakeRestock } from "~/features/restock/delivery.server";
import { settleHolds } from "~/features/sales/operations/holds.server";
import { deliverFromRoom } from "~/features/sales/outbox.server";
import { forgetSearches } from "~/features/search-words/missed.server";
import { removeUnusedImages } from "~/features/storage/operations/objects.server";
import type { NightlyJob } from "~/http/nightly-job.server";
import { describeError } from "~/http/request-log.server";
import { nightlyBackup } from "~/http/shop-objects.server";

/** Nightly jobs by name. Those with much to do continue in further steps. */
export const JOBS: Record<string, NightlyJob> = {
  "expired sessions and links": purgeExpired,
  "keys of e-mail addresses": renewEmailKeys,
  "sort keys of names": completeSortKeys,
  "search forms of texts": completeSearchForms,
  "unused push subscriptions": purgeSubscriptions,
  "old favourites of visitors": purgeFavourites,
  "unused images": (env) => removeUnusedImages(env),
  "old imports": (env) => removeOldImports(env),
  "old changes of runs": (env) => removeOldChanges(env),
  "unused files of chats": removeOrphanFiles,
  "deleted entries": purgeDeletedEntries,
  "unused files of expenses": (env) => removeUnusedFiles(env),
  "sums of the ledger": checkLedger,
  "ended holds": settleHolds,
  "outbox of sales": deliverFromRoom,
  "old searches without result": forgetSearches,
  "people who wait for stock": maintainRestock,
  "audit log": maintainAuditLog,
  "outbox of webhooks": maintainWebhooks,
  "deletion of personal data": (env, cursor) => eraseDue(env, Date.now(), cursor),
  "mails about deletions": mailPlanned,
  "start of the backup": (env) => nightlyBackup(env).start(),
};

/** Trigger of wrangler.toml for `watch`; the other one is the nightly run's. */
export const WATCH_CRON = "*/15 * * * *";
const WATCH_SECONDS = 15 * 60;

/**
 * Seals the audit log, settles ended holds, completes keys of texts, tells the owner problems and staff what stock is low; one that fails does not keep
 * others from running.
 */
export async function watch(env: Env): Promise<void> {
  const results = await Promise.allSettled([
    sealAuditLog(env),
    settleHolds(env).then(() => wakeRestock(env)),
    completeSortKeys(env),
    completeSearchForms(env),
    tellProblems(env),
    announceHours(env, WATCH_SECONDS),
    tellScarceUnits(env),
  ]);
  const failure = results.find((result) => result.status === "rejected");
  if (failure) throw failure.reason;
}

/**
 * Runs the nightly jobs (the last one begins a backup), each in an object of its own: what one exhausts is not taken
 * from others. They go on when the caller ends.
 *
 * @returns what they did, when all have ended
 */
export async function runNightlyJobs(env: Env): Promise<JobResult[]> {
  const names = Object.keys(JOBS);
  const run = await beginRun(env, names);
  const runJob = async (job: string): Promise<JobResult> => {
    try {
      return await nightlyBackup(env, `job: ${job}`).runJob(job, run);
    } catch (error) {
      const result = { job, result: describeError(error), failed: true };
      await endJob(env, [run], result);
      return result;
    }
  };
  return Promise.all(names.map(runJob));
}

/** Steps of a nightly job, and attempts at each; an exception ends the job at once. */
const MAX_STEPS = 10_000;
const MAX_STEP_ATTEMPTS = 3;

/** Nightly job that is being run. */
interface JobRun {
  job: string;
  /** Runs that wait for it. */
  runs: number[];
  cursor?: string;
  steps: number;
  /** Attempts at the present step; the platform ended the earlier ones. */
  attempts: number;
  /** Number of things that the steps did. */
  done: number;
}

/** Attempts per slice, and milliseconds before the second, doubled each time. */
const MAX_ATTEMPTS = 5;
const RETRY_MS = 60_000;
/** Last file of a complete backup. */
const END = "end.tar";
/** Milliseconds after which an incomplete backup is removed. */
const INCOMPLETE_MS = 2 * DAY_MS;
const PAGE_SIZE = 1000;

interface Run {
  /** Null before the snapshot. */
  cursor: Cursor | null;
  attempts: number;
}

/**
 * Stores the nightly backup in R2, one slice per alarm: no invocation reaches the platform's limits, however large the
 * shop is, and an interrupted backup continues (docs/decisions/0027-backup.md). Further objects of this class run one
 * nightly job each, one step per alarm (docs/decisions/0043-nightly-jobs.md).
 */
export class NightlyBackup extends DurableObject<Env> {
  /** Callers of the job that is being run. */
  #waiting: ((result: JobResult) => void)[] = [];

  /** Runs a job; one that is being run is continued. @param run of the night, by its record */
  async runJob(job: string, run: number): Promise<JobResult> {
    const { storage } = this.ctx;
    const current = await storage.get<JobRun>("job");
    const { runs, ...rest } = current ?? { job, runs: [], steps: 0, attempts: 0, done: 0 };
    await storage.put<JobRun>("job", { ...rest, runs: [...runs, run] });
    if ((await storage.getAlarm()) === null) await storage.setAlarm(Date.now());
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async #runStep(current: JobRun): Promise<void> {
    const { storage } = this.ctx;
    const { job, cursor, steps, attempts } = current;
    const run = JOBS[job];
    if (!run) return this.#endJob({ job, result: "There is no such job", failed: true });
    if (attempts === MAX_STEP_ATTEMPTS)
      return this.#endJob({ job, result: `Step ${steps + 1} broke off ${attempts} times`, failed: true });
    if (steps === MAX_STEPS)
      return this.#endJob({ job, result: `Not finished after ${steps} steps`, failed: true });
    await storage.put<JobRun>("job", { ...current, attempts: attempts + 1 });
    await storage.sync();
    const { next, done, ...ended } = await runStep(this.env, run, cursor, current.done);
    if (next === undefined) return this.#endJob({ job, ...ended });
    const { runs } = (await storage.get<JobRun>("job")) ?? current;
    await storage.put<JobRun>("job", { job, runs, cursor: next, steps: steps + 1, attempts: 0, done });
    await storage.setAlarm(Date.now());
  }

  async #endJob(result: JobResult): Promise<void> {
    const { storage } = this.ctx;
    const waitingRuns = async () => (await storage.get<JobRun>("job"))?.runs ?? [];
    // Runs that come while the result is being recorded get it as well.
    for (let recorded = 0, runs = await waitingRuns(); recorded < runs.length; runs = await waitingRuns()) {
      await endJob(this.env, runs.slice(recorded), result);
      recorded = runs.length;
    }
    await storage.deleteAll();
    for (const resolve of this.#waiting.splice(0)) resolve(result);
  }

  /** Begins a backup unless one is being made. */
  async start(): Promise<void> {
    const { storage } = this.ctx;
    const run = await storage.get<Run>("run");
    // The platform gives up an alarm that has broken off several times.
    if (run && (await storage.getAlarm()) !== null) return;
    await this.#continueAt(Date.now(), run ?? { cursor: null, attempts: 0 });
  }

  override async alarm(): Promise<void> {
    const job = await this.ctx.storage.get<JobRun>("job");
    if (job) return this.#runStep(job);
    const run = await this.ctx.storage.get<Run>("run");
    if (!run) return;
    try {
      const cursor = run.cursor ?? (await beginBackup(this.env, "nightly"));
      // Before the slice: a repeated one belongs to the same backup.
      await this.ctx.storage.put("run", { cursor, attempts: run.attempts });
      const next = await storeNextSlice(this.env, cursor);
      if (next) return await this.#continueAt(Date.now(), { cursor: next, attempts: 0 });
      await reportDamage(this.env, cursor);
      await this.ctx.storage.deleteAll();
      await removeExpired(this.env.BUCKET);
    } catch (error) {
      await this.#retry(run, error);
    }
  }

  async #continueAt(at: number, run: Run): Promise<void> {
    await this.ctx.storage.put("run", run);
    await this.ctx.storage.setAlarm(at);
  }

  async #retry({ attempts }: Run, error: unknown): Promise<void> {
    const cursor = (await this.ctx.storage.get<Run>("run"))?.cursor ?? null;
    const reason = describeError(error);
    const isLast = attempts + 1 === MAX_ATTEMPTS;
    console.error(JSON.stringify({ level: "error", kind: "backup", attempt: attempts + 1, error: reason }));
    if (!isLast) {
      const wait = RETRY_MS * 2 ** attempts;
      return this.#continueAt(Date.now() + wait, { cursor, attempts: attempts + 1 });
    }
    await this.ctx.storage.deleteAll();
    if (cursor) await failBackup(this.env, cursor.id, reason);
  }
}

/** Stores the next slice while it is made. @returns cursor of the one after it, null after the last */
async function storeNextSlice(env: Env, cursor: Cursor): Promise<Cursor | null> {
  const { bytes, isLast, content } = await nextSlice(env, cursor);
  const { readable, writable } = new FixedLengthStream(bytes);
  const stored = env.BUCKET.put(keyOf(cursor, isLast), readable);
  const [next] = await Promise.all([write(content, writable.getWriter()), stored]);
  return next;
}

async function write<T>(
  content: AsyncGenerator<Uint8Array, T>,
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<T> {
  try {
    for (;;) {
      const { done, value } = await content.next();
      if (done) {
        await writer.close();
        return value;
      }
      await writer.write(value);
    }
  } catch (error) {
    await writer.abort(error).catch(() => {});
    throw error;
  }
}

/** Logs and records chats that the backup could not read. */
async function reportDamage(env: Env, { id, damaged = [] }: Cursor): Promise<void> {
  if (damaged.length === 0) return;
  console.error(JSON.stringify({ level: "error", kind: "backup", backup: id, damaged }));
  const message = `${damaged.length} chats could not be read: ${damaged[0]?.error}`;
  await recordError(env, "Nightly backup", id, message);
}

const keyOf = ({ id, slices }: Cursor, isLast: boolean) =>
  `${BACKUP_FOLDER}${id}/${isLast ? END : `${String(slices.length).padStart(6, "0")}.tar`}`;

/** Lists the ids of complete backups in the bucket, oldest first. */
export async function storedBackups(bucket: R2Bucket): Promise<string[]> {
  const ids = await allBackups(bucket);
  const ends = await Promise.all(ids.map((id) => bucket.head(`${BACKUP_FOLDER}${id}/${END}`)));
  return ids.filter((_, i) => ends[i] !== null);
}

async function allBackups(bucket: R2Bucket): Promise<string[]> {
  const { delimitedPrefixes } = await bucket.list({ prefix: BACKUP_FOLDER, delimiter: "/" });
  return delimitedPrefixes.map((prefix) => prefix.slice(BACKUP_FOLDER.length, -1)).sort();
}

/** Removes the backups that retention drops, and incomplete ones of the days before. */
async function removeExpired(bucket: R2Bucket): Promise<void> {
  const complete = await storedBackups(bucket);
  const old = new Date(Date.now() - INCOMPLETE_MS).toISOString();
  const incomplete = (await allBackups(bucket)).filter((id) => !complete.includes(id) && id < old);
  for (const id of [...expiredBackups(complete), ...incomplete]) {
    for (let keys = await backupFiles(bucket, id); keys.length > 0; keys = await backupFiles(bucket, id))
      await bucket.delete(keys);
  }
}

/** Lists the files of a stored backup in order. @param after key behind which the list begins */
export async function backupFiles(bucket: R2Bucket, id: string, after?: string): Promise<string[]> {
  const { objects } = await bucket.list({
    prefix: `${BACKUP_FOLDER}${id}/`,
    limit: PAGE_SIZE,
    ...(after && { startAfter: after }),
  });
  return objects.map(({ key }) => key);
}
