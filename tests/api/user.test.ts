import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { addUser, call, insert } from "../support/shop";

const problems = async (answer: Response) => {
  const { details = [] } = (await answer.json()) as { details?: { path: string; message: string }[] };
  return details.map(({ path, message }) => `${path}: ${message}`);
};
const stored = (id: string) =>
  env.DB.prepare("SELECT * FROM users WHERE id = ?").bind(id).first<Record<string, unknown>>();

let address = 0;
/** Signs in from an address of its own, far from the limit per address; gives the bearer token. */
async function signIn(email: string, password: string): Promise<string> {
  const headers = { "CF-Connecting-IP": `10.0.0.${++address}` };
  const answer = await call("/api/auth/login", { json: { email, password }, headers });
  return ((await answer.json()) as { token: string }).token;
}

/** A user who is signed in. */
async function person(user: Parameters<typeof addUser>[0] = {}) {
  const made = await addUser(user);
  return { ...made, token: await signIn(made.email, made.password) };
}
const admin = () => person({ isAdmin: true });
const manager = () => person({ isManager: true });
const put = (id: string, json: unknown, token?: string) =>
  call(`/api/user/${id}`, { method: "PUT", json, ...(token && { token }) });

describe("PUT /api/user/{id}, oneself", () => {
  it("changes what was sent and leaves what wasn't", async () => {
    const { id, token, email } = await person({ firstName: "Ann", phoneNumber: "4165550100" });
    const answer = await put(id, { firstName: "Anna-Lee", phoneNumber: null }, token);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      id,
      firstName: "Anna-Lee",
      lastName: "Example",
      email,
      phoneNumber: "",
    });
  });

  it("keeps the address's key, and refuses one that has an account: 409", async () => {
    const { id, token, password } = await person();
    const other = await addUser();
    expect((await put(id, { email: "Moved@mail.example" }, token)).status).toBe(200);
    expect(await signIn("moved@MAIL.example", password)).toBeTruthy();
    const taken = await put(id, { email: other.email.toUpperCase() }, token);
    expect([taken.status, await problems(taken)]).toEqual([
      409,
      ["email: An account with this email already exists"],
    ]);
  });

  it("makes links worthless that went to the address before", async () => {
    const { id, token } = await person();
    await insert("password_resets", [{ token_hash: "h", user_id: id, expires_at: 4e9, used_at: null }]);
    await put(id, { email: "elsewhere@mail.example" }, token);
    expect(await env.DB.prepare("SELECT used_at FROM password_resets").first("used_at")).not.toBeNull();
  });

  it("tells every problem at once (spec 5, Profile edit)", async () => {
    const { id, token } = await person();
    const bad = { firstName: "", lastName: "J4", email: "x", phoneNumber: "12" };
    const answer = await put(id, bad, token);
    expect(answer.status).toBe(400);
    expect(await problems(answer)).toEqual([
      "firstName: This field is required",
      "lastName: Name can only contain letters, spaces, hyphens, and apostrophes",
      "email: Please enter a valid email address",
      "phoneNumber: Phone number must be between 10-15 digits",
    ]);
    const long = await put(id, { firstName: "x", lastName: "y".repeat(51) }, token);
    expect(await problems(long)).toEqual([
      "firstName: Name must be at least 2 characters long",
      "lastName: Name must not exceed 50 characters",
    ]);
    const types = await put(id, { firstName: 5, email: {}, phoneNumber: [] }, token);
    expect(await problems(types)).toEqual([
      "firstName: Must be text",
      "email: Must be text",
      "phoneNumber: Must be text",
    ]);
  });

  it("takes names of any script, with hyphens and apostrophes", async () => {
    const { id, token } = await person();
    for (const firstName of ["Zoë", "Łukasz", "O'Neil", "Jean-Luc", "陈伟", "Nguye\u0302\u0303n"])
      expect((await put(id, { firstName }, token)).status, firstName).toBe(200);
  });

  it("refuses a role flag that would change something, and changes nothing at all: 403", async () => {
    const { id, token } = await person();
    for (const flags of [{ isAdmin: true }, { isManager: true }, { isUser: false }])
      expect((await put(id, { firstName: "Changed", ...flags }, token)).status).toBe(403);
    expect((await stored(id))?.first_name).toBe("Pat");
    const asTheyAre = { firstName: "Changed", isAdmin: false, isManager: false, isUser: true };
    expect((await put(id, asTheyAre, token)).status).toBe(200);
  });

  it("doesn't set a password without the current one", async () => {
    const { id, token, email, password } = await person();
    const answer = await put(id, { password: "Newpass1!", confirmPassword: "Newpass1!" }, token);
    expect(answer.status).toBe(400);
    expect(await signIn(email, password)).toBeTruthy();
  });
});

