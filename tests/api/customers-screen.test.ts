import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { visitorNumber } from "~/features/chat/visitor-label";
import { SALE_CHECKS } from "~/features/sales/queries/check";
import { type Message, postMessage, startChat } from "../support/chat";
import { customersScreen, CUSTOMERS as PATH } from "../support/customers-screen";
import { loaderData } from "../support/loader-data";
import { manager, person } from "../support/people";
import { hold, json, numberFrom, sold } from "../support/sales";
import { addProduct, call, cookiesOf, insert } from "../support/shop";

let token: string;
const { screen, names, html, send, add } = customersScreen(() => token);
const unlinked = async (query: string) =>
  (
    await loaderData<{ unlinked: { rows: { title: string }[]; total: number } }>(
      `${PATH}?open=unlinked&${query}`,
      { token },
    )
  ).unlinked;
const quote = async (chatId: string, title: string) =>
  json<{ id: string }>(
    call("/api/quote", {
      token,
      json: { chatId, title, lines: [{ description: "Coasters", quantity: 1, amount: 92 }] },
    }),
  );

beforeAll(async () => {
  ({ token } = await manager());
});

it("an empty list invites to add a customer", async () => {
  expect(await html(PATH)).toContain("Customers appear with their first sale, or add one.");
});

describe("the list of customers", () => {
  let ines: string;

  beforeAll(async () => {
    ines = await add({ name: "Ines Carvalho", email: "Ines.C@mail.example", phoneNumber: "416 555 0148" });
    await add({ name: "Łukasz Nowak", email: "lukasz@mail.example" });
    await add({ name: "I. Carvalho", email: "ines.c@mail.example" });
  });

  it.each([
    ["carvalho", ["I. Carvalho", "Ines Carvalho"]],
    ["INES.C@", ["I. Carvalho", "Ines Carvalho"]],
    ["555 0148", ["Ines Carvalho"]],
    ["łu", ["Łukasz Nowak"]],
    ["nobody", []],
    ['"', []],
  ])("finds %s by name, e-mail and phone", async (q, expected) => {
    expect((await names(`q=${encodeURIComponent(q)}`)).sort()).toEqual(expected);
  });

  it("sorts by name and pages", async () => {
    expect(await names("sort=name&dir=asc")).toEqual(["I. Carvalho", "Ines Carvalho", "Łukasz Nowak"]);
    expect(await names("sort=name&dir=asc&size=2&page=2")).toEqual(["Łukasz Nowak"]);
  });

  it("sorts by the last visit, those of the same second by id", async () => {
    const seen = env.DB.prepare("UPDATE customers SET last_seen = CASE name WHEN ? THEN 90 ELSE 100 END");
    await seen.bind("Łukasz Nowak").run();
    const rising = await names("sort=lastSeen&dir=asc");
    expect(rising[0]).toBe("Łukasz Nowak");
    expect(await names("sort=lastSeen&dir=desc")).toEqual(rising.toReversed());
    expect(await names("")).toEqual(rising.toReversed());
    await seen.bind("Ines Carvalho").run();
    expect((await names("")).at(-1)).toBe("Ines Carvalho");
  });

  it("shows what is open, and a possible duplicate", async () => {
    const productId = await addProduct({ name: "Kept lamp", stock: 5 });
    const until = { seconds: Math.floor(Date.now() / 1000) + 7200 };
    await hold(token, { customerId: ines, until, lines: [{ productId, quantity: 2 }] });
    const row = (await screen("q=ines carvalho")).rows[0];
    expect(row).toMatchObject({ heldPieces: 2, duplicate: "I. Carvalho" });
    const page = await html(PATH);
    expect(page).toMatch(/2 set aside until \w+day \d\d:\d\d</);
    expect(page).toContain("Same email as Ines Carvalho");
  });

  it("pills list what is open, and possible duplicates", async () => {
    const { chatId } = await startChat({ userName: "Łukasz" });
    const [lukasz] = (await screen("q=łukasz")).rows;
    await call("/admin/chat", {
      token,
      body: new URLSearchParams({ intent: "linkCustomer", chatId, customerId: lukasz?.id ?? "" }),
    });
    await quote(chatId, "Slate coasters");
    expect(await names("open=held")).toEqual(["Ines Carvalho"]);
    expect(await names("open=quote")).toEqual(["Łukasz Nowak"]);
    expect((await names("open=duplicate")).sort()).toEqual(["I. Carvalho", "Ines Carvalho"]);
    expect(await screen("open=duplicate&q=i. car")).toMatchObject({ total: 1 });
    const pills = async (query: string) =>
      /All.*?Possible duplicates/.exec((await html(PATH + query)).replaceAll(/<[^>]*>/g, ""))?.[0];
    expect(await pills("")).toBe("All 3Set aside 1Open quote 1Without a customer 0Possible duplicates");
    expect(await pills("?open=held")).toBe(
      "All 3Set aside 1Open quote 1Without a customer 0Possible duplicates",
    );
    expect(await pills("?open=held&q=carvalho")).toBe(
      "All 2Set aside 1Open quote 1Without a customer 0Possible duplicates",
    );
  });

  it("customers are duplicates while they have the same address", async () => {
    const check = async () =>
      (await env.DB.prepare(SALE_CHECKS["addresses count their customers"] ?? "").all()).results;
    const address = (email: string) =>
      call(`/api/customer/${ines}`, { method: "PATCH", token, json: { email } });
    for (const [email, found] of [
      ["other@mail.example", []],
      ["INES.C@mail.example", ["I. Carvalho", "Ines Carvalho"]],
      ["", []],
      ["Ines.C@mail.example", ["I. Carvalho", "Ines Carvalho"]],
    ] as const) {
      expect((await address(email)).status).toBe(200);
      expect((await names("open=duplicate")).sort(), email).toEqual(found);
      expect(await check()).toEqual([]);
    }
    await env.DB.exec("UPDATE customer_emails SET customers = 7 WHERE customers = 2");
    expect(await check()).toHaveLength(1);
    await env.DB.exec("UPDATE customer_emails SET customers = 2 WHERE customers = 7");
  });

  it("dates the last visit by the visitor's messages in linked chats, at most every ten minutes", async () => {
    const { chatId, cookie } = await startChat({ userName: "Saoirse" });
    const id = await add({ name: "Saoirse Byrne", chatId });
    const seen = () => numberFrom("SELECT last_seen AS n FROM customers WHERE id = ?", id);
    const setSeen = (seconds: number) =>
      env.DB.prepare("UPDATE customers SET last_seen = ? WHERE id = ?").bind(seconds, id).run();
    const listed = (text: string) =>
      numberFrom("SELECT count(*) AS n FROM chats WHERE id = ? AND last_message = ?", chatId, text);
    await setSeen(1000);
    await json(postMessage(chatId, "Yes", { token }, { isFromAdmin: true }));
    await expect.poll(() => listed("Yes")).toBe(1);
    expect(await seen()).toBe(1000);

    const { timestamp } = await json<Message>(postMessage(chatId, "Are you open?", { cookie }));
    await expect.poll(seen).toBe(timestamp.seconds);
    await setSeen(timestamp.seconds - 300);
    await json(postMessage(chatId, "Thanks", { cookie }));
    await expect.poll(() => listed("Thanks")).toBe(1);
    expect(await seen()).toBe(timestamp.seconds - 300);
    await env.DB.prepare("DELETE FROM customers WHERE id = ?").bind(id).run();
  });

  it("dates the last visit by a linked chat's last message, not by the link", async () => {
    const { chatId } = await startChat({ userName: "Kwame" });
    const id = await add({ name: "Kwame Adeyemi" });
    await env.DB.batch([
      env.DB.prepare("UPDATE chats SET last_message_at = 1790000000000, revision = 1000 WHERE id = ?").bind(
        chatId,
      ),
      env.DB.prepare("UPDATE customers SET last_seen = 1000 WHERE id = ?").bind(id),
    ]);
    await call("/admin/chat", {
      token,
      body: new URLSearchParams({ intent: "linkCustomer", chatId, customerId: id }),
    });
    expect(await numberFrom("SELECT last_seen AS n FROM customers WHERE id = ?", id)).toBe(1_790_000_000);
    await env.DB.prepare("DELETE FROM customers WHERE id = ?").bind(id).run();
  });

  it("adds a customer, once for each form, and shows problems at their fields", async () => {
    const form = { intent: "add", customerId: "form-made", name: "Wei Chen", email: "", notes: "On foot" };
    const added = await send(`${PATH}?dialog=new`, form);
    expect([added.status, added.headers.get("Location")]).toEqual([303, `${PATH}/form-made`]);
    expect((await send(`${PATH}?dialog=new`, form)).status).toBe(303);
    expect((await screen("q=wei chen")).total).toBe(1);
    const refused = await send(`${PATH}?dialog=new`, { ...form, name: " ", email: "nonsense" });
    expect(refused.status).toBe(400);
    const page = await refused.text();
    expect(page).toContain("Name is required");
    expect(page).toContain('value="nonsense"');
  });

  it("is for staff", async () => {
    const { token: customer } = await person();
    for (const path of [PATH, `${PATH}/${ines}`]) {
      expect((await call(path)).headers.get("Location"), path).toMatch(/^\/login\?/);
      expect((await call(path, { token: customer })).headers.get("Location"), path).toBe("/unauthorized");
    }
    expect((await call(`${PATH}/nobody`, { token })).status).toBe(404);
  });
});

