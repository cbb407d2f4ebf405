import type { Db } from "~/db/client.server";
import type { JobResult } from "~/db/schema";
import { DAY_SECONDS, HOUR_SECONDS } from "~/domain/durations";
import { readErrorHours, readNight } from "./queries.server";

type NightRead = Awaited<ReturnType<typeof readNight>>;

/** Problem of the installation that its owner has to know. */
export interface Problem {
  /** Identifies the incident, which is told once. */
  problem: string;
  message: string;
}

/** Age at which a nightly run or backup is missing: a day, and time to make it. */
const MISSING_SECONDS = 26 * HOUR_SECONDS;
/** Age of the database at which the first night is missing: the shop is deployed some time after it. */
const FIRST_SECONDS = 36 * HOUR_SECONDS;
/** Time in which a nightly run ends. */
const RUN_SECONDS = 2 * HOUR_SECONDS;
/** Failed requests in two hours that are a problem, and how many times as many as usual. */
const MANY_ERRORS = 10;
const TIMES_USUAL = 3;
const DAY_HOURS = 24;
const PROBLEM_ERRORS = "errors";

/**
 * Lists the problems of the installation: those of the night, and more failed requests than usual.
 *
 * @param now epoch seconds
 * @param told problems that the owner knows; more errors than usual end when they are half as many
 */
export async function findProblems(db: Db, now: number, told: string[] = []): Promise<Problem[]> {
  const hour = now - (now % HOUR_SECONDS);
  const [{ problems }, hours] = await Promise.all([
    readNightState(db, now),
    readErrorHours(db, hour - HOUR_SECONDS - DAY_SECONDS),
  ]);
  const since = (from: number) => hours.reduce((sum, each) => sum + (each.hour >= from ? each.errors : 0), 0);
  const recent = since(hour - HOUR_SECONDS);
  const usual = (since(0) - recent) / (DAY_HOURS / 2);
  const limit = Math.max(MANY_ERRORS, TIMES_USUAL * usual) / (told.includes(PROBLEM_ERRORS) ? 2 : 1);
  if (recent < limit) return problems;
  const message = `${recent} requests have failed in the last two hours, more than usual`;
  return [...problems, { problem: PROBLEM_ERRORS, message }];
}

/**
 * Reads how the night was: its problems are failed and late jobs, an old backup and webhooks that fail.
 *
 * @param now epoch seconds
 */
export async function readNightState(db: Db, now: number): Promise<{ problems: Problem[]; hasRun: boolean }> {
  const { runs, backupAt, firstRunAt, createdAt, webhooks } = await readNight(db);
  const isMissing = (at: number | null | undefined) => {
    const latest = at ?? firstRunAt;
    return latest === null ? (createdAt ?? now) < now - FIRST_SECONDS : latest < now - MISSING_SECONDS;
  };
  const problems: Problem[] = [];
  if (isMissing(runs[0]?.startedAt))
    problems.push({
      problem: "night missing",
      message: runs[0]
        ? "The nightly run has not begun for more than 26 hours"
        : "The nightly run has never begun: look for the triggers of the Worker",
    });
  if (isMissing(backupAt))
    problems.push({
      problem: "backup missing",
      message:
        backupAt === null
          ? "No backup has ever been completed"
          : "No backup was completed for more than 26 hours",
    });
  // A run that is under way tells nothing yet.
  const run = runs.find(({ startedAt, jobs }) => startedAt < now - RUN_SECONDS || !jobs.some(isPending));
  for (const job of run?.jobs ?? []) if (job.failed || isPending(job)) problems.push(ofJob(job));
  return {
    problems: [...problems, ...webhooks.map(ofWebhook)],
    hasRun: run !== undefined && backupAt !== null,
  };
}

const ofWebhook = ({ id, host, disabledAt, note }: NightRead["webhooks"][number]): Problem => ({
  problem: `webhook ${id} ${disabledAt ?? "fails"}`,
  message: disabledAt
    ? `The webhook to ${host} was disabled: ${note}`
    : `Deliveries of the webhook to ${host} fail and are repeated`,
});

const isPending = ({ pending = false }: JobResult) => pending;

const ofJob = ({ job, result, failed }: JobResult): Problem => ({
  problem: `job: ${job}`,
  message: failed ? `Nightly job failed: ${job}. ${result}` : `Nightly job has not ended: ${job}`,
});
