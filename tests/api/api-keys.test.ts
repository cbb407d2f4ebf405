import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { formWith, press, submit } from "../support/forms";
import { admin, manager, person } from "../support/people";
import { addProduct, call, insert, setStock, withinOneMinute } from "../support/shop";

type Staff = Awaited<ReturnType<typeof manager>>;

const makeKey = (token: string, fields: Record<string, string>) =>
  submit("/admin/integrations", { intent: "create-key", ...fields }, { token });

/** Makes a key on the page and returns it. */
async function newKey({ token, password }: Staff, scope: "read" | "write" = "write", name = "Till") {
  const answer = await makeKey(token, { name, scope, currentPassword: password });
  expect(answer.status).toBe(200);
  const [key = ""] = /emp_[\w-]{32}/.exec(await answer.text()) ?? [];
  return key;
}

const SALE = { paymentMode: "CARD", lines: [{ description: "Tray", quantity: 1, amount: 30 }] };
const keys = async () =>
  (await env.DB.prepare("SELECT * FROM api_keys").all<Record<string, string | number | null>>()).results;
const page = async ({ token }: Pick<Staff, "token">) => (await call("/admin/integrations", { token })).text();

describe("an API key", () => {
  it("is shown once, and stored as its hash alone", async () => {
    const staff = await manager();
    const key = await newKey(staff, "write", "Till at the counter");
    expect(key).toMatch(/^emp_[\w-]{32}$/);
    expect(JSON.stringify(await keys())).not.toContain(key.slice(4));
    const html = await page(staff);
    expect(html).toContain("Till at the counter");
    expect(html).not.toContain(key);
  });

  it("acts as its owner", async () => {
    const staff = await person({ isManager: true, firstName: "Noor", lastName: "Haddad" });
    const token = await newKey(staff);
    expect((await call("/api/auth/me", { token })).status).toBe(200);
    const sale = await call("/api/sale", { token, json: SALE });
    expect(sale.status).toBe(201);
    const { documents } = (await sale.json()) as { documents: { createdBy: string }[] };
    expect(documents[0]?.createdBy).toBe("Noor Haddad");
  });

  it("with the scope read may only read", async () => {
    const token = await newKey(await admin(), "read");
    expect((await call("/api/sale", { token })).status).toBe(200);
    const id = await addProduct();
    for (const [method, path, json] of [
      ["POST", "/api/sale", SALE],
      ["DELETE", `/api/product/${id}`, undefined],
      ["POST", "/api/chat/create", {}],
      ["POST", "/api/auth/logout", {}],
    ] as const) {
      const answer = await call(path, { method, token, json });
      expect(answer.status, path).toBe(403);
      expect(await answer.text()).toContain("may only read");
    }
  });

  it.each([
    ["revoked", async (_: Staff) => env.DB.exec("DELETE FROM api_keys")],
    ["of a deleted account", async ({ id }: Staff) => env.DB.exec(`DELETE FROM users WHERE id = '${id}'`)],
    [
      "of a demoted person, also after a new promotion",
      async ({ id }: Staff) => {
        await env.DB.exec(`UPDATE users SET is_manager = 0 WHERE id = '${id}'`);
        await env.DB.exec(`UPDATE users SET is_manager = 1 WHERE id = '${id}'`);
      },
    ],
    [
      "of a deactivated account",
      async ({ id }: Staff) => env.DB.exec(`UPDATE users SET is_user = 0 WHERE id = '${id}'`),
    ],
  ])("%s opens nothing, not even the catalogue", async (_, end) => {
    const staff = await manager();
    const token = await newKey(staff);
    await end(staff);
    for (const path of ["/api/sale", "/api/product/all"])
      expect((await call(path, { token })).status, path).toBe(401);
  });

  it.each([
    ["unknown", `emp_${"a".repeat(32)}`],
    ["of 10,000 characters", `emp_${"a".repeat(10_000)}`],
    ["cut off", "emp_abc"],
    ["nothing but its prefix", "emp_"],
  ])("that is %s is a 401, whatever cookie comes with it", async (_, key) => {
    const { token } = await manager();
    const cookie = `emporia_session=${token}`;
    const answer = await call("/api/sale", { token: key, cookie });
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain("API key is not valid");
  });

  it("in a URL is refused and not logged", async () => {
    const key = await newKey(await manager());
    const logs = ["log", "info", "warn", "error"].map((level) => vi.spyOn(console, level as "log"));
    for (const path of [
      `/api/sale?api_key=${key}`,
      `/api/sale?access_token=Bearer%20${key}`,
      `/api/product/all?${key}`,
      `/api/product/id/${key}`,
      `/api/nowhere/${key}`,
    ]) {
      const answer = await call(path, { token: key });
      expect(answer.status, path).toBe(400);
      expect(await answer.text()).toContain("Authorization: Bearer");
    }
    for (const log of logs) expect(JSON.stringify(log.mock.calls)).not.toContain(key);
    vi.restoreAllMocks();
  });

  it("opens no page of the back office", async () => {
    const token = await newKey(await admin());
    for (const path of ["/admin", "/admin/integrations"])
      expect((await call(path, { token })).headers.get("Location"), path).toContain("/login");
  });

  it("passes the origin check, which stays as it is for cookies and sessions", async () => {
    const staff = await manager();
    const headers = { Origin: "https://till.example", "Sec-Fetch-Site": "cross-site" };
    const cookie = `emporia_session=${staff.token}`;
    const status = async (by: { token?: string; cookie?: string }) =>
      (await call("/api/sale", { json: SALE, headers, ...by })).status;
    expect(await status({ token: await newKey(staff) })).toBe(201);
    expect(await status({ cookie })).toBe(403);
    expect(await status({ token: staff.token })).toBe(403);
    expect(await status({ cookie, token: "emp_abc" })).toBe(401);
    const form = await call("/admin/integrations", {
      body: new URLSearchParams({ intent: "create-key", name: "Theirs", scope: "write" }),
      headers: { ...headers, Authorization: "Bearer emp_abc" },
      cookie,
    });
    expect(form.status).toBe(403);
  });

  it("records its use once an hour at most", async () => {
    const token = await newKey(await manager(), "read", "Sheet");
    const used = async () => (await keys()).find(({ name }) => name === "Sheet")?.last_used_at;
    await call("/api/sale", { token });
    await expect.poll(used).toBeGreaterThan(0);
    const recent = Math.floor(Date.now() / 1000) - 3000;
    await env.DB.exec(`UPDATE api_keys SET last_used_at = ${recent}`);
    await call("/api/sale", { token });
    await setStock(await addProduct(), 3);
    expect(await used()).toBe(recent);
    await env.DB.exec(`UPDATE api_keys SET last_used_at = ${recent - 700}`);
    await call("/api/sale", { token });
    await expect.poll(used).toBeGreaterThan(recent);
  });

  it("has 600 calls a minute", async () => {
    const token = await newKey(await manager());
    const limit = vi.spyOn(env.LIMIT_API_KEY, "limit").mockResolvedValue({ success: false });
    const answer = await call("/api/product/all", { token });
    expect(answer.status).toBe(429);
    expect(answer.headers.get("Retry-After")).toBe("60");
    expect(limit).toHaveBeenCalledOnce();
    vi.restoreAllMocks();
  });

  it("cannot change accounts, its owner's included", async () => {
    const owner = await admin();
    const token = await newKey(owner);
    const { id } = await person();
    const users = () => env.DB.prepare("SELECT * FROM users ORDER BY id").raw();
    const before = await users();
    for (const [method, path, json] of [
      ["POST", "/api/user", { fullName: "Eve Till", email: "eve@mail.example", password: "Eve#2026!" }],
      ["PUT", `/api/user/${id}`, { isAdmin: true }],
      ["PUT", `/api/user/${owner.id}`, { firstName: "Eve" }],
      ["DELETE", `/api/user/${id}`, undefined],
      ["PUT", "/api/user/change-password", { currentPassword: "x", newPassword: "Eve#2026!" }],
    ] as const) {
      const answer = await call(path, { method, token, json });
      expect([answer.status, await answer.text()], path).toEqual([403, expect.stringContaining("API key")]);
    }
    expect(await users()).toEqual(before);
    expect((await call("/api/user/all", { token })).status).toBe(200);
  });

  it("cannot subscribe to notifications", async () => {
    const token = await newKey(await manager());
    const keys = { p256dh: `B${"A".repeat(86)}`, auth: "A".repeat(22) };
    const json = { endpoint: "https://push.example.com/x", keys };
    expect((await call("/api/push", { token, json })).status).toBe(403);
  });
});

