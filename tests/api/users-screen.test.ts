import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { press } from "../support/forms";
import { loaderData } from "../support/loader-data";
import { admin, manager, person } from "../support/people";
import { addUser, call, cookiesOf } from "../support/shop";

const PATH = "/admin/users-management";

interface Screen {
  rows: { id: string; email: string; locks: Record<string, string | null> }[];
  total: number;
  place: { page: number };
  target: { id: string } | null;
}

let owner: Awaited<ReturnType<typeof admin>>;
let helper: Awaited<ReturnType<typeof manager>>;

/** Loads the data of the screen at a URL. */
const screen = (query: string, token = owner.token) => loaderData<Screen>(`${PATH}?${query}`, { token });
const emails = async (query: string) => (await screen(query)).rows.map(({ email }) => email);

/** Sends a form of the screen without JavaScript. */
async function send(cookie: string, fields: Record<string, string>, query = "") {
  return call(`${PATH}${query}`, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    cookie,
  });
}

async function cookieOf({ email, password }: { email: string; password: string }) {
  const json = { email, password };
  return cookiesOf(await call("/api/auth/login", { json, headers: { "CF-Connecting-IP": "10.9.9.9" } }));
}

beforeAll(async () => {
  owner = await admin();
  helper = await manager();
  await addUser({ email: "zoe@list.example", firstName: "Zoé", lastName: "Adeyemi", phoneNumber: "3" });
  await addUser({ email: "anna.b@list.example", firstName: "anna", lastName: "Bell", phoneNumber: "1" });
  await addUser({
    email: "Bob@list.example",
    firstName: "Bob",
    lastName: "Zane",
    isManager: true,
    phoneNumber: "2",
  });
});

describe("the users' screen", () => {
  it.each([
    ["list.example", 3],
    ["LIST.EX", 3],
    ["zoe ade", 1],
    ["ZOÉ", 1],
    ["ell", 1],
    ["b", 2],
    ["an", 1],
    ['"', 0],
    ["list.example' OR 1", 0],
    ["*", 0],
  ])("finds by name and e-mail address: %s", async (q, count) => {
    const { rows, total } = await screen(`q=${encodeURIComponent(q)}`);
    const listed = rows.filter(({ email }) => email.toLowerCase().endsWith("list.example"));
    expect(listed).toHaveLength(count);
    expect(total).toBe(rows.length);
  });

  it.each([
    ["name", ["anna.b", "Bob", "zoe"]],
    ["email", ["anna.b", "Bob", "zoe"]],
    ["phoneNumber", ["anna.b", "Bob", "zoe"]],
    ["role", ["zoe", "anna.b", "Bob"]],
  ])("sorts by %s, both ways", async (sort, expected) => {
    const names = (list: string[]) => list.map((email) => email.split("@")[0]);
    const upwards = names(await emails(`q=list.example&sort=${sort}&dir=asc`));
    const downwards = names(await emails(`q=list.example&sort=${sort}&dir=desc`));
    expect(downwards).toEqual([...upwards].reverse());
    if (sort === "role") expect(upwards[2]).toBe("Bob");
    else expect(upwards).toEqual(expected);
  });

  it("paginates", async () => {
    const first = await screen("size=2&sort=email");
    const second = await screen("size=2&sort=email&page=2");
    expect(first.total).toBe(second.total);
    expect(second.rows[0]?.email).not.toBe(first.rows[0]?.email);
  });

  it("updates search and count after an edit and a deletion", async () => {
    const before = (await screen("")).total;
    const { id } = await addUser({ email: "brief@list2.example", firstName: "Brief" });
    expect((await screen("")).total).toBe(before + 1);
    await env.DB.prepare("UPDATE users SET first_name = 'Lasting' WHERE id = ?").bind(id).run();
    expect((await screen("q=Lasting")).total).toBe(1);
    await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(id).run();
    expect((await screen("q=Lasting")).total).toBe(0);
    expect((await screen("")).total).toBe(before);
  });

  it("explains the locked actions", async () => {
    const seen = await screen("size=100", helper.token);
    const locks = (id: string) => seen.rows.find((row) => row.id === id)?.locks;
    expect(locks(owner.id)).toMatchObject({
      edit: "Only an admin may edit a colleague.",
      delete: "An admin can't be deleted.",
    });
    expect(locks(helper.id)).toMatchObject({ edit: null, delete: "You can't delete your own account." });
  });

  it("redirects visitors and customers", async () => {
    const customer = await person();
    expect((await call(PATH)).headers.get("Location")).toMatch(/^\/login/);
    expect((await call(PATH, { token: customer.token })).headers.get("Location")).toBe("/unauthorized");
  });
});

