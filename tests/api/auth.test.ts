import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { from, problems, readAnswer, signIn } from "../support/people";
import { addUser, call, cookiesOf, withinOneMinute } from "../support/shop";

const nobody = "nobody@mail.example";
const sessionCookie = (answer: Response) =>
  answer.headers.getSetCookie().find((cookie) => cookie.startsWith("emporia_session="));

describe("POST /api/auth/login", () => {
  const login = (json: unknown, headers = {}) => call("/api/auth/login", { json, headers });

  it("returns token and user, and sets a session cookie that ends with the browser", async () => {
    const { id, email, password } = await addUser({ firstName: "Ines", phoneNumber: "4165550100" });
    const answer = await login({ email, password });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(sessionCookie(answer)).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
    const { token, user } = await readAnswer(answer);
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(user).toEqual({
      id,
      firstName: "Ines",
      lastName: "Example",
      email,
      phoneNumber: "4165550100",
      isSeller: false,
      isManager: false,
      isAdmin: false,
      isUser: true,
      photoURL: "",
      createdAt: { seconds: 1_790_000_000, nanoseconds: 0 },
    });
  });

  it("sets a cookie of 30 days for rememberMe", async () => {
    const { email, password } = await addUser();
    const answer = await login({ email, password, rememberMe: true });
    expect(sessionCookie(answer)).toContain("Max-Age=2592000");
  });

  it("compares addresses trimmed, NFC and in lower case", async () => {
    const { password } = await addUser({ email: "jos\u00e9@mail.example" });
    expect((await login({ email: "  JOSE\u0301@Mail.Example ", password })).status).toBe(200);
  });

  it("gives the same 401 for a wrong password and an unknown address", async () => {
    const { email } = await addUser();
    const [wrong, unknown] = await Promise.all([
      login({ email, password: "wrong" }),
      login({ email: nobody, password: "wrong" }),
    ]);
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    const text = { message: "Invalid email or password", ERR_MSG: "Invalid email or password" };
    expect(await wrong.json()).toEqual(text);
    expect(await unknown.json()).toEqual(text);
    // The cost of the look-up would tell a known address from an unknown one.
    expect(wrong.headers.get("Server-Timing")).not.toContain("d1");
  });

  it("reveals a deactivated account only with the right password: 403", async () => {
    const { email, password } = await addUser({ isUser: false });
    expect((await login({ email, password })).status).toBe(403);
    expect((await login({ email, password: "wrong" })).status).toBe(401);
  });

  it.each<[string, unknown, string[]]>([
    ["an empty object", {}, ["email: Email is required", "password: Password is required"]],
    [
      "blank fields",
      { email: " ", password: "" },
      ["email: Email is required", "password: Password is required"],
    ],
    ["wrong types", { email: 5, password: ["x"] }, ["email: Must be text", "password: Must be text"]],
    ["a NUL", { email: "a\0@b.co", password: "x" }, ["email: Contains characters that are not allowed"]],
    [
      "a lone surrogate",
      { email: "\ud800@b.co", password: "x" },
      ["email: Contains characters that are not allowed"],
    ],
    [
      "an address of 10,000 characters",
      { email: "a".repeat(10_000), password: "x" },
      ["email: Must be at most 254 characters"],
    ],
  ])("responds 400 to %s and lists every problem", async (_, json, expected) => {
    const answer = await login(json);
    expect(answer.status).toBe(400);
    expect(await problems(answer)).toEqual(expected);
  });

  it("is limited to 10 a minute per account, in any spelling of the e-mail address", async () => {
    const answers = await withinOneMinute(async (key) => {
      const name = `limited-${key}@mail.example`;
      for (let i = 0; i < 8; i++) await env.LIMIT_LOGIN_ACCOUNT.limit({ key: name });
      const attempt = (email: string, i: number) => login({ email, password: "x" }, from(`10.1.${key}.${i}`));
      return [await attempt(name, 0), await attempt(name.toUpperCase(), 1), await attempt(name, 2)];
    });
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 429]);
    expect(answers[2]?.headers.get("Retry-After")).toBe("60");
  });

  it("is limited to 60 a minute per IP address", async () => {
    const statuses = await withinOneMinute(async (key) => {
      const address = `10.2.${key}.1`;
      for (let i = 0; i < 59; i++) await env.LIMIT_LOGIN_ADDRESS.limit({ key: address });
      const attempt = async (email: string) => (await login({ email, password: "x" }, from(address))).status;
      return [await attempt(`a${key}@mail.example`), await attempt(`b${key}@mail.example`)];
    });
    expect(statuses).toEqual([401, 429]);
  });

  it("is a 403 from another site", async () => {
    const { email, password } = await addUser();
    expect((await login({ email, password }, { Origin: "https://elsewhere.example" })).status).toBe(403);
    expect((await login({ email, password }, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  });
});

describe("POST /api/auth/signup", () => {
  const signup = (json: unknown) => call("/api/auth/signup", { json });
  const person = { firstName: "Ann", lastName: "Ortiz", email: "ann@mail.example", password: "abcdef" };

  it("creates an account and signs in: 201", async () => {
    const answer = await signup({ ...person, username: "annie", phone: "(416) 555-0199", isAdmin: true });
    expect(answer.status).toBe(201);
    const { token, user } = await readAnswer(answer);
    const { firstName, email } = person;
    expect(user).toMatchObject({ firstName, email, phoneNumber: "(416) 555-0199", isAdmin: false });
    expect((await call("/api/auth/me", { cookie: cookiesOf(answer) })).status).toBe(200);
    expect((await call("/api/auth/me", { token })).status).toBe(200);
  });

  it("is a 409 for a taken address", async () => {
    await addUser({ email: "taken@mail.example" });
    const answer = await signup({ ...person, email: "TAKEN@mail.example" });
    expect(answer.status).toBe(409);
    expect((await readAnswer(answer)).ERR_MSG).toBe("An account with this email already exists");
  });

  it("creates one account from two simultaneous sign-ups", async () => {
    const twice = await Promise.all(
      ["race@mail.example", "Race@mail.example"].map((email) => signup({ ...person, email })),
    );
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 409]);
    const accounts = "SELECT count(*) AS n FROM users WHERE email_key = 'race@mail.example'";
    expect(await env.DB.prepare(accounts).first<number>("n")).toBe(1);
  });

  it.each<[string, unknown, string[]]>([
    [
      "an empty object",
      {},
      [
        "firstName: First name is required",
        "lastName: Last name is required",
        "email: Email is required",
        "password: Password is required",
      ],
    ],
    [
      "invalid fields",
      { ...person, email: "x@y", password: "abcde", username: "ab", phone: "123" },
      [
        "email: Please enter a valid email address",
        "password: Password must be at least 6 characters",
        "username: Username must be at least 3 characters",
        "phone: Phone number must be 10 digits",
      ],
    ],
    [
      "a password of 10,000 characters",
      { ...person, password: "x".repeat(10_000) },
      ["password: Must be at most 200 characters"],
    ],
    ["a NUL", { ...person, firstName: "A\0" }, ["firstName: Contains characters that are not allowed"]],
  ])("responds 400 to %s and lists every problem", async (_, json, expected) => {
    const answer = await signup(json);
    expect(answer.status).toBe(400);
    const { message, ERR_MSG, details = [] } = await readAnswer(answer);
    expect(details.map((detail) => `${detail.path}: ${detail.message}`)).toEqual(expected);
    expect(message).toBe(`Validation error: ${expected.join(", ")}`);
    expect(ERR_MSG).toBe(message);
  });

  it("is limited to 30 a minute per IP address", async () => {
    const statuses = await withinOneMinute(async (key) => {
      const address = `10.3.${key}.1`;
      for (let i = 0; i < 28; i++) await env.LIMIT_SIGNUP_ADDRESS.limit({ key: address });
      const attempts = [1, 2, 3].map((i) =>
        call("/api/auth/signup", {
          json: { ...person, email: `sign-up-${key}@mail.example`, password: `secret${i}` },
          headers: from(address),
        }),
      );
      return (await Promise.all(attempts)).map(({ status }) => status);
    });
    expect(statuses.sort()).toEqual([201, 409, 429]);
  });
});

