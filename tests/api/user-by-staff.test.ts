import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { admin, manager, person, problems, signIn } from "../support/people";
import { addUser, call } from "../support/shop";

const stored = (id: string) =>
  env.DB.prepare("SELECT * FROM users WHERE id = ?").bind(id).first<Record<string, unknown>>();
const put = (id: string, json: unknown, token?: string) =>
  call(`/api/user/${id}`, { method: "PUT", json, ...(token && { token }) });

describe("PUT /api/user/{id}, other accounts", () => {
  it("is a 401 for visitors and a 403 for customers, for any id and input", async () => {
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

  it.each(["", "   ", null])("refuses a new password whose confirmation is %j", async (confirmPassword) => {
    const { token } = await admin();
    const { id } = await addUser();
    const answer = await put(id, { password: "Aa1!aaaaaa", confirmPassword }, token);
    expect([answer.status, await problems(answer)]).toEqual([
      400,
      ["confirmPassword: Passwords do not match."],
    ]);
  });

  it("leaves the password as it is for a blank one, even with a confirmation", async () => {
    const { token } = await admin();
    const { id } = await addUser();
    const answer = await put(id, { password: "   ", confirmPassword: "Aa1!aaaaaa" }, token);
    expect([answer.status, await problems(answer)]).toEqual([
      400,
      ["confirmPassword: Passwords do not match."],
    ]);
  });

  it.each(["416.555.0199", "(416) 555-0199", "416/555/0199", "416–555–0199 (Ann)"])(
    "keeps the phone number %s as its owner entered it, and gives it to nobody else's account",
    async (phone) => {
      const { token } = await manager();
      const names = { firstName: "Ann", lastName: "Lee" };
      const signUp = await call("/api/auth/signup", {
        json: { ...names, email: `${crypto.randomUUID()}@mail.example`, password: "Strong1!", phone },
      });
      expect(signUp.status).toBe(201);
      const { user } = (await signUp.json()) as { user: { id: string } };
      const edited = await put(user.id, { ...names, lastName: "Loe", phoneNumber: phone }, token);
      expect([edited.status, await edited.json()]).toMatchObject([
        200,
        { lastName: "Loe", phoneNumber: phone },
      ]);
      const other = await put((await addUser()).id, { phoneNumber: phone }, token);
      expect(other.status).toBe(phone === "(416) 555-0199" ? 200 : 400);
      const customer = await call("/api/customer", { json: { name: "Ann Lee", phoneNumber: phone }, token });
      expect([customer.status, await customer.json()]).toMatchObject([201, { phoneNumber: phone }]);
    },
  );

  it.each(["12", "555-abc-1234", "mornings", "1".repeat(21)])(
    "refuses the phone number %s of users",
    async (phoneNumber) => {
      const { token } = await manager();
      const { id } = await addUser();
      const answer = await put(id, { phoneNumber }, token);
      expect(answer.status).toBe(400);
      expect(await problems(answer)).toEqual(["phoneNumber: Enter a valid phone number."]);
    },
  );

  it("leaves the owner's profile valid with a local number", async () => {
    const { token } = await manager();
    const owner = await person();
    const local = { phoneNumber: "555 0100" };
    expect((await put(owner.id, local, token)).status).toBe(200);
    expect((await put(owner.id, { firstName: "Anna", ...local }, owner.token)).status).toBe(200);
    expect((await put(owner.id, { phoneNumber: "555 0101" }, owner.token)).status).toBe(400);
  });

  it("ends the user's sessions with a new password", async () => {
    const { token } = await admin();
    const customer = await person();
    const secret = { password: "Newpass1!", confirmPassword: "Newpass1!" };
    expect((await put(customer.id, secret, token)).status).toBe(200);
    expect((await call("/api/auth/me", { token: customer.token })).status).toBe(401);
    expect(await signIn(customer.email, "Newpass1!")).toBeTruthy();
  });

  it("is a 403 for managers who promote or edit staff", async () => {
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

  it("lets admins promote, effective from the next request", async () => {
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

  it("creates an account, splitting the name at the first space: 201", async () => {
    const { token } = await manager();
    const answer = await create({ fullName: "Ann de Vries", email: "ann2@mail.example", ...secret }, token);
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ firstName: "Ann", lastName: "de Vries", isUser: true });
    expect(await signIn("ann2@mail.example", "Abcdef1!")).toBeTruthy();
  });

  it("rejects a single name, a taken address and invalid input", async () => {
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

  it("lets only admins create staff", async () => {
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

  it("is a 403 for admins, the own account, and managers if a manager calls", async () => {
    const [boss, one] = [await admin(), await manager()];
    const other = await addUser({ isManager: true });
    expect((await remove((await addUser({ isAdmin: true })).id, boss.token)).status).toBe(403);
    expect((await remove(boss.id, boss.token)).status).toBe(403);
    expect((await remove(other.id, one.token)).status).toBe(403);
    expect((await remove(one.id, one.token)).status).toBe(403);
    expect((await remove(other.id, boss.token)).status).toBe(200);
  });
});