describe("the users' forms, without JavaScript", () => {
  const fields = {
    intent: "createUser",
    firstName: "Mary Ann",
    lastName: "Smith",
    email: "mary@forms.example",
    phoneNumber: "",
    password: "Strong1!",
    confirmPassword: "Strong1!",
  };

  it("stores both names as typed and redirects to the same list", async () => {
    const cookie = await cookieOf(owner);
    const answer = await send(cookie, fields, "?q=mary&dialog=new");
    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toBe(`${PATH}?q=mary`);
    const stored = await env.DB.prepare("SELECT * FROM users WHERE email_key = ?").bind(fields.email).first();
    expect(stored).toMatchObject({ first_name: "Mary Ann", last_name: "Smith", is_manager: 0 });
    const again = await send(cookie, fields);
    expect(again.status).toBe(409);
    expect(await again.text()).toContain("An account with this email already exists");
  });

  it("treats an unticked checkbox as off and a locked one as unchanged", async () => {
    const cookie = await cookieOf(owner);
    const { id } = await addUser({ isManager: true });
    const edit = { intent: "updateUser", id, firstName: "A", lastName: "B", phoneNumber: "" };
    await send(cookie, { ...edit, boxes: "", isManager: "on" });
    const stored = () =>
      env.DB.prepare("SELECT is_manager, is_user FROM users WHERE id = ?").bind(id).first();
    expect(await stored()).toEqual({ is_manager: 1, is_user: 1 });
    await send(cookie, { ...edit, boxes: "isManager isAdmin isUser", isUser: "on" });
    expect(await stored()).toEqual({ is_manager: 0, is_user: 1 });
  });

  it("reports a conflicting edit to the second person and overwrites nothing", async () => {
    const cookie = await cookieOf(owner);
    const opened = { firstName: "Ida", lastName: "Berg", phoneNumber: "555 0100" };
    const { id } = await addUser(opened);
    const was = JSON.stringify({ ...opened, isManager: false, isAdmin: false, isUser: true });
    const boxes = "isManager isAdmin isUser";
    const form = { intent: "updateUser", id, ...opened, boxes, isUser: "on", was };
    const save = (fields: Record<string, string>) => send(cookie, { ...form, ...fields }, `?edit=${id}`);
    expect((await save({ lastName: "Bergman", isManager: "on" })).status).toBe(303);
    const late = await save({ phoneNumber: "555 0199" });
    expect(late.status).toBe(409);
    const page = await late.text();
    expect(page).toContain("Somebody else has just changed this user.");
    expect(page).toContain("Changed to Bergman meanwhile");
    expect(page).toContain("Changed to ticked meanwhile");
    expect(page).toMatch(/name="lastName"[^>]* value="Bergman"/);
    expect(page).toMatch(/name="phoneNumber"[^>]* value="555 0199"/);
    const stored = () =>
      env.DB.prepare("SELECT last_name, phone_number, is_manager FROM users WHERE id = ?").bind(id).first();
    expect(await stored()).toEqual({ last_name: "Bergman", phone_number: "555 0100", is_manager: 1 });
    const now = JSON.stringify({ ...JSON.parse(was), lastName: "Bergman", isManager: true });
    await save({ lastName: "Bergman", isManager: "on", phoneNumber: "555 0199", was: now });
    expect(await stored()).toEqual({ last_name: "Bergman", phone_number: "555 0199", is_manager: 1 });
  });

  it("reports it also when a field was refused in between", async () => {
    const cookie = await cookieOf(owner);
    const { id } = await addUser({ firstName: "Ida", lastName: "Berg", phoneNumber: "555 0100" });
    const opened = await (await call(`${PATH}?edit=${id}`, { cookie })).text();
    await call(`/api/user/${id}`, { method: "PUT", json: { phoneNumber: "555 0177" }, token: owner.token });
    const typed = { phoneNumber: "555 0199", lastName: "" };
    const wrong = await press(opened, /^Update$/, typed, { cookie });
    expect(wrong.status).toBe(400);
    const mended = await press(await wrong.text(), /^Update$/, { lastName: "Berg" }, { cookie });
    expect([mended.status, (await mended.text()).includes("Now 555 0177")]).toEqual([409, true]);
  });

  it("ends the sessions of a deactivated user for good", async () => {
    const customer = await person();
    const put = (isUser: boolean) =>
      call(`/api/user/${customer.id}`, { method: "PUT", json: { isUser }, token: owner.token });
    expect((await put(false)).status).toBe(200);
    expect((await put(true)).status).toBe(200);
    expect((await call("/api/auth/me", { token: customer.token })).status).toBe(401);
  });
});