describe("PUT /api/user/{id}, somebody else", () => {
  it("is a 401 for a stranger and a 403 for a customer, whether or not it exists or is right", async () => {
    const { id } = await addUser();
    const { token } = await person();
    expect((await put(id, {})).status).toBe(401);
    for (const [target, json] of [
      [id, { firstName: "X" }],
      [id, { email: "x" }],
      ["nobody", {}],
    ] as const)
      expect((await put(target, json, token)).status).toBe(403);
  });

  it("lets staff edit a customer, by the admin form's rules", async () => {
    const { token } = await manager();
    const { id } = await addUser();
    expect((await put(id, { firstName: "X", phoneNumber: "+1 555-1234", isUser: false }, token)).status).toBe(
      200,
    );
    expect(await stored(id)).toMatchObject({ first_name: "X", is_user: 0 });
    const bad = await put(
      id,
      { email: "x", phoneNumber: "12", password: "weak", confirmPassword: "w" },
      token,
    );
    expect(await problems(bad)).toEqual([
      "email: Enter a valid email address.",
      "phoneNumber: Enter a valid phone number.",
      "password: Password does not meet requirements.",
      "confirmPassword: Passwords do not match.",
    ]);
    expect((await put("nobody", {}, token)).status).toBe(404);
  });

  it("ends the user's sessions with a new password", async () => {
    const { token } = await admin();
    const customer = await person();
    const secret = { password: "Newpass1!", confirmPassword: "Newpass1!" };
    expect((await put(customer.id, secret, token)).status).toBe(200);
    expect((await call("/api/auth/me", { token: customer.token })).status).toBe(401);
    expect(await signIn(customer.email, "Newpass1!")).toBeTruthy();
  });

  it("lets managers neither promote, nor touch staff: 403", async () => {
    const { token } = await manager();
    const [customer, other, boss] = [
      await addUser(),
      await addUser({ isManager: true }),
      await addUser({ isAdmin: true }),
    ];
    expect((await put(customer.id, { isManager: true }, token)).status).toBe(403);
    expect((await put(customer.id, { isAdmin: true }, token)).status).toBe(403);
    expect((await put(other.id, { firstName: "X" }, token)).status).toBe(403);
    expect((await put(boss.id, { firstName: "X" }, token)).status).toBe(403);
  });

  it("lets admins promote; a change of role counts from the next request", async () => {
    const { token } = await admin();
    const customer = await person();
    expect((await call("/api/user/all", { token: customer.token })).status).toBe(403);
    expect((await put(customer.id, { isManager: true }, token)).status).toBe(200);
    expect((await call("/api/user/all", { token: customer.token })).status).toBe(200);
  });

  it("lets nobody remove their own admin flag or deactivate themselves: 403", async () => {
    const boss = await admin();
    expect((await put(boss.id, { isAdmin: false }, boss.token)).status).toBe(403);
    expect((await put(boss.id, { isUser: false }, boss.token)).status).toBe(403);
    const { id, token } = await manager();
    expect((await put(id, { isUser: false }, token)).status).toBe(403);
  });
});

describe("PUT /api/user/change-password", () => {
  const change = (json: unknown, token?: string) =>
    call("/api/user/change-password", { method: "PUT", json, ...(token && { token }) });

  it("changes it and ends the other sessions", async () => {
    const { email, password, token } = await person();
    const other = await signIn(email, password);
    const answer = await change({ currentPassword: password, newPassword: "ghijkl", email }, token);
    expect(answer.status).toBe(200);
    expect((await call("/api/auth/me", { token })).status).toBe(200);
    expect((await call("/api/auth/me", { token: other })).status).toBe(401);
    expect(await signIn(email, "ghijkl")).toBeTruthy();
  });

  it("refuses a wrong current password and somebody else's address at their fields: 400", async () => {
    const { password, token } = await person();
    const wrong = await change({ currentPassword: "wrong", newPassword: "ghijkl" }, token);
    expect([wrong.status, await problems(wrong)]).toEqual([
      400,
      ["currentPassword: Current password is incorrect"],
    ]);
    const foreign = { currentPassword: password, newPassword: "ghijkl", email: "other@mail.example" };
    expect(await problems(await change(foreign, token))).toEqual(["email: This is not your email address"]);
  });

  it("refuses what breaks the rules: 400; a stranger: 401", async () => {
    const { token } = await person();
    expect(await problems(await change({}, token))).toEqual([
      "currentPassword: Current password is required",
      "newPassword: New password is required",
    ]);
    expect(
      await problems(
        await change({ currentPassword: "x", newPassword: "abc", confirmPassword: "abd" }, token),
      ),
    ).toEqual([
      "newPassword: Password must be at least 6 characters",
      "confirmPassword: Passwords do not match",
    ]);
    expect((await change({})).status).toBe(401);
  });
});

