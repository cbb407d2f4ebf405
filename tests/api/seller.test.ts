import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "~/session/tokens.server";
import { startChat } from "../support/chat";
import { submit } from "../support/forms";
import { connect } from "../support/live";
import { admin, from, manager, person, seller } from "../support/people";
import { credit, json, type Refusal, type SaleAnswer, sold } from "../support/sales";
import { call } from "../support/shop";

type Person = Awaited<ReturnType<typeof person>>;
let owner: Person;
let boss: Person;
let till: Person;

beforeAll(async () => {
  [owner, boss, till] = [await admin(), await manager(), await seller()];
});

const put = (id: string, change: object, { token }: Person) =>
  call(`/api/user/${id}`, { method: "PUT", json: change, token });
const page = async (path: string, { token }: Person) => (await call(path, { token })).text();

const FORBIDDEN = "Sellers may pay back up to $50.00 of one sale. Ask a manager.";

describe("the role of a seller", () => {
  it("is given and taken by admins alone, is in answers and counts from the next request", async () => {
    const someone = await person();
    const fields = {
      fullName: "Jo Brandt",
      phoneNumber: "",
      password: "Passw0rd!",
      confirmPassword: "Passw0rd!",
    };
    const add = (email: string, { token }: Person) =>
      call("/api/user", { json: { ...fields, email, isSeller: true }, token });
    expect((await add("jo@mail.example", boss)).status).toBe(403);
    expect(await (await add("jo@mail.example", owner)).json()).toMatchObject({
      isSeller: true,
      isManager: false,
    });
    for (const by of [boss, till, someone])
      expect((await put(someone.id, { isSeller: true }, by)).status).toBe(403);
    expect((await call("/api/today", { token: someone.token })).status).toBe(403);
    expect(await (await put(someone.id, { isSeller: true }, owner)).json()).toMatchObject({
      ...{ isSeller: true, isManager: false, isAdmin: false, isUser: true },
    });
    expect((await call("/api/today", { token: someone.token })).status).toBe(200);
    expect(await (await call("/api/auth/me", { token: someone.token })).json()).toMatchObject({
      isSeller: true,
    });
    expect((await put(someone.id, { isSeller: false }, boss)).status).toBe(403);
    expect((await put(someone.id, { isSeller: false }, owner)).status).toBe(200);
    expect((await call("/api/today", { token: someone.token })).status).toBe(403);
    const { results } = await env.DB.prepare(
      "SELECT changes FROM audit_log WHERE object = 'user' AND object_id = ? ORDER BY seq",
    )
      .bind(someone.id)
      .all<{ changes: string }>();
    expect(results.map(({ changes }) => JSON.parse(changes))).toEqual([
      { isSeller: [0, 1] },
      { isSeller: [1, 0] },
    ]);
  });

  it("is set and unset by the form of users, which only admins see unlocked", async () => {
    const someone = await person();
    const was = JSON.stringify({
      ...{ firstName: "Pat", lastName: "Example", phoneNumber: "" },
      ...{ isSeller: false, isManager: false, isAdmin: false, isUser: true },
    });
    const form = { intent: "updateUser", id: someone.id, boxes: "isSeller isManager isAdmin isUser", was };
    const fields = {
      ...form,
      firstName: "Pat",
      lastName: "Example",
      phoneNumber: "",
      isUser: "on",
      isSeller: "on",
    };
    const path = `/admin/users-management?edit=${someone.id}`;
    expect((await submit(path, fields, { token: owner.token })).status).toBe(303);
    const list = await page("/admin/users-management?sort=role&dir=asc", owner);
    expect(list).toMatch(/Seller/);
    expect(await page(path, owner)).toMatch(/<input[^>]*name="isSeller"[^>]*checked/);
    expect(await page(path, boss)).toContain("Only an admin may edit a colleague.");
  });

  it("protects colleagues from managers and sellers", async () => {
    const other = await seller();
    for (const by of [boss, till]) {
      expect((await put(other.id, { lastName: "Changed" }, by)).status).toBe(403);
      expect((await call(`/api/user/${other.id}`, { method: "DELETE", token: by.token })).status).toBe(403);
    }
    const unknown = await put("nobody", { lastName: "Changed" }, till);
    expect(unknown.status).toBe(403);
    expect((await put(till.id, { lastName: "Brandt" }, till)).status).toBe(200);
  });

  it("has no key: a manager's end with the change to a seller, and a seller makes none", async () => {
    const former = await manager();
    const fields = { intent: "create-key", name: "Till", scope: "write", currentPassword: former.password };
    const made = await submit("/admin/integrations", fields, { token: former.token });
    const [key = ""] = /emp_[\w-]{32}/.exec(await made.text()) ?? [];
    expect((await call("/api/sale", { token: key })).status).toBe(200);
    await put(former.id, { isManager: false, isSeller: true }, owner);
    expect((await call("/api/sale", { token: key })).status).toBe(401);
    const refused = await submit("/admin/integrations", fields, { token: former.token });
    expect(refused.headers.get("Location")).toBe("/unauthorized");
  });
});

