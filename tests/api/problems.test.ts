import { createExecutionContext, createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import worker from "worker-under-test";
import type { JobResult } from "~/db/schema";
import { tellProblems } from "~/features/health/alerts.server";
import { WATCH_CRON } from "../../workers/nightly";
import { admin } from "../support/people";
import { call, insert } from "../support/shop";

const HOUR = 3600;
const run = (statement: string) => env.DB.prepare(statement).run();

describe("problems of the installation", () => {
  const now = Math.floor(Date.now() / 1000);
  let sent: MockInstance;
  const record = (table: string, row: Record<string, unknown>) => insert(table, [row]);
  const night = (startedAt: number, jobs: JobResult[]) =>
    record("nightly_runs", { started_at: startedAt, duration_ms: 1, jobs: JSON.stringify(jobs) });
  const backup = (finishedAt: number) =>
    record("backups", {
      id: new Date(finishedAt * 1000).toISOString(),
      kind: "nightly",
      state: "done",
      started_at: finishedAt,
      active_at: finishedAt,
      finished_at: finishedAt,
    });
  /** Texts of the mails that a check sends. */
  const mailsAt = async (at: number) => {
    sent.mockClear();
    await tellProblems(env, at);
    return sent.mock.calls.map(([{ to, "EmailMessage::raw": raw }]) => ({
      to: String(to),
      text: String(raw),
    }));
  };
  /** Joins the lines of a mail. */
  const readable = (mail: { text: string } | undefined) =>
    mail?.text.replaceAll(/=\r?\n/g, "").replaceAll(/\s+/g, " ") ?? "";
  const done: JobResult = { job: "audit log", result: "done", failed: false };

  beforeEach(async () => {
    sent = vi.spyOn(env.MAIL, "send").mockResolvedValue({ messageId: "1" });
    for (const table of ["alerts", "nightly_runs", "backups", "error_hours", "sessions", "users"])
      await run(`DELETE FROM ${table}`);
    await night(now - HOUR, [done]);
    await backup(now - HOUR);
  });

  it("are none after a good night", async () => {
    expect(await mailsAt(now)).toEqual([]);
  });

  it.each([
    ["a failed night", "Nightly job failed: audit log. Row 7 is missing"],
    ["a night that has not begun", "The nightly run has not begun for more than 26 hours"],
    ["an old backup", "No backup was completed for more than 26 hours"],
    ["more failed requests than usual", "12 requests have failed in the last two hours"],
  ])("name %s, and nothing else", async (what, message) => {
    const late = now + 26 * HOUR;
    if (what === "a failed night")
      await night(now - 60, [{ ...done, failed: true, result: "Row 7 is missing" }]);
    if (what === "a night that has not begun") await backup(late);
    if (what === "an old backup") await night(late, [done]);
    if (what === "more failed requests than usual")
      await env.DB.prepare("INSERT INTO error_hours VALUES (?, 12)")
        .bind(now - (now % HOUR))
        .run();
    const isLate = what === "a night that has not begun" || what === "an old backup";
    const [mail, ...others] = await mailsAt(isLate ? late : now);
    const text = readable(mail);
    const told = ["Nightly job failed", "The nightly run has not", "No backup was", "requests have failed"];
    expect(others).toEqual([]);
    expect(text).toContain(message);
    expect(told.filter((words) => text.includes(words))).toHaveLength(1);
  });

  it("are a night and a backup that a shop has never had, 36 hours after its database was made", async () => {
    for (const table of ["nightly_runs", "backups"]) await run(`DELETE FROM ${table}`);
    await env.DB.prepare("UPDATE d1_migrations SET applied_at = datetime(?, 'unixepoch')").bind(now).run();
    expect(await mailsAt(now + 36 * HOUR)).toEqual([]);
    const [mail, ...others] = await mailsAt(now + 36 * HOUR + 1);
    expect(others).toEqual([]);
    expect(readable(mail)).toContain("The nightly run has never begun");
    expect(readable(mail)).toContain("No backup has ever been completed");
    await night(now + 37 * HOUR, [done]);
    await backup(now + 37 * HOUR);
    expect(await mailsAt(now + 37 * HOUR)).toEqual([]);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM alerts").first("n"), "over").toBe(0);
  });

  it("are named by Health as by the mail: the night that never was, and the backup beside it", async () => {
    for (const table of ["nightly_runs", "backups"]) await run(`DELETE FROM ${table}`);
    await run("UPDATE d1_migrations SET applied_at = datetime('now', '-37 hours')");
    const { token } = await admin();
    const page = await (await call("/admin/health", { token })).text();
    const named = page.split("Needs attention")[1]?.split("</section>")[0];
    expect(named).toContain("The nightly run has never begun");
    expect(named).toContain("No backup has ever been completed");
  });

  it("are told to SUPPORT_EMAIL once, and again after they were over", async () => {
    expect(await mailsAt(now + 24 * HOUR)).toEqual([]);
    const late = now + 26 * HOUR;
    expect(await mailsAt(late)).toHaveLength(1);
    expect(await mailsAt(late + 900)).toEqual([]);
    await night(late, [done]);
    await backup(late);
    expect(await mailsAt(late + 1800)).toEqual([]);
    expect(await mailsAt(late + 27 * HOUR)).toHaveLength(1);
  });

  it("are told to every active admin, again when all mails were refused", async () => {
    const { email } = await admin();
    await night(now - 60, [{ ...done, failed: true, result: "Row 7 is missing" }]);
    vi.spyOn(console, "warn").mockReturnValue();
    sent.mockRejectedValueOnce(new Error("refused"));
    expect((await mailsAt(now)).map(({ to }) => to)).toEqual([email]);
    expect(await mailsAt(now)).toHaveLength(1);
    expect(await mailsAt(now)).toEqual([]);
  });

  it("are jobs that failed or have not ended, each by itself", async () => {
    await night(now - 3 * HOUR + 1, [done]);
    await night(now, [{ ...done, pending: true }]);
    expect(await mailsAt(now + HOUR), "under way").toEqual([]);
    expect(await mailsAt(now + 3 * HOUR)).toHaveLength(1);
    await night(now + 4 * HOUR, [
      { ...done, failed: true },
      { job: "deleted entries", result: "", failed: true },
    ]);
    expect(await mailsAt(now + 4 * HOUR), "another job").toHaveLength(1);
    expect(await mailsAt(now + 5 * HOUR)).toEqual([]);
  });

  it("are more failed requests than usual, until they are half as many", async () => {
    const hour = now - (now % HOUR);
    const errors = (at: number, count: number) =>
      env.DB.prepare("INSERT OR REPLACE INTO error_hours VALUES (?, ?)").bind(at, count).run();
    for (let i = 2; i < 26; i++) await errors(hour - i * HOUR, 2);
    await errors(hour, 11);
    expect(await mailsAt(now), "usual: 4 in two hours").toEqual([]);
    await errors(hour, 12);
    expect(await mailsAt(now)).toHaveLength(1);
    await errors(hour, 7);
    await mailsAt(now);
    await errors(hour, 12);
    expect(await mailsAt(now), "the same incident").toEqual([]);
    await errors(hour, 3);
    await mailsAt(now);
    await errors(hour, 12);
    expect(await mailsAt(now), "another one").toHaveLength(1);
  });

  it("are told by the trigger that seals the audit log", async () => {
    await run("DELETE FROM backups");
    await night(7, [done]);
    await worker.scheduled(createScheduledController({ cron: WATCH_CRON }), env, createExecutionContext());
    expect(sent).toHaveBeenCalledTimes(1);
  });
});