describe("a new key", () => {
  it.each([
    ["missing", {}, "Current password is required"],
    ["empty", { currentPassword: "" }, "Current password is required"],
    ["wrong", { currentPassword: "Password2!" }, "Current password is incorrect"],
  ])("asks for the password: a %s one is an error at its field and makes none", async (_, typed, error) => {
    const { token, id } = await manager();
    const answer = await makeKey(token, { name: "Till <1>", scope: "write", ...typed });
    expect(answer.status).toBe(400);
    const html = await answer.text();
    expect(html).toMatch(new RegExp(`id="key-password-error"[^>]*>(?:<svg.*?</svg>)?${error}`));
    expect(formWith(html, /^Make key$/).fields).toMatchObject({ name: "Till <1>", scope: "write" });
    expect(html).not.toContain("Password2!");
    expect((await keys()).filter((key) => key.user_id === id)).toEqual([]);
  });

  it("allows ten attempts a minute, whatever the session", async () => {
    await withinOneMinute(async () => {
      const { token, password } = await manager();
      const attempt = (currentPassword: string) =>
        makeKey(token, { name: "Till", scope: "read", currentPassword });
      for (let i = 0; i < 10; i++) expect((await attempt("guess")).status).toBe(400);
      const answer = await attempt(password);
      expect(answer.status).toBe(429);
      expect(answer.headers.get("Retry-After")).toBe("60");
    });
  });
});

