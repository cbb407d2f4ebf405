import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { submit } from "../support/forms";
import { admin, manager, person, problems, seller } from "../support/people";
import {
  accountLog,
  codeOf,
  codesOf,
  FACTOR_PATH,
  factorForm,
  isTold,
  pass,
  recoveryIn,
  signIn,
  signInUnder,
  storedFactor,
  withFactor,
  wrongCode,
} from "../support/second-factor";
import { call } from "../support/shop";

let sent: MockInstance;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  sent = vi.spyOn(env.MAIL, "send").mockReset().mockResolvedValue({ messageId: "1" });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a second factor that is on", () => {
  it("gives new recovery codes for password and code, which end the former", async () => {
    const who = await withFactor(await manager());
    pass(60);
    const ask = (more: Record<string, string>) =>
      factorForm(
        { intent: "factorCodes", currentPassword: who.password, code: codeOf(who.secret), ...more },
        who,
      );
    expect((await ask({ currentPassword: "Wrong1!aa" })).status).toBe(400);
    expect((await ask({ code: wrongCode(who.secret) })).status).toBe(400);
    const made = await ask({});
    const codes = recoveryIn(await made.text());
    expect(codes).toHaveLength(10);
    expect((await signIn(who, who.recovery[0])).status).toBe(400);
    expect((await signIn(who, codes[0])).status).toBe(200);
  });

  it("is turned off by password and code, which the log and a mail say", async () => {
    const who = await withFactor(await seller());
    pass(60);
    const off = (more: Record<string, string>) =>
      factorForm(
        { intent: "factorOff", currentPassword: who.password, code: codeOf(who.secret), ...more },
        who,
      );
    expect((await off({ code: wrongCode(who.secret) })).status).toBe(400);
    expect((await off({ currentPassword: "Wrong1!aa" })).status).toBe(400);
    expect((await off({})).headers.get("Location")).toBe(FACTOR_PATH);
    expect([await storedFactor(who.id), await codesOf(who.id)]).toEqual([null, []]);
    expect((await signIn(who)).status).toBe(200);
    expect((await accountLog(who.id)).map(({ action }) => action)).toContain("factorTurnedOff");
    await expect.poll(() => isTold(sent, "your second factor at Emporia was turned off.")).toBe(true);
  });

  it("counts no text that is no code among the wrong ones", async () => {
    const who = await withFactor(await seller());
    for (const text of ["12345", "Second1!aa", "2JQK-7B4E"])
      expect((await signIn(who, text)).status).toBe(400);
    expect(await storedFactor(who.id)).toMatchObject({ failures: 0 });
    expect((await signIn(who, wrongCode(who.secret))).status).toBe(400);
    expect(await storedFactor(who.id)).toMatchObject({ failures: 1 });
  });

  it("stays when COOKIE_SECRET is replaced: a code seals it with the new secret", async () => {
    const who = await withFactor(await seller());
    pass(60);
    const next = "n".repeat(40);
    const rotated = `${next},${env.COOKIE_SECRET}`;
    expect((await signInUnder(rotated, who, codeOf(who.secret))).status).toBe(200);
    const stored = await storedFactor(who.id);
    pass(60);
    expect((await signInUnder(rotated, who, codeOf(who.secret))).status).toBe(200);
    expect((await storedFactor(who.id))?.secret).toBe(stored?.secret);
    pass(60);
    expect((await signInUnder(next, who, codeOf(who.secret))).status).toBe(200);
  });

  it("that no secret of the shop opens says so, counts nothing and gives way to recovery codes", async () => {
    const who = await withFactor(await seller());
    pass(60);
    const answer = await signInUnder("n".repeat(40), who, codeOf(who.secret));
    expect(await problems(answer)).toEqual([
      "code: The shop can't check your authenticator any more. Use a recovery code, then turn the second factor off and on again.",
    ]);
    expect(await storedFactor(who.id)).toMatchObject({ failures: 0 });
    expect((await signInUnder("n".repeat(40), who, who.recovery[0] ?? "")).status).toBe(200);
  });

  it("is asked for where an API key is made, and not where the key calls", async () => {
    const who = await withFactor(await manager());
    pass(60);
    const make = (code?: string) =>
      submit(
        "/admin/integrations",
        {
          ...{ intent: "create-key", name: "Till", scope: "read", currentPassword: who.password },
          ...(code !== undefined && { code }),
        },
        { token: who.token },
      );
    expect((await make()).status).toBe(400);
    expect((await make(wrongCode(who.secret))).status).toBe(400);
    const [key = ""] = /emp_[\w-]{32}/.exec(await (await make(codeOf(who.secret))).text()) ?? [];
    expect((await call("/api/sale", { token: key })).status).toBe(200);
  });

  it("goes with the account", async () => {
    const [boss, who] = [await admin(), await withFactor(await seller())];
    await call(`/api/user/${who.id}`, { method: "DELETE", token: boss.token });
    expect([await storedFactor(who.id), await codesOf(who.id)]).toEqual([null, []]);
  });
});

describe("a colleague's second factor", () => {
  const reset = (id: string, { token }: { token: string }) =>
    submit("/admin/users-management", { intent: "resetFactor", id }, { token });

  it("is reset by an admin, which ends their sessions and is told by mail", async () => {
    const [boss, who] = [await admin(), await withFactor(await manager())];
    const edit = await (await call(`/admin/users-management?edit=${who.id}`, { token: boss.token })).text();
    expect(edit).toContain("Signs in with a second factor.");
    const dialog = await call(`/admin/users-management?dialog=factor.${who.id}`, { token: boss.token });
    expect(await dialog.text()).toContain("Reset the second factor");
    expect((await reset(who.id, boss)).status).toBe(303);
    expect((await call("/api/auth/me", { token: who.token })).status).toBe(401);
    expect((await signIn(who)).status).toBe(200);
    expect(await codesOf(who.id)).toEqual([]);
    expect((await accountLog(who.id)).map(({ action }) => action)).toContain("factorReset");
    await expect.poll(() => isTold(sent, "your second factor at Emporia was reset.")).toBe(true);
    expect((await reset(who.id, boss)).status).toBe(409);
  });

  it("is reset by nobody else, and not one's own", async () => {
    const [boss, who] = [await withFactor(await admin()), await withFactor(await seller())];
    for (const other of [await manager(), await seller(), await person()])
      expect((await reset(who.id, other)).headers.get("Location")).toBe("/unauthorized");
    expect((await reset(boss.id, boss)).status).toBe(409);
    expect(await storedFactor(who.id)).not.toBeNull();
    expect(await storedFactor(boss.id)).not.toBeNull();
  });
});