describe("a seller's back office", () => {
  it("opens with Today, and shows the sections that a seller may open", async () => {
    const signIn = await submit(
      "/login",
      { email: till.email, password: till.password, redirectTo: "/admin" },
      {},
    );
    expect(signIn.headers.get("Location")).toBe("/admin/today");
    const html = await page("/admin/today", till);
    const [nav = ""] = /<nav class="admin-nav".*?<\/nav>/s.exec(html) ?? [];
    expect([...nav.matchAll(/title="([^"]+)"/g)].map(([, title]) => title)).toEqual([
      ...["Today", "Inventory", "Sales", "Customers", "Products", "Support Chat"],
    ]);
    expect(html).toContain("<small>Seller</small>");
    expect(html).not.toMatch(/My first page|href="\/admin"/);
  });

  it("has no link to a page that is refused", async () => {
    const [document] = await sold(boss.token, {
      lines: [{ description: "Pen", category: "OTHERS", quantity: 1, amount: 9 }],
    });
    const { chatId } = await startChat({ initialMessage: "Is it there?" });
    const paths = [
      ...[
        "today",
        "documents",
        `documents/${document?.id}`,
        "holds",
        "quotes",
        "customers",
        "labels",
        "search",
      ],
      ...["inventory-management", "products-management", "sales/new", "sales/drawer", `chat?chat=${chatId}`],
      ...["chat?tab=settings", "chat?tab=responses", "search?q=e", "search?q=s", "nope"],
    ];
    for (const path of paths) {
      const html = await page(`/admin/${path}`, till);
      const links = [...html.matchAll(/href="(\/admin[^"?]*)/g)].map(([, href = ""]) => href);
      expect(links.length, path).toBeGreaterThan(5);
      for (const href of new Set(links))
        expect((await call(href, { token: till.token })).status, `${path}: ${href}`).not.toBe(403);
    }
  });

  it("has no lines of the books on a document, and no settings in the console", async () => {
    const [document] = await sold(boss.token, {
      lines: [{ description: "Pen", category: "OTHERS", quantity: 1, amount: 9 }],
    });
    expect(await page(`/admin/documents/${document?.id}`, boss)).toContain("In the books");
    expect(await page(`/admin/documents/${document?.id}`, till)).not.toContain("In the books");
    expect(await page("/admin/chat?tab=settings", till)).not.toContain('name="welcomeMessage"');
    expect(await page("/admin/chat?tab=settings", boss)).toContain('name="welcomeMessage"');
  });

  it("finds no expenses, and no acts and pages that are refused", async () => {
    const expense = { businessType: "EMPORIA", expenseType: "TAXI", description: "Zebra taxi", amount: 5 };
    await call("/api/expense", { json: expense, token: boss.token });
    const kinds = async (q: string, { token }: Person) => {
      const { groups } = await json<{ groups: { kind: string; hits: { title: string }[] }[] }>(
        call(`/api/search?q=${encodeURIComponent(q)}`, { token }),
      );
      return groups.flatMap(({ kind, hits }) => hits.map(({ title }) => `${kind} ${title}`));
    };
    expect(await kinds("zebra", boss)).toEqual(["expenses Zebra taxi"]);
    expect(await kinds("zebra", till)).toEqual([]);
    expect(await kinds("offline", boss)).toContain("acts Go offline");
    expect(await kinds("offline", till)).toEqual([]);
    expect(await kinds("health", owner)).toContain("pages Health");
    for (const q of ["health", "settings", "profit", "users", "expense"])
      expect((await kinds(q, till)).filter((hit) => !/My account|Notifications/.test(hit))).toEqual([]);
    expect(await kinds("record", till)).toContain("acts Record sale");
  });

  it("answers chats as the shop, which may be assigned to them", async () => {
    const { chatId } = await startChat({ initialMessage: "Is it there?" });
    const text = { chatId, message: "It is", isFromAdmin: true, senderName: "" };
    const answer = await call("/api/chat/message", { json: text, token: till.token });
    expect(await answer.json()).toMatchObject({ isFromAdmin: true, senderName: "Support Team" });
    const assigned = await call(`/api/chat/${chatId}`, {
      ...{ method: "PATCH", json: { assigneeId: till.id }, token: boss.token },
    });
    expect(await assigned.json()).toMatchObject({ assigneeId: till.id });
  });

  it("may not switch the chat's status, by API or live", async () => {
    const line = await connect("?room=admin", { Authorization: `Bearer ${till.token}` });
    line.send("chat-status-change", { isOnline: false });
    await line.waitForEvent("error", ({ event }) => event === "chat-status-change");
    expect(await (await call("/api/chat/settings")).json()).toMatchObject({ isOnline: true });
  });

  it("closes its connections when the role goes", async () => {
    const former = await seller();
    const line = await connect("?room=admin", { Authorization: `Bearer ${former.token}` });
    await put(former.id, { isSeller: false }, owner);
    expect(await line.closed).toBe(4401);
  });
});

