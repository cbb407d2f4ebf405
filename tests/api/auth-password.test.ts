import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { openDb } from "~/db/client.server";
import { resetPasswordByLink } from "~/features/accounts/resets.queries.server";
import { sha256 } from "~/session/tokens.server";
import { from, problems, readAnswer, signIn } from "../support/people";
import { addUser, call, insert, withinOneMinute } from "../support/shop";

const nobody = "nobody@mail.example";

describe("POST /api/auth/forgot-password", () => {
  const forgot = (email: unknown, address = "10.4.0.1") =>
    call("/api/auth/forgot-password", { json: { email }, headers: from(address) });
  const links = async () =>
    (await env.DB.prepare("SELECT user_id FROM password_resets").all()).results.map((row) => row.user_id);

  it("responds alike for known and unknown addresses; only the known one gets a link", async () => {
    const { email, id } = await addUser();
    const [known, unknown] = await Promise.all([forgot(email.toUpperCase()), forgot(nobody)]);
    for (const answer of [known, unknown]) {
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ message: "Password reset email sent! Check your inbox." });
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(answer.headers.get("Server-Timing")).not.toContain("d1");
    }
    await expect.poll(() => links()).toEqual([id]);
  });

  it("is a 400 for an invalid address", async () => {
    expect(await problems(await forgot(""))).toEqual(["email: Email is required"]);
    expect(await problems(await forgot("x@y"))).toEqual(["email: Please enter a valid email address"]);
    expect(await problems(await forgot({}))).toEqual(["email: Must be text"]);
  });

  it("is limited to 5 a minute per account and 20 per address", async () => {
    const perAccount = await withinOneMinute(async (key) => {
      const statuses: number[] = [];
      for (let i = 0; i < 6; i++)
        statuses.push((await forgot(`one-${key}@mail.example`, `10.5.${key}.${i}`)).status);
      return statuses;
    });
    expect(perAccount).toEqual([200, 200, 200, 200, 200, 429]);
    const perAddress = await withinOneMinute(async (key) => {
      const statuses: number[] = [];
      for (let i = 0; i < 21; i++)
        statuses.push((await forgot(`each${i}-${key}@mail.example`, `10.6.${key}.1`)).status);
      return statuses;
    });
    expect(perAddress.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe("POST /api/auth/reset-password", () => {
  const reset = (json: unknown) => call("/api/auth/reset-password", { json });
  const HOUR = 3600;
  const addLink = async (userId: string, seconds = HOUR) => {
    const token = crypto.randomUUID();
    const expires = Math.floor(Date.now() / 1000) + seconds;
    await insert("password_resets", [
      { token_hash: await sha256(token), user_id: userId, expires_at: expires, used_at: null },
    ]);
    return token;
  };
  const newPassword = (password: string) => ({ password, confirmPassword: password });

  it("sets the password once; every session of the user ends", async () => {
    const { id, email, password } = await addUser();
    const session = await signIn(email, password);
    const token = await addLink(id);
    expect((await reset({ token, ...newPassword("mnopqr") })).status).toBe(200);
    expect((await call("/api/auth/me", { token: session })).status).toBe(401);
    expect((await call("/api/auth/login", { json: { email, password } })).status).toBe(401);
    expect((await call("/api/auth/login", { json: { email, password: "mnopqr" } })).status).toBe(200);
    const again = await reset({ token, ...newPassword("stuvwx") });
    expect(again.status).toBe(400);
    expect((await readAnswer(again)).message).toBe(
      "This reset link has already been used. Please request a new one.",
    );
  });

  it("succeeds for one of two simultaneous calls", async () => {
    const { id } = await addUser();
    const token = await addLink(id);
    const twice = await Promise.all(["mnopqr", "stuvwx"].map((p) => reset({ token, ...newPassword(p) })));
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it("voids the user's other links", async () => {
    const { id } = await addUser();
    const [token, other] = [await addLink(id), await addLink(id)];
    await reset({ token, ...newPassword("mnopqr") });
    expect((await reset({ token: other, ...newPassword("mnopqr") })).status).toBe(400);
  });

  it("leaves a newer link to the user when an older one turns out to be used", async () => {
    const { id } = await addUser();
    const used = await addLink(id);
    await reset({ token: used, ...newPassword("mnopqr") });
    const newer = await addLink(id);
    const link = { tokenHash: await sha256(used), userId: id, isStaff: false };
    const now = Math.floor(Date.now() / 1000);
    expect(await resetPasswordByLink(openDb(env.DB).db, link, "never stored", now)).toBeNull();
    expect((await reset({ token: newer, ...newPassword("stuvwx") })).status).toBe(200);
  });

  it("is a 400 for an expired and an unknown link", async () => {
    const { id } = await addUser();
    const expired = await reset({ token: await addLink(id, -1), ...newPassword("mnopqr") });
    expect([expired.status, (await readAnswer(expired)).message]).toEqual([
      400,
      "This reset link has expired. Please request a new one.",
    ]);
    const unknown = await reset({ token: "never-sent", ...newPassword("mnopqr") });
    expect([unknown.status, (await readAnswer(unknown)).message]).toEqual([
      400,
      "This reset link is not valid. Please request a new one.",
    ]);
  });

  it("requires the stronger password of staff", async () => {
    const { id } = await addUser({ isManager: true });
    const token = await addLink(id);
    const weak = await reset({ token, ...newPassword("mnopqr") });
    expect([weak.status, await problems(weak)]).toEqual([
      400,
      ["password: Password does not meet requirements."],
    ]);
    expect((await reset({ token, ...newPassword("Mnopqr1!") })).status).toBe(200);
  });

  it("is a 400 with every error at once", async () => {
    expect(await problems(await reset({}))).toEqual([
      "token: The reset link is missing",
      "password: Password is required",
      "confirmPassword: Please confirm your password",
    ]);
    expect(await problems(await reset({ token: "x", password: "abc", confirmPassword: "abd" }))).toEqual([
      "password: Password must be at least 6 characters",
      "confirmPassword: Passwords do not match",
    ]);
  });
});