it("lists what is open in chats without a customer, until one is linked", async () => {
  const { chatId } = await startChat({});
  const productId = await addProduct({ name: "Unlinked lamp", stock: 5, priceCents: 6400 });
  await hold(token, { chatId, lines: [{ productId, quantity: 2 }] });
  await quote(chatId, "Unlinked coasters");
  const list = async (query = "") => (await html(`${PATH}${query}`)).replaceAll("<!-- -->", "");
  expect(await list()).toMatch(/href="\/admin\/customers\?open=unlinked"[^>]*>Without a customer <b>2<\/b>/);
  const page = await list("?open=unlinked");
  for (const text of [
    "Open without a customer",
    "2 × Unlinked lamp",
    "Unlinked coasters",
    `New Customer ${visitorNumber(chatId)}, began`,
  ])
    expect(page, text).toContain(text);
  expect(page).toContain(`/admin/chat?chat=${chatId}`);
  const found = await list("?open=unlinked&q=LAMP");
  expect([found.includes("2 × Unlinked lamp"), found.includes("Unlinked coasters")]).toEqual([true, false]);
  await add({ name: "Linked now", chatId });
  const settled = await list("?open=unlinked");
  expect(settled).toContain("Without a customer <b>0</b>");
  expect(settled).not.toContain("Unlinked coasters");
});

