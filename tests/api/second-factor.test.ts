import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { CookieJar } from "../support/cookie-jar";
import { submit } from "../support/forms";
import { admin, from, manager, person, readAnswer, seller } from "../support/people";
import {
  accountLog,
  codeOf,
  codesOf,
  FACTOR_PATH,
  type FactorPerson,
  factorForm,
  isTold,
  keyIn,
  mailText,
  pass,
  recoveryIn,
  signIn,
  storedFactor,
  withFactor,
  wrongCode,
} from "../support/second-factor";
import { call, cookiesOf } from "../support/shop";

let sent: MockInstance;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  sent = vi.spyOn(env.MAIL, "send").mockReset().mockResolvedValue({ messageId: "1" });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Signs in on the page: first the password, then the code. */
async function signInByPage({ email, password }: { email: string; password: string }, path = "/login") {
  const jar = new CookieJar();
  const redirectTo = new URL(path, "http://shop").searchParams.get("redirectTo");
  const answer = await submit(path, {
    ...{ intent: "signIn", email, password },
    ...(redirectTo && { redirectTo }),
  });
  jar.keep(answer);
  return { jar, answer, to: answer.headers.get("Location") ?? "" };
}

const giveCode = (jar: CookieJar, code: string, more: Record<string, string> = {}) =>
  submit("/login?code=1", { intent: "code", code, ...more }, { cookie: jar.header });