describe("GET /api/user/all", () => {
  it("lists users for staff as a bare array, windowed, with the full count", async () => {
    const { token } = await manager();
    await addUser();
    const all = await call("/api/user/all", { token });
    const rows = (await all.json()) as Record<string, unknown>[];
    expect(all.headers.get("X-Total-Count")).toBe(String(rows.length));
    expect(Object.keys(rows[0] ?? {})).not.toContain("passwordHash");
    const one = await call("/api/user/all?limit=1&offset=1", { token });
    expect([await one.json(), one.headers.get("X-Total-Count")]).toEqual([[rows[1]], String(rows.length)]);
    expect((await call("/api/user/all?limit=0", { token })).status).toBe(400);
    expect((await call("/api/user/all?limit=1001", { token })).status).toBe(400);
  });
});

describe("POST /api/user", () => {
  const secret = { password: "Abcdef1!", confirmPassword: "Abcdef1!" };
  const create = (json: unknown, token: string) => call("/api/user", { json, token });

  it("makes an account, its name split at the first space: 201", async () => {
    const { token } = await manager();
    const answer = await create({ fullName: "Ann de Vries", email: "ann2@mail.example", ...secret }, token);
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ firstName: "Ann", lastName: "de Vries", isUser: true });
    expect(await signIn("ann2@mail.example", "Abcdef1!")).toBeTruthy();
  });

  it("refuses a single word, a taken address and what breaks the rules", async () => {
    const { token } = await manager();
    const { email } = await addUser();
    const single = await create({ fullName: "Ann", email: "x@y.co", ...secret }, token);
    expect(await problems(single)).toEqual(["fullName: First and last name are required"]);
    expect((await create({ fullName: "Ann B", email, ...secret }, token)).status).toBe(409);
    const weak = { fullName: "Ann B", email: "q", phoneNumber: "1", password: "abc", confirmPassword: "abd" };
    expect(await problems(await create(weak, token))).toEqual([
      "email: Enter a valid email address.",
      "phoneNumber: Enter a valid phone number.",
      "password: Password does not meet requirements.",
      "confirmPassword: Passwords do not match.",
    ]);
  });

  it("lets only admins make staff", async () => {
    const json = { fullName: "Ann B", email: "staff@mail.example", isManager: true, ...secret };
    expect((await create(json, (await manager()).token)).status).toBe(403);
    expect((await create(json, (await admin()).token)).status).toBe(201);
  });
});

describe("DELETE /api/user/{id}", () => {
  const remove = (id: string, token: string) => call(`/api/user/${id}`, { method: "DELETE", token });

  it("deletes a customer with their sessions: 200, then 404", async () => {
    const { token } = await manager();
    const customer = await person();
    expect((await remove(customer.id, token)).status).toBe(200);
    expect((await call("/api/auth/me", { token: customer.token })).status).toBe(401);
    expect((await remove(customer.id, token)).status).toBe(404);
  });

  it("never deletes an admin, nor oneself, nor a manager by a manager: 403", async () => {
    const [boss, one] = [await admin(), await manager()];
    const other = await addUser({ isManager: true });
    expect((await remove((await addUser({ isAdmin: true })).id, boss.token)).status).toBe(403);
    expect((await remove(boss.id, boss.token)).status).toBe(403);
    expect((await remove(other.id, one.token)).status).toBe(403);
    expect((await remove(one.id, one.token)).status).toBe(403);
    expect((await remove(other.id, boss.token)).status).toBe(200);
  });
});
