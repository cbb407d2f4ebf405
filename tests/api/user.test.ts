import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { person, problems, readAnswer, signIn } from "../support/people";
import { addUser, call, insert } from "../support/shop";

const stored = (id: string) =>
  env.DB.prepare("SELECT * FROM users WHERE id = ?").bind(id).first<Record<string, unknown>>();
const put = (id: string, json: unknown, token?: string) =>
  call(`/api/user/${id}`, { method: "PUT", json, ...(token && { token }) });

describe("PUT /api/user/{id}, own account", () => {
  it("changes the sent fields and no others", async () => {
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

  it("updates the key of the address; a taken address is a 409", async () => {
    const { id, token, password } = await person();
    const other = await addUser();
    const moved = { email: "Moved@mail.example", currentPassword: password };
    expect((await put(id, moved, token)).status).toBe(200);
    expect(await signIn("moved@MAIL.example", password)).toBeTruthy();
    const taken = await put(id, { ...moved, email: other.email.toUpperCase() }, token);
    expect(taken.status).toBe(409);
    expect((await readAnswer(taken)).ERR_MSG).toBe("An account with this email already exists");
  });

  it("voids links sent to the former address", async () => {
    const { id, token, password } = await person();
    await insert("password_resets", [{ token_hash: "h", user_id: id, expires_at: 4e9, used_at: null }]);
    await put(id, { email: "elsewhere@mail.example", currentPassword: password }, token);
    expect(await env.DB.prepare("SELECT used_at FROM password_resets").first("used_at")).not.toBeNull();
  });

  it("reports every error at once", async () => {
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

  it("accepts names of any script, with hyphens and apostrophes", async () => {
    const { id, token } = await person();
    for (const firstName of ["Zoë", "Łukasz", "O'Neil", "Jean-Luc", "陈伟", "Nguye\u0302\u0303n"])
      expect((await put(id, { firstName }, token)).status, firstName).toBe(200);
  });

  it("is a 403 for a changed role flag, and changes nothing", async () => {
    const { id, token } = await person();
    for (const flags of [{ isAdmin: true }, { isManager: true }, { isUser: false }])
      expect((await put(id, { firstName: "Changed", ...flags }, token)).status).toBe(403);
    expect((await stored(id))?.first_name).toBe("Pat");
    const asTheyAre = { firstName: "Changed", isAdmin: false, isManager: false, isUser: true };
    expect((await put(id, asTheyAre, token)).status).toBe(200);
  });

  it("sets no password without the current one", async () => {
    const { id, token, email, password } = await person();
    const answer = await put(id, { password: "Newpass1!", confirmPassword: "Newpass1!" }, token);
    expect(answer.status).toBe(400);
    expect(await signIn(email, password)).toBeTruthy();
  });
});

describe("PUT /api/user/change-password", () => {
  const change = (json: unknown, token?: string) =>
    call("/api/user/change-password", { method: "PUT", json, ...(token && { token }) });

  it("changes the password and ends the other sessions", async () => {
    const { email, password, token } = await person();
    const other = await signIn(email, password);
    const answer = await change({ currentPassword: password, newPassword: "ghijkl", email }, token);
    expect(answer.status).toBe(200);
    expect((await call("/api/auth/me", { token })).status).toBe(200);
    expect((await call("/api/auth/me", { token: other })).status).toBe(401);
    expect(await signIn(email, "ghijkl")).toBeTruthy();
  });

  it("is a 400 at the field for a wrong current password and another user's address", async () => {
    const { password, token } = await person();
    const wrong = await change({ currentPassword: "wrong", newPassword: "ghijkl" }, token);
    expect([wrong.status, await problems(wrong)]).toEqual([
      400,
      ["currentPassword: Current password is incorrect"],
    ]);
    const foreign = { currentPassword: password, newPassword: "ghijkl", email: "other@mail.example" };
    expect(await problems(await change(foreign, token))).toEqual(["email: This is not your email address"]);
  });

  it("is a 400 for invalid input and a 401 without a session", async () => {
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