describe("setting up a second factor", () => {
  it.each([
    ["an admin", admin],
    ["a manager", manager],
    ["a seller", seller],
  ])("works for %s, and stores neither the secret nor the recovery codes as they are", async (_, make) => {
    const who = await withFactor(await make());
    const row = JSON.stringify([await storedFactor(who.id), await codesOf(who.id)]);
    expect(await codesOf(who.id)).toHaveLength(10);
    for (const text of [who.secret, ...who.recovery, ...who.recovery.map((code) => code.replaceAll("-", ""))])
      expect(row).not.toContain(text);
    const entries = await accountLog(who.id);
    expect(entries.map(({ action, kind }) => [action, kind])).toEqual([["factorTurnedOn", "staff"]]);
    expect(JSON.stringify(entries)).not.toContain(who.secret);
    const page = await (await call(FACTOR_PATH, { token: who.token })).text();
    expect(page).toContain("10 recovery codes are");
    expect(recoveryIn(page)).toEqual([]);
  });

  it("is not offered to customers and not allowed to them", async () => {
    const customer = await person();
    expect(await (await call("/account", { token: customer.token })).text()).not.toContain("tab=factor");
    const begun = await factorForm({ intent: "factorBegin", currentPassword: customer.password }, customer);
    expect(begun.headers.get("Location")).toBe("/unauthorized");
    expect(cookiesOf(begun)).not.toContain("emporia_step=");
  });

  it("wants the password, and a right first code", async () => {
    const who = await manager();
    const wrong = await factorForm({ intent: "factorBegin", currentPassword: "Wrong1!aa" }, who);
    expect(wrong.status).toBe(400);
    expect(cookiesOf(wrong)).not.toContain("emporia_step=");
    const cookie = cookiesOf(await factorForm({ intent: "factorBegin", currentPassword: who.password }, who));
    const page = await (await call(FACTOR_PATH, { token: who.token, cookie })).text();
    const secret = keyIn(page);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(page).toContain('aria-label="QR code of the key"');
    const refused = await factorForm({ intent: "factorConfirm", code: wrongCode(secret) }, who, cookie);
    expect(refused.status).toBe(400);
    // The same secret is shown again, without JavaScript too.
    expect(keyIn(await refused.text())).toBe(secret);
    expect(await storedFactor(who.id)).toBeNull();
  });

  it("ends after ten minutes, and is nobody else's", async () => {
    const [who, other] = [await manager(), await manager()];
    const cookie = cookiesOf(await factorForm({ intent: "factorBegin", currentPassword: who.password }, who));
    const secret = keyIn(await (await call(FACTOR_PATH, { token: who.token, cookie })).text());
    const stolen = await factorForm({ intent: "factorConfirm", code: codeOf(secret) }, other, cookie);
    expect(stolen.status).toBe(409);
    pass(601);
    const late = await factorForm({ intent: "factorConfirm", code: codeOf(secret) }, who, cookie);
    expect(late.status).toBe(409);
    expect([await storedFactor(who.id), await storedFactor(other.id)]).toEqual([null, null]);
  });

  it("succeeds once of two at once, with ten codes", async () => {
    const who = await manager();
    const begin = () => factorForm({ intent: "factorBegin", currentPassword: who.password }, who);
    const cookies = [cookiesOf(await begin()), cookiesOf(await begin())];
    const secrets = await Promise.all(
      cookies.map(async (cookie) =>
        keyIn(await (await call(FACTOR_PATH, { token: who.token, cookie })).text()),
      ),
    );
    const answers = await Promise.all(
      cookies.map((cookie, i) =>
        factorForm({ intent: "factorConfirm", code: codeOf(secrets[i] ?? "") }, who, cookie),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await codesOf(who.id)).toHaveLength(10);
  });

  it("ends the other sessions of the account, not its own", async () => {
    const who = await manager();
    const { token: other } = await readAnswer(await signIn(who));
    await withFactor(who);
    expect((await call("/api/auth/me", { token: other })).status).toBe(401);
    expect((await call("/api/auth/me", { token: who.token })).status).toBe(200);
  });
});

describe("signing in with a second factor", () => {
  let who: FactorPerson;
  beforeEach(async () => {
    who = await withFactor(await manager());
    pass(60);
  });

  it("says through the API that the code is missing, and takes it in the same call", async () => {
    const asked = await signIn(who);
    expect(asked.status).toBe(401);
    expect(cookiesOf(asked)).not.toContain("emporia_session=");
    expect(await readAnswer(asked)).toMatchObject({
      message: "This account has a second factor. Send its code, or a recovery code, as code.",
      details: [{ path: "code" }],
    });
    const { token } = await readAnswer(await signIn(who, codeOf(who.secret)));
    expect((await call("/api/sale", { token })).status).toBe(200);
  });

  it("reveals nothing of it to a wrong password", async () => {
    const answer = await signIn({ ...who, password: "Wrong1!aa" }, codeOf(who.secret));
    expect([answer.status, (await readAnswer(answer)).message]).toEqual([401, "Invalid email or password"]);
  });

  it("leaves accounts without it as they were, whatever code they send", async () => {
    const [customer, colleague] = [await person(), await seller()];
    for (const one of [customer, colleague]) {
      expect((await signIn(one)).status).toBe(200);
      expect((await signIn(one, "123456")).status).toBe(200);
    }
  });

  it("takes a code once", async () => {
    const code = codeOf(who.secret);
    expect((await signIn(who, code)).status).toBe(200);
    const again = await signIn(who, code);
    expect(again.status).toBe(400);
    expect((await readAnswer(again)).details).toEqual([
      {
        path: "code",
        message: "This code is wrong, was used already, or is too old. Wait for the next one.",
      },
    ]);
    pass(30);
    expect((await signIn(who, codeOf(who.secret))).status).toBe(200);
  });

  it("takes the code of the half minute before and after, and none that is 90 seconds late", async () => {
    expect((await signIn(who, codeOf(who.secret, -90))).status).toBe(400);
    expect((await signIn(who, codeOf(who.secret, 60))).status).toBe(400);
    expect((await signIn(who, codeOf(who.secret, -30))).status).toBe(200);
    expect((await signIn(who, codeOf(who.secret, 30))).status).toBe(200);
    // The present one is before the last that was used.
    expect((await signIn(who, codeOf(who.secret))).status).toBe(400);
  });

  it("repeats no code while the clock goes back", async () => {
    const code = codeOf(who.secret);
    expect((await signIn(who, code)).status).toBe(200);
    pass(-60);
    const earlier = codeOf(who.secret);
    expect((await signIn(who, earlier)).status).toBe(400);
    expect((await signIn(who, code)).status).toBe(400);
    pass(90);
    expect((await signIn(who, codeOf(who.secret))).status).toBe(200);
  });

  it("lets one of two at once use a code", async () => {
    const code = codeOf(who.secret);
    const statuses = (await Promise.all([signIn(who, code), signIn(who, code), signIn(who, code)])).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([200, 400, 400]);
  });

  it("takes a recovery code once, typed in any way, and counts what is left", async () => {
    const [first = "", second = ""] = who.recovery;
    expect((await signIn(who, first.toLowerCase().replaceAll("-", " "))).status).toBe(200);
    expect((await signIn(who, first)).status).toBe(400);
    const statuses = (await Promise.all([signIn(who, second), signIn(who, second)])).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([200, 400]);
    expect(await codesOf(who.id)).toHaveLength(8);
    expect((await accountLog(who.id)).filter(({ action }) => action === "recoveryCodeUsed")).toHaveLength(2);
  });

  it("takes no recovery code of a colleague", async () => {
    const other = await withFactor(await seller());
    expect((await signIn(who, other.recovery[0])).status).toBe(400);
    expect(await codesOf(other.id)).toHaveLength(10);
  });

  it.each(["", " ", "12345", "1234567", "abcdef", "００００００", "' OR 1=1 --"])(
    "refuses %j",
    async (code) => {
      expect([400, 401]).toContain((await signIn(who, code)).status);
    },
  );

  it("counts attempts as those of passwords, ten a minute", async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) statuses.push((await signIn(who, wrongCode(who.secret))).status);
    expect(statuses.slice(0, 9)).toEqual(Array(9).fill(400));
    expect(statuses.at(-1)).toBe(429);
  });

  it("takes no code for an hour after 20 wrong ones in a row, tells the person, and takes recovery codes", async () => {
    expect((await signIn(who, wrongCode(who.secret))).status).toBe(400);
    expect(await storedFactor(who.id)).toMatchObject({ failures: 1 });
    await env.DB.prepare("UPDATE second_factors SET failures = 19 WHERE user_id = ?").bind(who.id).run();
    // The 20th and the one beside it: neither passes the other.
    const both = await Promise.all([signIn(who, wrongCode(who.secret)), signIn(who, wrongCode(who.secret))]);
    expect(both.map(({ status }) => status).sort()).toEqual([400, 429]);
    await expect
      .poll(() => isTold(sent, "your second factor at Emporia refuses codes for an hour."))
      .toBe(true);
    expect((await accountLog(who.id)).map(({ action }) => action)).toContain("factorLocked");
    const right = await signIn(who, codeOf(who.secret));
    expect([right.status, right.headers.get("Retry-After")]).toEqual([429, "3600"]);
    expect((await signIn(who, who.recovery[0])).status).toBe(200);
    pass(3601);
    expect((await signIn(who, codeOf(who.secret))).status).toBe(200);
    expect(await storedFactor(who.id)).toMatchObject({ failures: 0 });
  });

  it("asks for it on the second page of the form, keeps where to go, and signs in once", async () => {
    const { jar, answer, to } = await signInByPage(who, "/login?redirectTo=%2Fadmin%2Fholds");
    expect([answer.status, to]).toEqual([303, "/login?code=1&redirectTo=%2Fadmin%2Fholds"]);
    expect(jar.header).not.toContain("emporia_session=");
    const page = await (await call(to, { cookie: jar.header })).text();
    expect(page).toContain('name="code"');
    expect(page).toContain('name="redirectTo" value="/admin/holds"');
    const wrong = await giveCode(jar, wrongCode(who.secret), { redirectTo: "/admin/holds" });
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toContain('name="code"');
    const done = await giveCode(jar, codeOf(who.secret), { redirectTo: "/admin/holds" });
    expect([done.status, done.headers.get("Location")]).toEqual([303, "/admin/holds"]);
    jar.keep(done);
    expect(jar.header).toContain("emporia_session=");
    expect(jar.header).not.toContain("emporia_step=");
    expect((await jar.call("/admin/holds")).status).toBe(200);
  });

  it("takes the step for no session and no other account, and not after the password has changed", async () => {
    const { jar } = await signInByPage(who);
    expect((await call("/api/auth/me", { cookie: jar.header })).status).toBe(401);
    expect((await call("/admin/holds", { cookie: jar.header })).headers.get("Location")).toMatch(/^\/login/);
    const other = await withFactor(await seller());
    expect((await giveCode(jar, codeOf(other.secret))).status).toBe(400);
    const changed = await call("/api/user/change-password", {
      method: "PUT",
      json: { currentPassword: who.password, newPassword: "Another1!" },
      token: who.token,
    });
    expect(changed.status).toBe(200);
    expect((await giveCode(jar, codeOf(who.secret, 30))).status).toBe(401);
  });

  it("takes the step neither late, nor forged, nor of a set-up", async () => {
    const { jar } = await signInByPage(who);
    pass(601);
    expect((await giveCode(jar, codeOf(who.secret))).status).toBe(401);
    const forged = await submit(
      "/login?code=1",
      { intent: "code", code: codeOf(who.secret) },
      { cookie: `emporia_step=${Buffer.from(JSON.stringify("A".repeat(80))).toString("base64")}` },
    );
    expect(forged.status).toBe(401);
    const colleague = await seller();
    const setUp = cookiesOf(
      await factorForm({ intent: "factorBegin", currentPassword: colleague.password }, colleague),
    );
    const taken = await submit(
      "/login?code=1",
      { intent: "code", code: codeOf(who.secret) },
      { cookie: setUp },
    );
    expect(taken.status).toBe(401);
  });

  it("ends the step when the account is deactivated", async () => {
    const { jar } = await signInByPage(who);
    await env.DB.prepare("UPDATE users SET is_user = 0 WHERE id = ?").bind(who.id).run();
    expect((await giveCode(jar, codeOf(who.secret))).status).toBe(401);
  });

  it("stays after the password was reset by mail, which opens no session", async () => {
    await call("/api/auth/forgot-password", { json: { email: who.email }, headers: from("10.7.9.1") });
    await expect.poll(() => sent.mock.calls.length).toBeGreaterThan(0);
    const token = /token=(?:3D)?([\w-]{32})/.exec(mailText(sent.mock.calls.at(-1)))?.[1] ?? "";
    const reset = await call("/api/auth/reset-password", {
      json: { token, password: "Another1!", confirmPassword: "Another1!" },
    });
    expect(reset.status).toBe(200);
    expect(cookiesOf(reset)).not.toContain("emporia_session=");
    const now = { ...who, password: "Another1!" };
    expect((await signIn(now)).status).toBe(401);
    expect((await signIn(now, codeOf(who.secret))).status).toBe(200);
  });
});