describe("POST /api/auth/logout", () => {
  it("revokes the token of the request, by bearer and by cookie", async () => {
    const { email, password } = await addUser();
    const token = await signIn(email, password);
    const cookie = cookiesOf(await call("/api/auth/login", { json: { email, password } }));
    for (const proof of [{ token }, { cookie }]) {
      const answer = await call("/api/auth/logout", { method: "POST", ...proof });
      expect(answer.status).toBe(200);
      expect(sessionCookie(answer)).toMatch(/^emporia_session=;.*Max-Age=0/);
      expect((await call("/api/auth/me", proof)).status).toBe(401);
    }
  });

  it("succeeds without a session", async () => {
    expect((await call("/api/auth/logout", { method: "POST" })).status).toBe(200);
  });
});

describe("GET /api/auth/me", () => {
  it("returns the user of cookie or bearer, else 401", async () => {
    const { email, password, id } = await addUser();
    const token = await signIn(email, password);
    expect(await (await call("/api/auth/me?_ts=1", { token })).json()).toMatchObject({ id, email });
    for (const proof of [{}, { token: "x".repeat(32) }, { cookie: "emporia_session=forged" }])
      expect((await call("/api/auth/me", proof)).status).toBe(401);
  });

  it("is a 401 as soon as the account is deactivated", async () => {
    const { email, password, id } = await addUser();
    const token = await signIn(email, password);
    await env.DB.prepare("UPDATE users SET is_user = 0 WHERE id = ?").bind(id).run();
    expect((await call("/api/auth/me", { token })).status).toBe(401);
  });
});

describe("POST routes of auth", () => {
  it.each(["login", "signup", "logout", "forgot-password", "reset-password"])(
    "%s rejects GET and malformed, non-JSON and oversized bodies",
    async (name) => {
      const get = await call(`/api/auth/${name}`);
      expect([get.status, get.headers.get("Allow")]).toEqual([405, "POST"]);
      const statusOf = async (body: string, type = "application/json") =>
        (await call(`/api/auth/${name}/`, { body, headers: { "Content-Type": type } })).status;
      expect([await statusOf("{"), await statusOf("[]")]).toEqual([400, 400]);
      expect(await statusOf("a=b", "text/plain")).toBe(415);
      expect(await statusOf(JSON.stringify({ email: "x".repeat(70_000) }))).toBe(413);
    },
  );
});