describe("what a seller pays back", () => {
  const lines = (...amounts: number[]) =>
    amounts.map((amount, i) => ({ description: `Pen ${i}`, category: "OTHERS", quantity: 1, amount }));
  const sale = async (...amounts: number[]): Promise<string> =>
    ((await sold(till.token, { lines: lines(...amounts) }))[0] as SaleAnswer).id;
  const one = (line: number) => ({ lines: [{ line, quantity: 1 }] });
  const corrected = (id: string, amount: number) =>
    call(`/api/sale/${id}/correct`, {
      json: { lines: lines(amount), paymentMode: "CARD" },
      token: till.token,
    });

  it("is limited by a credit note, and by all of a sale together", async () => {
    const dear = await sale(50.01);
    const refused = await credit(till.token, dear);
    expect([refused.status, (await json<Refusal>(refused)).message]).toEqual([403, FORBIDDEN]);
    expect((await credit(boss.token, dear)).status).toBe(201);
    expect((await credit(till.token, await sale(50))).status).toBe(201);
    const several = await sale(30, 20, 1);
    expect((await credit(till.token, several, one(1))).status).toBe(201);
    expect((await credit(till.token, several, one(2))).status).toBe(201);
    expect((await credit(till.token, several, one(3))).status).toBe(403);
  });

  it("is limited at once: of two notes that exceed it together, one is issued", async () => {
    const several = await sale(40, 40);
    const both = await Promise.all([1, 2].map((line) => credit(till.token, several, one(line))));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 403]);
  });

  it("is limited by a correction to what is paid back", async () => {
    const correct = async (id: string, amount: number) => (await corrected(id, amount)).status;
    expect(await correct(await sale(100), 49)).toBe(403);
    expect(await correct(await sale(100), 50)).toBe(201);
    expect(await correct(await sale(100), 200)).toBe(201);
  });

  it("is limited along a chain of corrections, whatever was paid in addition", async () => {
    const next = async (id: string, amount: number) => {
      const answer = await corrected(id, amount);
      return [answer.status, (await json<{ sale?: SaleAnswer }>(answer)).sale?.id ?? id] as const;
    };
    let [status, id] = [201, await sale(100)];
    const statuses: number[] = [];
    for (const amount of [70, 200, 180, 179]) {
      [status, id] = await next(id, amount);
      statuses.push(status);
    }
    expect(statuses).toEqual([201, 201, 201, 403]);
    expect((await credit(till.token, id)).status).toBe(403);
    expect((await credit(boss.token, id)).status).toBe(201);
  });

  it("is limited for deposits, by payments back and by a withdrawal", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "A pen, engraved?" });
    const quote = { chatId, title: "Pen", lines: [{ description: "Pen", quantity: 1, amount: 90 }] };
    const { id } = await json<{ id: string }>(call("/api/quote", { token: till.token, json: quote }));
    await call(`/api/quote/${id}`, { method: "PATCH", json: { state: "accepted" }, cookie });
    const pay = async (amount: number) =>
      (await call(`/api/quote/${id}/payment`, { json: { amount, mode: "CARD" }, token: till.token })).status;
    expect([await pay(80), await pay(-50.01), await pay(-25), await pay(-26)]).toEqual([201, 403, 201, 403]);
    const end = { method: "PATCH", json: { state: "withdrawn", deposit: "paidBack" } };
    expect((await call(`/api/quote/${id}`, { ...end, token: till.token })).status).toBe(403);
    expect((await call(`/api/quote/${id}`, { ...end, token: boss.token })).status).toBe(200);
  });

  it("is refused by the form with the reason, and follows the settings at once", async () => {
    const dear = await sale(60);
    const path = `/admin/documents/${dear}?credit=1`;
    const fields = {
      intent: "credit",
      creditId: crypto.randomUUID(),
      all: "on",
      paymentMode: "CARD",
      id: dear,
    };
    const refused = await submit(path, fields, { token: till.token });
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain(`Not credited. ${FORBIDDEN}`);
    const limit = (json: object) => call("/api/settings", { method: "PATCH", json, token: owner.token });
    for (const wrong of [-1, 1.5, "much"])
      expect((await limit({ sellerCreditLimit: wrong })).status).toBe(400);
    expect(await (await limit({ sellerCreditLimit: 60 })).json()).toMatchObject({ sellerCreditLimit: 60 });
    expect((await submit(path, fields, { token: till.token })).status).toBe(303);
  });
});

it("a seller's password follows the rule of staff when it is reset", async () => {
  const token = "t".repeat(32);
  await env.DB.prepare(
    "INSERT INTO password_resets (token_hash, user_id, expires_at) VALUES (?, ?, unixepoch() + 600)",
  )
    .bind(await sha256(token), till.id)
    .run();
  const reset = (password: string) =>
    call("/api/auth/reset-password", {
      ...{ json: { token, password, confirmPassword: password }, headers: from("10.77.0.1") },
    });
  expect((await reset("weakone")).status).toBe(400);
  expect((await reset("Str0ng!pass")).status).toBe(200);
});
