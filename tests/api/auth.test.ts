import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { sha256 } from "~/session/token.server";
import { addUser, call, cookiesOf, insert, signIn } from "../support/shop";

interface Told {
  token: string;
  user: Record<string, unknown>;
  message: string;
  ERR_MSG: string;
  details?: { path: string; message: string }[];
}
const told = async (answer: Response) => (await answer.json()) as Told;
/** Problems by field: every one, in order. */
const problems = async (answer: Response) => {
  const { details = [] } = await told(answer);
  return details.map(({ path, message }) => `${path}: ${message}`);
};
/** A caller's own address, so that tests don't use up each other's limits. */
const from = (address: string) => ({ "CF-Connecting-IP": address });
const nobody = "nobody@mail.example";

describe("POST /api/auth/login", () => {
  const login = (json: unknown, headers = {}) => call("/api/auth/login", { json, headers });

  it("answers token and user, and sets a session cookie that ends with the browser", async () => {
    const { id, email, password } = await addUser({ firstName: "Ines", phoneNumber: "4165550100" });
    const answer = await login({ email, password });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.headers.getSetCookie().find((cookie) => cookie.startsWith("emporia_session="))).toMatch(
      /; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const { token, user } = await told(answer);
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(user).toEqual({
      id,
      firstName: "Ines",
      lastName: "Example",
      email,
      phoneNumber: "4165550100",
      isManager: false,
      isAdmin: false,
      isUser: true,
      photoURL: "",
      createdAt: { seconds: 1_790_000_000, nanoseconds: 0 },
    });
  });

  it("keeps the cookie 30 days when asked to remember", async () => {
    const { email, password } = await addUser();
    const answer = await login({ email, password, rememberMe: true });
    expect(answer.headers.getSetCookie()[0]).toContain("Max-Age=2592000");
  });

  it("compares addresses trimmed, NFC and in lower case", async () => {
    const { password } = await addUser({ email: "jos\u00e9@mail.example" });
    expect((await login({ email: "  JOSE\u0301@Mail.Example ", password })).status).toBe(200);
  });

  it("answers a wrong password and an unknown address alike: 401", async () => {
    const { email } = await addUser();
    const [wrong, unknown] = await Promise.all([
      login({ email, password: "wrong" }),
      login({ email: nobody, password: "wrong" }),
    ]);
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    const text = { message: "Invalid email or password", ERR_MSG: "Invalid email or password" };
    expect(await wrong.json()).toEqual(text);
    expect(await unknown.json()).toEqual(text);
    expect(wrong.headers.get("Server-Timing")).not.toContain("d1");
  });

  it("tells that an account was switched off only to who knows its password: 403", async () => {
    const { email, password } = await addUser({ isUser: false });
    expect((await login({ email, password })).status).toBe(403);
    expect((await login({ email, password: "wrong" })).status).toBe(401);
  });

  it.each<[string, unknown, string[]]>([
    ["nothing", {}, ["email: Email is required", "password: Password is required"]],
    ["blanks", { email: " ", password: "" }, ["email: Email is required", "password: Password is required"]],
    ["wrong types", { email: 5, password: ["x"] }, ["email: Must be text", "password: Must be text"]],
    ["a NUL", { email: "a\0@b.co", password: "x" }, ["email: Contains characters that are not allowed"]],
    [
      "half a character",
      { email: "\ud800@b.co", password: "x" },
      ["email: Contains characters that are not allowed"],
    ],
    [
      "10,000 characters",
      { email: "a".repeat(10_000), password: "x" },
      ["email: Must be at most 254 characters"],
    ],
  ])("refuses %s with every problem at once: 400", async (_, json, expected) => {
    const answer = await login(json);
    expect(answer.status).toBe(400);
    expect(await problems(answer)).toEqual(expected);
  });

  it("is limited to 10 a minute per account, however the address is written", async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) {
      const email = i % 2 ? "Limited@mail.example" : "limited@mail.example";
      statuses.push((await login({ email, password: "x" }, from(`10.1.0.${i}`))).status);
    }
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(statuses[10]).toBe(429);
    const refused = await login({ email: "limited@mail.example", password: "x" }, from("10.1.0.99"));
    expect(refused.headers.get("Retry-After")).toBe("60");
  });

  it("is limited to 60 a minute per address", async () => {
    for (let i = 0; i < 59; i++) await env.LIMIT_LOGIN_ADDRESS.limit({ key: "10.2.0.1" });
    const statuses: number[] = [];
    for (const email of ["many1@mail.example", "many2@mail.example"])
      statuses.push((await login({ email, password: "x" }, from("10.2.0.1"))).status);
    expect(statuses).toEqual([401, 429]);
  });

  it("is refused from another site: 403", async () => {
    const { email, password } = await addUser();
    expect((await login({ email, password }, { Origin: "https://elsewhere.example" })).status).toBe(403);
    expect((await login({ email, password }, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  });
});

describe("POST /api/auth/signup", () => {
  const signup = (json: unknown) => call("/api/auth/signup", { json });
  const person = { firstName: "Ann", lastName: "Ortiz", email: "ann@mail.example", password: "abcdef" };

  it("makes an account and signs it in: 201", async () => {
    const answer = await signup({ ...person, username: "annie", phone: "(416) 555-0199", isAdmin: true });
    expect(answer.status).toBe(201);
    const { token, user } = await told(answer);
    expect(user).toMatchObject({
      firstName: "Ann",
      email: "ann@mail.example",
      phoneNumber: "(416) 555-0199",
    });
    expect(user.isAdmin).toBe(false);
    expect((await call("/api/auth/me", { cookie: cookiesOf(answer) })).status).toBe(200);
    expect((await call("/api/auth/me", { token })).status).toBe(200);
  });

  it("refuses an address that has an account, at its field: 409", async () => {
    await addUser({ email: "taken@mail.example" });
    const answer = await signup({ ...person, email: "TAKEN@mail.example" });
    expect(answer.status).toBe(409);
    expect(await problems(answer)).toEqual(["email: An account with this email already exists"]);
  });

  it("makes one account of two sign-ups at once", async () => {
    const twice = await Promise.all(
      ["race@mail.example", "Race@mail.example"].map((email) => signup({ ...person, email })),
    );
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it.each<[string, unknown, string[]]>([
    [
      "nothing",
      {},
      [
        "firstName: First name is required",
        "lastName: Last name is required",
        "email: Email is required",
        "password: Password is required",
      ],
    ],
    [
      "what breaks the rules",
      { ...person, email: "x@y", password: "abcde", username: "ab", phone: "123" },
      [
        "email: Please enter a valid email address",
        "password: Password must be at least 6 characters",
        "username: Username must be at least 3 characters",
        "phone: Phone number must be 10 digits",
      ],
    ],
    [
      "too long a password",
      { ...person, password: "x".repeat(10_000) },
      ["password: Must be at most 200 characters"],
    ],
    ["a NUL", { ...person, firstName: "A\0" }, ["firstName: Contains characters that are not allowed"]],
  ])("refuses %s with every problem at once: 400", async (_, json, expected) => {
    const answer = await signup(json);
    expect(answer.status).toBe(400);
    const { message, ERR_MSG, details = [] } = await told(answer);
    expect(details.map((detail) => `${detail.path}: ${detail.message}`)).toEqual(expected);
    expect(message).toBe(`Validation error: ${expected.join(", ")}`);
    expect(ERR_MSG).toBe(message);
  });

  it("is limited to 30 a minute per address", async () => {
    const attempts = Array.from({ length: 31 }, (_, i) =>
      call("/api/auth/signup", {
        json: { ...person, email: "limited2@mail.example", password: `secret${i}` },
        headers: from("10.3.0.1"),
      }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe("POST /api/auth/logout", () => {
  it("kills the token that it came with, by bearer and by cookie", async () => {
    const { email, password } = await addUser();
    const token = await signIn(email, password);
    const cookie = cookiesOf(await call("/api/auth/login", { json: { email, password } }));
    for (const proof of [{ token }, { cookie }]) {
      const answer = await call("/api/auth/logout", { method: "POST", ...proof });
      expect(answer.status).toBe(200);
      expect(answer.headers.getSetCookie()[0]).toMatch(/^emporia_session=;.*Max-Age=0/);
      expect((await call("/api/auth/me", proof)).status).toBe(401);
    }
  });

  it("is fine for who isn't signed in", async () => {
    expect((await call("/api/auth/logout", { method: "POST" })).status).toBe(200);
  });
});

describe("GET /api/auth/me", () => {
  it("answers the user behind cookie or bearer, and 401 for anyone else", async () => {
    const { email, password, id } = await addUser();
    const token = await signIn(email, password);
    expect(await (await call("/api/auth/me?_ts=1", { token })).json()).toMatchObject({ id, email });
    for (const proof of [{}, { token: "x".repeat(32) }, { cookie: "emporia_session=forged" }])
      expect((await call("/api/auth/me", proof)).status).toBe(401);
  });

  it("is a 401 as soon as the account is switched off", async () => {
    const { email, password, id } = await addUser();
    const token = await signIn(email, password);
    await env.DB.prepare("UPDATE users SET is_user = 0 WHERE id = ?").bind(id).run();
    expect((await call("/api/auth/me", { token })).status).toBe(401);
  });
});

describe("POST /api/auth/forgot-password", () => {
  const forgot = (email: unknown, address = "10.4.0.1") =>
    call("/api/auth/forgot-password", { json: { email }, headers: from(address) });
  const links = async () =>
    (await env.DB.prepare("SELECT user_id FROM password_resets").all()).results.map((row) => row.user_id);

  it("answers the same for a known and an unknown address; only the known one gets a link", async () => {
    const { email, id } = await addUser();
    const [known, unknown] = await Promise.all([forgot(email.toUpperCase()), forgot(nobody)]);
    for (const answer of [known, unknown]) {
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ message: "Password reset email sent! Check your inbox." });
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(answer.headers.get("Server-Timing")).not.toContain("d1");
    }
    await vi.waitFor(async () => expect(await links()).toEqual([id]));
  });

  it("refuses what isn't an address: 400", async () => {
    expect(await problems(await forgot(""))).toEqual(["email: Email is required"]);
    expect(await problems(await forgot("x@y"))).toEqual(["email: Please enter a valid email address"]);
    expect(await problems(await forgot({}))).toEqual(["email: Must be text"]);
  });

  it("is limited to 5 a minute per account and 20 per address", async () => {
    const perAccount: number[] = [];
    for (let i = 0; i < 6; i++) perAccount.push((await forgot("one@mail.example", `10.5.0.${i}`)).status);
    expect(perAccount).toEqual([200, 200, 200, 200, 200, 429]);
    const perAddress: number[] = [];
    for (let i = 0; i < 21; i++) perAddress.push((await forgot(`each${i}@mail.example`, "10.6.0.1")).status);
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
    expect((await told(again)).message).toBe(
      "This reset link has already been used. Please request a new one.",
    );
  });

  it("is good for one of two at once", async () => {
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

  it("refuses an expired and an unknown link: 400", async () => {
    const { id } = await addUser();
    const expired = await reset({ token: await addLink(id, -1), ...newPassword("mnopqr") });
    expect([expired.status, (await told(expired)).message]).toEqual([
      400,
      "This reset link has expired. Please request a new one.",
    ]);
    const unknown = await reset({ token: "never-sent", ...newPassword("mnopqr") });
    expect([unknown.status, (await told(unknown)).message]).toEqual([
      400,
      "This reset link is not valid. Please request a new one.",
    ]);
  });

  it("asks staff for the admin form's password (back office 5)", async () => {
    const { id } = await addUser({ isManager: true });
    const token = await addLink(id);
    const weak = await reset({ token, ...newPassword("mnopqr") });
    expect([weak.status, await problems(weak)]).toEqual([
      400,
      ["password: Password does not meet requirements."],
    ]);
    expect((await reset({ token, ...newPassword("Mnopqr1!") })).status).toBe(200);
  });

  it("refuses what breaks the rules with every problem at once: 400", async () => {
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

describe("every auth route", () => {
  it.each(["login", "signup", "logout", "forgot-password", "reset-password"])(
    "%s is POST only, and answers what isn't JSON with 4xx",
    async (name) => {
      const get = await call(`/api/auth/${name}`);
      expect([get.status, get.headers.get("Allow")]).toEqual([405, "POST"]);
      const path = `/api/auth/${name}/`;
      expect((await call(path, { body: "{", headers: { "Content-Type": "application/json" } })).status).toBe(
        400,
      );
      expect((await call(path, { body: "[]", headers: { "Content-Type": "application/json" } })).status).toBe(
        400,
      );
      expect((await call(path, { body: "a=b", headers: { "Content-Type": "text/plain" } })).status).toBe(415);
      expect((await call(path, { json: { email: "x".repeat(70_000) } })).status).toBe(413);
    },
  );
});
