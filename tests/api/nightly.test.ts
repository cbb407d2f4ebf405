import {
  createExecutionContext,
  createScheduledController,
  runDurableObjectAlarm,
  runInDurableObject,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import worker from "worker-under-test";
import type { JobResult } from "~/db/schema";
import { maintainAuditLog } from "~/features/audit/operations.server";
import { JOBS } from "../../workers/nightly";
import { allSteps } from "../support/nightly";
import { ok, operate } from "../support/operator";
import { admin } from "../support/people";
import { recordedD1 } from "../support/recorded-d1";
import { call, insert } from "../support/shop";

const HOUR = 3600;
const run = (statement: string) => env.DB.prepare(statement).run();

describe("a step of a nightly job", () => {
  it.each([300, 900])(
    "seals and checks %i rows of the audit log with a bounded number of queries",
    async (rows) => {
      await run(`INSERT INTO audit_log WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ${rows})
      SELECT NULL, unixepoch(), 'system', NULL, NULL, 'changed', 'product', 'x', '{}' FROM many`);
      const last = await env.DB.prepare("SELECT max(seq) AS n FROM audit_log").first<number>("n");
      const steps: number[] = [];
      const result = await allSteps(
        async (_, cursor) => {
          const { database, statements } = recordedD1(env.DB);
          const done = await maintainAuditLog({ ...env, DB: database }, cursor, { rows: 10, chunks: 4 });
          steps.push(statements.length);
          return done;
        },
        () => env,
      );
      expect(result).toMatch(new RegExp(`^whole to row ${last}, `));
      expect(steps.length).toBeGreaterThan(rows / 40);
      expect(Math.max(...steps)).toBeLessThanOrEqual(24);
    },
  );
});

const lastJobs = async () => {
  const row = await env.DB.prepare(
    "SELECT jobs FROM nightly_runs ORDER BY started_at DESC LIMIT 1",
  ).first<string>("jobs");
  return JSON.parse(row ?? "[]") as JobResult[];
};

describe("a night", () => {
  beforeEach(() => run("DELETE FROM nightly_runs"));

  it("with a failing job does all others, and Health names it", async () => {
    const logged = vi.spyOn(console, "error").mockReturnValue();
    await insert("push_subscriptions", [
      { endpoint: "https://push.example.com/1", p256dh: "", auth: "", chat_id: "old", created_at: 7 },
    ]);
    await run(
      "CREATE TRIGGER kept BEFORE DELETE ON push_subscriptions BEGIN SELECT RAISE(ABORT, 'kept'); END",
    );
    const jobs = (await (await ok(operate("POST", "nightly"))).json()) as JobResult[];
    await run("DROP TRIGGER kept");
    logged.mockClear();
    expect(jobs.filter(({ failed }) => failed).map(({ job }) => job)).toEqual(["unused push subscriptions"]);
    expect(jobs.map(({ job }) => job)).toEqual(Object.keys(JOBS));
    expect(await lastJobs()).toEqual(jobs);
    const { token } = await admin();
    const page = await (await call("/admin/health", { token })).text();
    expect(page).toContain("Nightly job failed: unused push subscriptions");
  });

  it("ends a job whose step the platform has ended several times", async () => {
    const logged = vi.spyOn(console, "error").mockReturnValue();
    const jobs: JobResult[] = [{ job: "deleted entries", result: "", failed: false, pending: true }];
    await insert("nightly_runs", [{ started_at: 7, duration_ms: 0, jobs: JSON.stringify(jobs) }]);
    const object = env.NIGHTLY_BACKUP.getByName("job: deleted entries");
    await runInDurableObject(object, async (_, { storage }) => {
      await storage.put("job", { job: "deleted entries", runs: [7], steps: 4, attempts: 3, done: 0 });
      await storage.setAlarm(Date.now() + 60_000);
    });
    await runDurableObjectAlarm(object);
    logged.mockClear();
    expect(await lastJobs()).toEqual([
      { job: "deleted entries", result: "Step 5 broke off 3 times", failed: true },
    ]);
  });

  it("continues a job that broke off in the night before, for both", async () => {
    const before = Math.floor(Date.now() / 1000) - 24 * HOUR;
    const pending = JSON.stringify([{ job: "deleted entries", result: "", failed: false, pending: true }]);
    await insert("nightly_runs", [{ started_at: before, duration_ms: 0, jobs: pending }]);
    const object = env.NIGHTLY_BACKUP.getByName("job: deleted entries");
    await runInDurableObject(object, (_, { storage }) =>
      storage.put("job", { job: "deleted entries", runs: [before], steps: 0, attempts: 1, done: 0 }),
    );
    await worker.scheduled(createScheduledController(), env, createExecutionContext());
    const { results } = await env.DB.prepare("SELECT jobs FROM nightly_runs").all<{ jobs: string }>();
    expect(results).toHaveLength(2);
    for (const { jobs } of results) expect(jobs).not.toContain("pending");
  });
});