describe("the page", () => {
  it("lists and revokes own keys for managers, and everybody's for admins", async () => {
    const [first, second, owner] = [await manager(), await manager(), await admin()];
    await newKey(first, "read", "Sheet of the first");
    await newKey(second, "read", "Sheet of the second");
    const id = (await keys()).find(({ name }) => name === "Sheet of the second")?.id;
    const revoke = (by: Staff) =>
      submit("/admin/integrations", { intent: "revoke-key", id: String(id) }, { token: by.token });
    expect(await page(first)).toContain("Sheet of the first");
    expect(await page(first)).not.toContain("Sheet of the second");
    expect(await page(owner)).toContain("Sheet of the second");
    expect((await revoke(first)).status).toBe(404);
    expect((await revoke(owner)).status).toBe(303);
    expect((await revoke(owner)).status).toBe(404);
    expect(await page(second)).not.toContain("Sheet of the second");
  });

  it("asks before it revokes a key or deletes a webhook, without JavaScript too", async () => {
    const [first, second, owner] = [await manager(), await manager(), await admin()];
    await newKey(first, "read", "Sheet to revoke");
    const id = (await keys()).find(({ name }) => name === "Sheet to revoke")?.id;
    expect(await page(first)).not.toContain('value="revoke-key"');
    expect(await page(first)).toContain(`href="/admin/integrations?revoke=${id}"`);
    const ask = async ({ token }: Staff, query: string) =>
      (await call(`/admin/integrations?${query}`, { token })).text();
    expect(await ask(second, `revoke=${id}`)).not.toContain("<dialog");
    const asked = await ask(first, `revoke=${id}`);
    expect(asked).toMatch(/<dialog[^>]* open/);
    expect((await press(asked, /^Revoke$/, {}, { token: first.token })).status).toBe(303);
    expect(await keys()).not.toContainEqual(expect.objectContaining({ id }));

    const hook = {
      intent: "create-webhook",
      url: "https://hooks.example.com/",
      events: "stock.low",
      currentPassword: owner.password,
    };
    await submit("/admin/integrations", hook, { token: owner.token });
    const stored = await env.DB.prepare("SELECT id, secret FROM webhooks").first<Record<string, string>>();
    const html = await ask(owner, `delete=${stored?.id}`);
    expect(html).not.toContain(stored?.secret);
    expect(await page(owner)).not.toContain('value="delete-webhook"');
    expect((await press(html, /^Delete$/, {}, { token: owner.token })).status).toBe(303);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM webhooks").first("n")).toBe(0);
  });

  it("has pages of twenty keys, and leads from past the last one to it", async () => {
    const [first, second, owner] = [await manager(), await manager(), await admin()];
    const row = (i: number) => ({
      id: `page-${i}`,
      user_id: (i < 11 ? first : second).id,
      name: `Page key ${i}.`,
      scope: "read",
      token_hash: `page-${i}`,
      created_at: i + 1,
    });
    await insert(
      "api_keys",
      Array.from({ length: 21 }, (_, i) => row(i)),
    );
    const last = Math.ceil((await keys()).length / 20);
    const at = (query: string) => call(`/admin/integrations${query}`, { token: owner.token });
    expect(await page(owner)).toContain('href="/admin/integrations?page=2"');
    expect(await page(first)).not.toContain("Older keys");
    for (const query of [`?page=${last + 1}`, "?page=1000000"])
      expect((await at(query)).headers.get("Location")).toBe(`/admin/integrations?page=${last}`);
    expect((await at("?keys=20")).headers.get("Location")).toBe("/admin/integrations");
    const end = await (await at(`?page=${last}`)).text();
    expect(end).toContain("Page key 0.");
    expect(end).not.toContain("Older keys");
  });

  it("is for staff, and its webhooks for admins", async () => {
    const { token } = await person();
    expect((await call("/admin/integrations", { token })).headers.get("Location")).toContain("/unauthorized");
    const staff = await manager();
    expect(await page(staff)).not.toContain("New webhook");
    const form = { intent: "create-webhook", url: "https://hooks.example.com/", events: "stock.low" };
    const answer = await submit("/admin/integrations", form, staff);
    expect(answer.headers.get("Location")).toContain("/unauthorized");
  });

  it("refuses a key without a name or scope, and the 21st", async () => {
    const staff = await manager();
    const currentPassword = staff.password;
    const wrong = await makeKey(staff.token, { name: " ", currentPassword });
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toContain("Choose what the key may do");
    const row = (i: number) => ({ id: `${staff.id}-${i}`, user_id: staff.id, name: `Key ${i}` });
    const rest = (i: number) => ({
      scope: "read",
      token_hash: `${staff.id}-${i}`,
      created_at: 1_790_000_000,
    });
    await insert(
      "api_keys",
      Array.from({ length: 20 }, (_, i) => ({ ...row(i), ...rest(i) })),
    );
    const answer = await makeKey(staff.token, { name: "One more", scope: "read", currentPassword });
    expect(answer.status).toBe(409);
  });
});