it("pages through all that is open without a customer: accepted quotes, then what ends first", async () => {
  const { chatId } = await startChat({});
  const inDays = (days: number) => Math.floor(Date.now() / 1000) + days * 86_400;
  const quotes = Array.from({ length: 60 }, (_, n) => ({
    id: `open-${n}`,
    chat_id: chatId,
    title: `Open quote ${n}`,
    state: n < 55 ? "sent" : "accepted",
    valid_until: inDays(n + 1),
    created_at: 1_790_000_000 + n,
    ...{
      total_cents: 100,
      lines: "[]",
      files: "[]",
      ready_by: "",
      note: "",
      request_hash: "",
      created_by: "",
    },
  }));
  await insert("quotes", quotes);
  const titles = async (query: string) =>
    (await unlinked(query)).rows.map(({ title }) => Number(title.split(" ").at(-1)));
  const first = await titles("size=50");
  expect(first).toEqual([59, 58, 57, 56, 55, ...Array.from({ length: 45 }, (_, n) => n)]);
  expect(await titles("size=50&page=2")).toEqual([45, 46, 47, 48, 49, 50, 51, 52, 53, 54]);
  expect((await unlinked("size=50&page=2")).total).toBe(60);
  expect(await titles("q=quote 54")).toEqual([54]);
  await env.DB.prepare("DELETE FROM quotes WHERE id LIKE 'open-%'").run();
});

