import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { openDb } from "~/db/client.server";
import { staffAddresses } from "~/features/chat/operations/rooms.server";
import { tellProblems } from "~/features/health/alerts.server";
import { tellScarceUnits } from "~/features/inventory/scarce-notices.server";
import { findStaffTargets } from "~/features/push/queries.server";
import { INITIAL_PREFERENCES } from "~/features/push/schema";
import { startChat } from "../support/chat";
import { admin, manager, person, seller } from "../support/people";
import { newBrowser } from "../support/push-service";
import { json } from "../support/sales";
import { addProduct, call, insert, setStock } from "../support/shop";

let sent: MockInstance;
beforeEach(async () => {
  sent = vi.spyOn(env.MAIL, "send").mockResolvedValue({ messageId: "1" });
  for (const table of ["push_preferences", "push_subscriptions", "alerts", "nightly_runs", "scarce_notices"])
    await env.DB.exec(`DELETE FROM ${table}`);
  await env.DB.exec("DELETE FROM users");
});

const PATH = "/api/push/preferences";
const change = (token: string, changes: object) => call(PATH, { method: "PATCH", json: changes, token });
const read = (token: string) => json(call(PATH, { token }));
const mailed = () => sent.mock.calls.map(([{ to }]) => String(to)).toSorted();

describe("of what a member of staff is told", () => {
  it.each([
    ["an admin", admin],
    ["a manager", manager],
    ["a seller", seller],
  ])("is chosen by %s alone, for each kind and way", async (_, make) => {
    const [{ token }, other] = [await make(), await admin()];
    expect(await read(token)).toEqual(INITIAL_PREFERENCES);
    const answer = await change(token, { messageMail: false, lowStockPush: true });
    expect(await answer.json()).toEqual({ ...INITIAL_PREFERENCES, messageMail: false, lowStockPush: true });
    expect(await read(token)).toMatchObject({ messageMail: false, lowStockPush: true, assignedPush: true });
    expect(await read(other.token)).toEqual(INITIAL_PREFERENCES);
  });

  it("is nobody else's: not a visitor's, not a customer's", async () => {
    expect((await call(PATH)).status).toBe(401);
    expect((await change((await person()).token, { messageMail: false })).status).toBe(403);
    expect((await change((await manager()).token, { messageMail: "perhaps" })).status).toBe(400);
  });

  it("is saved by forms of the settings and the console without JavaScript; others' switches stay", async () => {
    const { token } = await manager();
    for (const path of ["/admin/settings?group=notifications", "/admin/chat?tab=settings"]) {
      await change(token, INITIAL_PREFERENCES);
      const html = await (await call(path, { token })).text();
      const [, switches = ""] = /name="switches" value="([\w,]+)"/.exec(html) ?? [];
      const ticked = { hasPreview: "on", lowStockMail: "on" };
      const body = new URLSearchParams({ intent: "notifications", switches, ...ticked });
      const answer = await call(path, { body, token });
      expect(answer.status).toBe(303);
      const off = { messagePush: false, messageMail: false, assignedPush: false, assignedMail: false };
      // What admins alone are told stays as it was.
      expect(await read(token)).toEqual({ ...INITIAL_PREFERENCES, ...off, lowStockMail: true });
      expect(await (await call(path, { token })).text()).toMatch(/name="lowStockMail"[^>]*checked/);
    }
  });

  it("keeps the switches that a form did not have, as one that a seller opened before becoming an admin", async () => {
    const { token } = await admin();
    const fields = { intent: "notifications", switches: "hasPreview,lowStockMail", lowStockMail: "on" };
    await call("/admin/settings?group=notifications", { body: new URLSearchParams(fields), token });
    expect(await read(token)).toEqual({ ...INITIAL_PREFERENCES, hasPreview: false, lowStockMail: true });
  });

  it("stays whole when two switches are changed at once", async () => {
    const { token } = await manager();
    await Promise.all([change(token, { messageMail: false }), change(token, { lowStockMail: true })]);
    expect(await read(token)).toEqual({ ...INITIAL_PREFERENCES, messageMail: false, lowStockMail: true });
  });
});