describe("a customer's page", () => {
  it("shows open holds and quotes first, then the timeline by month", async () => {
    const { chatId } = await startChat({ userName: "Priya" });
    const id = await add({ name: "Priya Haddad", chatId });
    const productId = await addProduct({ name: "Open lamp", stock: 5, priceCents: 6400 });
    const placed = await json<{ id: string }>(hold(token, { chatId, lines: [{ productId, quantity: 2 }] }));
    const offered = await quote(chatId, "Slate coasters");
    await sold(token, {
      customerId: id,
      createdAt: "2026-03-05",
      lines: [{ description: "Cushion", quantity: 1, amount: 58 }],
    });
    const url = `${PATH}/${id}`;
    const page = await html(url);
    for (const text of [
      "2 × Open lamp, until",
      "$128.00",
      "Slate coasters",
      "March 2026",
      "1 sale",
      "$58.00",
    ])
      expect(page, text).toContain(text);
    expect(page.indexOf("Open now")).toBeLessThan(page.indexOf("Timeline"));
    expect((await send(url, { intent: "release", holdId: placed.id })).status).toBe(303);
    expect((await send(url, { intent: "extend", holdId: placed.id })).status).toBe(409);
    expect(await html(url)).toContain(`/admin/sales/withdraw?quote=${offered.id}`);
    await send(`/admin/sales/withdraw?quote=${offered.id}`, { intent: "withdraw", quoteId: offered.id });
    expect(await html(url)).toContain("Nothing is open.");
  });

  it("extends a hold to the next closing time, and says to which", async () => {
    const id = await add({ name: "Extended" });
    const productId = await addProduct({ name: "Extended lamp", stock: 5 });
    const placed = await json<{ id: string; until: { seconds: number } }>(
      hold(token, { customerId: id, lines: [{ productId, quantity: 1 }] }),
    );
    const url = `${PATH}/${id}`;
    expect(await html(url)).toMatch(/>Extend</);
    const said = new Set<string>();
    for (const _ of ["once", "twice"]) {
      const answer = await send(url, { intent: "extend", holdId: placed.id });
      const page = await (await call(url, { token, cookie: cookiesOf(answer) })).text();
      const [, until = ""] = /Set aside until ([^<]*, when we close)/.exec(page) ?? [];
      expect(page).toContain(`1 × Extended lamp, until ${until}`);
      said.add(until);
    }
    expect(said.size).toBe(2);
  });

  it("leads to Record sale for the customer", async () => {
    const id = await add({ name: "Amara Okafor" });
    const url = `/admin/sales/new?customer=${id}`;
    expect(await html(`${PATH}/${id}`)).toContain(url);
    const form = await html(url);
    expect(form).toContain(`name="customerId" value="${id}"`);
    expect(form).toContain('value="Amara Okafor"');
  });

  it("saves notes and refuses to overwrite those of somebody else", async () => {
    const id = await add({ name: "Kwame", notes: "" });
    const url = `${PATH}/${id}`;
    const save = (notes: string, was: string) =>
      send(url, { intent: "change", notes, was: JSON.stringify({ notes: was }) });
    expect((await save("Picks up on Saturdays", "")).status).toBe(303);
    const stale = await save("Wants a box", "");
    expect(stale.status).toBe(409);
    const page = await stale.text();
    expect(page).toContain("Now Picks up on Saturdays");
    expect(page).toContain(">Wants a box</textarea>");
    expect(await numberFrom("SELECT count(*) AS n FROM customers WHERE notes LIKE 'Wants%'")).toBe(0);
  });
});

describe("the visitor of a chat whose customer staff record", () => {
  const nameIn = async (chatId: string) =>
    (await json<{ chat: { userName: string } }>(call(`/api/chat/${chatId}/messages`, { token }))).chat
      .userName;
  const link = (chatId: string, customerId: string) =>
    call("/admin/chat", {
      body: new URLSearchParams({ intent: "linkCustomer", chatId, customerId }),
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      token,
    });

  it("has the customer's name when they left none, in the list and its search too", async () => {
    const added = await startChat({ initialMessage: "Hello" });
    const customerId = await add({ name: "Zenobia Quill", chatId: added.chatId });
    expect(await nameIn(added.chatId)).toBe("Zenobia Quill");
    const linked = await startChat({ initialMessage: "Hello again" });
    await link(linked.chatId, customerId);
    const found = await json<{ id: string; userName: string }[]>(call("/api/chat?q=zenobia", { token }));
    expect(found.map(({ id, userName }) => [id, userName]).sort()).toEqual(
      [added.chatId, linked.chatId].map((id) => [id, "Zenobia Quill"]).sort(),
    );
  });

  it("keeps a name of their own", async () => {
    const { chatId } = await startChat({ userName: "Zen" });
    await add({ name: "Zenobia Quill", chatId });
    expect(await nameIn(chatId)).toBe("Zen");
  });
});