describe("the switches", () => {
  it("leave people out of the mails of waiting messages, and browsers out of notifications", async () => {
    const [one, two] = [await manager(), await manager()];
    await call("/api/push", { json: newBrowser().subscription, token: one.token });
    const { db } = openDb(env.DB);
    const key = await env.DB.prepare("SELECT public_key FROM push_subscriptions").first<string>("public_key");
    const targets = () => findStaffTargets(db, "message", key ?? "", 1);
    expect(await targets()).toHaveLength(1);
    await change(one.token, { messageMail: false, messagePush: false });
    expect((await staffAddresses(env)).map(({ email }) => email)).toEqual([two.email]);
    expect(await targets()).toEqual([]);
  });

  it("leave the assignee without a mail", async () => {
    const [by, to] = [await manager(), await manager()];
    const assign = async () => {
      const { chatId } = await startChat({ initialMessage: "Hello" });
      sent.mockClear();
      await call(`/api/chat/${chatId}`, { method: "PATCH", json: { assigneeId: to.id }, token: by.token });
    };
    await assign();
    await expect.poll(mailed).toEqual([to.email]);
    await change(to.token, { assignedMail: false });
    await assign();
    expect(mailed()).toEqual([]);
  });

  it("choose the admins who are mailed about a failed night, without anybody else in their place", async () => {
    const [one, two] = [await admin(), await admin()];
    await manager();
    const now = Math.floor(Date.now() / 1000);
    const jobs = JSON.stringify([{ job: "audit log", result: "Row 7", failed: true }]);
    const fail = async () => {
      await env.DB.exec("DELETE FROM alerts");
      await env.DB.exec("DELETE FROM nightly_runs");
      sent.mockClear();
      await insert("nightly_runs", [{ started_at: now - 60, duration_ms: 1, jobs }]);
      await tellProblems(env, now);
    };
    await fail();
    expect(mailed()).toEqual([one.email, two.email].toSorted());
    await change(one.token, { nightMail: false });
    await fail();
    expect(mailed()).toEqual([two.email]);
    await change(two.token, { nightMail: false });
    await fail();
    expect(mailed()).toEqual([]);
  });

  it("mail what stock has become low, once for each fall, to those who want it", async () => {
    const one = await manager();
    await manager();
    await addProduct({ id: "lamp", name: "Oak <lamp>", stock: 9 });
    await setStock("lamp", 3);
    await tellScarceUnits(env);
    expect(mailed()).toEqual([]);
    await change(one.token, { lowStockMail: true });
    await setStock("lamp", 9);
    await setStock("lamp", 4);
    await setStock("lamp", 2);
    await tellScarceUnits(env);
    await tellScarceUnits(env);
    expect(mailed()).toEqual([one.email]);
    const raw = String(sent.mock.calls[0]?.[0]["EmailMessage::raw"]).replaceAll(/=\r?\n/g, "");
    expect(raw).toContain("Oak <lamp>: 2 left");
    expect(raw).toContain("Oak &#60;lamp&#62;: 2 left");
    sent.mockClear();
    await setStock("lamp", 9);
    await tellScarceUnits(env);
    expect(mailed()).toEqual([]);
  });

  it("mail what stock has become low after an import at once, and name fifty", async () => {
    const { token } = await manager();
    await change(token, { lowStockMail: true });
    for (let i = 0; i < 53; i++) await addProduct({ name: `Crate ${i}`, stock: 2 });
    await env.DB.exec("INSERT OR IGNORE INTO scarce_notices SELECT id FROM units WHERE stock = 2 LIMIT 53");
    await tellScarceUnits(env);
    await tellScarceUnits(env);
    expect(sent).toHaveBeenCalledTimes(1);
    const raw = String(sent.mock.calls[0]?.[0]["EmailMessage::raw"]).replaceAll(/=\r?\n/g, "");
    expect(raw).toContain("<li>and 3 more</li>");
    expect(raw.match(/<li>.+: 2 left/g)).toHaveLength(50);
  });

  it.each([
    ["E_RECIPIENT_SUPPRESSED", 1],
    ["E_RECIPIENT_NOT_ALLOWED", 2],
    ["E_SENDER_NOT_VERIFIED", 2],
    ["550 5.1.1 User unknown", 1],
    ["550 5.7.1 Sender rejected", 2],
    ["503 Service Unavailable", 2],
    ["450 4.2.1 Try later", 2],
    ["E_DAILY_LIMIT_EXCEEDED", 2],
  ])("mail it to one whom nothing reaches as often as it may help: %s", async (refusal, times) => {
    vi.spyOn(console, "warn").mockReturnValue();
    const { token } = await manager();
    await change(token, { lowStockMail: true });
    const id = await addProduct({ stock: 9 });
    await setStock(id, 3);
    sent.mockReset().mockRejectedValue(new Error(refusal));
    await tellScarceUnits(env);
    await tellScarceUnits(env);
    expect(sent).toHaveBeenCalledTimes(times);
  });

  it("mail it again when every mail was refused", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const [one, two] = [await manager(), await manager()];
    for (const { token } of [one, two]) await change(token, { lowStockMail: true });
    await addProduct({ id: "tray", stock: 9 });
    await setStock("tray", 3);
    sent.mockRejectedValue(new Error("down"));
    await tellScarceUnits(env);
    sent.mockReset().mockRejectedValueOnce(new Error("down")).mockResolvedValue({ messageId: "1" });
    await tellScarceUnits(env);
    await tellScarceUnits(env);
    expect(mailed()).toEqual([one.email, two.email].toSorted());
  });
});
