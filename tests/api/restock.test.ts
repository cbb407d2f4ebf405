import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { openDb } from "~/db/client.server";
import { findStored } from "~/features/privacy/download.queries.server";
import { eraseRows } from "~/features/privacy/erase.queries.server";
import { SALE_CHECKS } from "~/features/sales/queries/check";
import { submit } from "../support/forms";
import { from, person } from "../support/people";
import { newBrowser } from "../support/push-service";
import {
  address,
  ask,
  deliverAll,
  lastLink,
  line,
  mails,
  messageOf,
  newAddress,
  ownerToken,
  prepareRestock,
  recipients,
  restock,
  rows,
  sent,
  soldOut,
} from "../support/restock";
import { addProduct, call, openSession } from "../support/shop";

const WAITING_CHECK = "people who wait are those of the open requests";

prepareRestock();

describe("a visitor who waits for a sold-out product", () => {
  it("confirms by the mailed link, is told once, and no more", async () => {
    const id = await soldOut();
    const email = newAddress();
    const answer = await ask(id, { email });
    expect(answer.status).toBe(201);
    expect(await messageOf(answer)).toMatch(/^Check your mail/);
    const link = await lastLink();
    const raw = mails()[0] ?? "";
    expect(recipients()).toEqual([email]);
    expect(raw).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    expect(raw).toMatch(/text\/plain[\s\S]*text\/html/);

    // Before it is confirmed nobody is told; opening the link confirms nothing.
    expect(await (await call(link)).text()).toContain("Yes, tell me");
    await restock(id, 1);
    await deliverAll();
    expect(sent).toHaveBeenCalledTimes(1);
    await restock(id, 0);

    await submit(link, { intent: "confirmRestock" });
    expect(await (await call(link)).text()).toMatch(/We tell you by mail once .+ can be bought again/);
    await restock(id, 2);
    await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(2));
    expect(mails()[1]).toContain("is back");
    expect(mails()[1]).toContain(`http://localhost:8787/products/${id}`);
    await restock(id, 0);
    await restock(id, 5);
    await deliverAll();
    expect(sent).toHaveBeenCalledTimes(2);
    // Asking anew begins anew.
    await restock(id, 0);
    await ask(id, { email });
    await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(3));
  });

  it("ends everything by one press in the mail program", async () => {
    const [one, other] = [await soldOut(), await soldOut()];
    const email = newAddress();
    await ask(one, { email });
    const link = await lastLink();
    await ask(other, { email });
    await submit(link, { intent: "confirmRestock" });
    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    expect((await call(link, { body })).status).toBe(200);
    expect((await rows()).map(({ unit_id }) => unit_id)).toEqual([""]);
    expect(JSON.stringify(await rows())).not.toContain(email);
    expect(await (await call(link)).text()).toMatch(
      /You get no more of these mails\. Until [\s\S]+Allow them again/,
    );
    expect((await call(link, { body })).status).toBe(200);
    // Nobody can have more mails sent there; others are not concerned.
    const before = sent.mock.calls.length;
    for (const id of [one, other])
      expect(await messageOf(await ask(id, { email: email.toUpperCase() }))).toMatch(/^Check your mail/);
    await ask(one, { email: newAddress() });
    await vi.waitFor(() => expect(sent.mock.calls.length).toBeGreaterThan(before));
    expect(recipients().slice(before)).not.toContain(email);
    expect(await rows()).toHaveLength(2);
    await env.DB.exec("UPDATE restock_requests SET expires_at = 5 WHERE unit_id = ''");
    await ask(one, { email });
    await vi.waitFor(() => expect(recipients().slice(before)).toContain(email));
  });

  it("ends everything by the link of a request that is over", async () => {
    const id = await soldOut();
    const email = newAddress();
    await ask(id, { email });
    const link = await lastLink();
    await env.DB.exec("UPDATE restock_requests SET notified_at = 5, confirmed_at = 5");
    await ask(id, { email });
    expect(await (await call(link)).text()).toMatch(/has ended[\s\S]+Get no more/);
    expect((await submit(link, { intent: "confirmRestock" })).status).toBe(404);
    expect((await rows())[0]).toMatchObject({ party: email, confirmed_at: null });
    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    const ended = await call(link, { body });
    expect([ended.status, await ended.text()]).toEqual([
      200,
      expect.stringContaining("Done, you get no more"),
    ]);
    expect(await (await call(link)).text()).toContain("You get no more of these mails.");
    expect((await rows()).map(({ party }) => party)).not.toContain(email);
  });

  it("gets the same answer for any address, and three mails at most", async () => {
    const id = await soldOut();
    const email = newAddress();
    const first = await messageOf(await ask(id, { email }));
    await submit(await lastLink(), { intent: "confirmRestock" });
    const again = await ask(id, { email: email.toUpperCase() });
    expect([again.status, await messageOf(again)]).toEqual([201, first]);
    expect(again.headers.get("Server-Timing") ?? "").not.toMatch(/rows/);
    expect(sent).toHaveBeenCalledTimes(1);
    const open = newAddress();
    for (let i = 0; i < 5; i++) expect((await ask(id, { email: open })).status).toBe(201);
    await vi.waitFor(() => expect(recipients().filter((to) => to === open)).toHaveLength(3));
    const ids = await Promise.all(Array.from({ length: 8 }, soldOut));
    const many = newAddress();
    for (const each of ids) {
      const answer = await call(`/api/product/${each}/restock`, {
        json: { email: many },
        headers: address(),
      });
      if (answer.status !== 429) expect(await messageOf(answer)).toBe(first);
    }
    expect((await rows()).filter(({ party }) => party === many)).toHaveLength(3);
  });

  it("is refused without an address, for what can be bought, and for what is not there", async () => {
    const id = await soldOut();
    const status = async (path: string, json: object) => (await ask(path, json)).status;
    expect(await status(id, {})).toBe(400);
    expect(await status(id, { email: "nobody" })).toBe(400);
    expect(await status(id, { email: `${"a".repeat(10_000)}@mail.example` })).toBe(400);
    expect(await status(id, { email: "a@b.example\r\nBcc: c@d.example" })).toBe(400);
    expect(await status("nowhere", { email: newAddress() })).toBe(404);
    expect(await status(id, { email: newAddress(), unitId: "other" })).toBe(404);
    expect(await status(await addProduct({ stock: 3 }), { email: newAddress() })).toBe(409);
    const hidden = await addProduct({ stock: 0, isHidden: true });
    expect(await status(hidden, { email: newAddress() })).toBe(404);
    const { endpoint } = newBrowser().subscription;
    expect(await status(id, { endpoint })).toBe(400);
    expect(await rows()).toEqual([]);
  });

  it("is limited by address", async () => {
    const id = await soldOut();
    const headers = from("10.77.0.1");
    const statuses = [];
    for (let i = 0; i < 22; i++)
      statuses.push(
        (await call(`/api/product/${id}/restock`, { json: { email: newAddress() }, headers })).status,
      );
    expect(statuses).toContain(429);
    const email = newAddress();
    for (let i = 0; i < 8; i++) await env.LIMIT_FORGOT_ACCOUNT.limit({ key: `restock:${email}` });
    expect((await ask(id, { email })).status).toBe(429);
  });

  it("has links that nobody else can make", async () => {
    const id = await soldOut();
    await ask(id, { email: newAddress() });
    const link = await lastLink();
    const [row] = await rows();
    for (const forged of [
      link.replace(/.$/, (end) => (end === "A" ? "B" : "A")),
      `/unsubscribe?restock=${row?.id}&key=1.x`,
    ]) {
      const answer = await submit(forged, { intent: "confirmRestock" });
      expect(answer.status).toBe(404);
    }
    expect((await rows())[0]?.confirmed_at).toBeNull();
    expect(JSON.stringify(row)).not.toContain(new URLSearchParams(link.split("?")[1]).get("key"));
  });
});

describe("a customer", () => {
  it("confirms their own address once, and needs no mail for the next", async () => {
    const buyer = await person();
    const [one, other] = [await soldOut(), await soldOut()];
    expect(await messageOf(await ask(one, {}, buyer))).toMatch(/^Check your mail/);
    await submit(await lastLink(), { intent: "confirmRestock" }, buyer);
    expect(await messageOf(await ask(other, {}, buyer))).toBe("We will tell you once it is back.");
    expect(sent).toHaveBeenCalledTimes(1);
    // The address of somebody else is to be confirmed.
    expect(await messageOf(await ask(other, { email: newAddress() }, buyer))).toMatch(/^Check your mail/);
    await env.DB.prepare(
      "UPDATE users SET email_key = 'new@mail.example', email = 'new@mail.example' WHERE id = ?",
    )
      .bind(buyer.id)
      .run();
    expect(await messageOf(await ask(one, {}, buyer))).toMatch(/^Check your mail/);
  });

  it("whose password was reset by a mailed link has shown that the address is theirs", async () => {
    const buyer = await person();
    await call("/api/auth/forgot-password", { json: { email: buyer.email }, headers: address() });
    const mailed = () => /resetPassword\?token=([\w-]+)/.exec(mails().join())?.[1];
    await vi.waitFor(() => expect(mailed()).toBeDefined());
    const token = mailed();
    const json = { token, password: "Welcome!2026", confirmPassword: "Welcome!2026" };
    const reset = await call("/api/auth/reset-password", { json });
    expect([reset.status, await reset.text()]).toEqual([200, expect.any(String)]);
    const again = await openSession(buyer.id);
    expect(await messageOf(await ask(await soldOut(), {}, { token: again }))).toBe(
      "We will tell you once it is back.",
    );
  });

  it("waits for twenty things at most", async () => {
    const buyer = await person();
    await env.DB.prepare("INSERT INTO proven_addresses SELECT id, email_key, 1 FROM users WHERE id = ?")
      .bind(buyer.id)
      .run();
    const ids = await Promise.all(Array.from({ length: 21 }, soldOut));
    const statuses = [];
    for (const id of ids) statuses.push((await ask(id, {}, buyer)).status);
    expect(statuses.slice(0, 20).every((status) => status === 201)).toBe(true);
    expect(statuses[20]).toBe(409);
  });

  it("is notified in this browser, unless it has ended the subscription", async () => {
    const id = await soldOut();
    const browser = newBrowser();
    const answer = await ask(id, browser.subscription);
    expect([answer.status, await messageOf(answer)]).toEqual([201, "We will tell you once it is back."]);
    await ask(id, browser.subscription);
    expect(await rows()).toEqual([expect.objectContaining({ attempts: 1 })]);
    await call("/api/push", { method: "DELETE", json: { endpoint: browser.subscription.endpoint } });
    expect(await rows()).toEqual([]);
    const beside = { p256dh: `B${"A".repeat(86)}`, auth: browser.subscription.keys.auth };
    expect((await ask(id, { ...browser.subscription, keys: beside })).status).toBe(400);
  });
});

it("a row of the inventory says how many people wait for its unit, from the confirmation to the message", async () => {
  const options = [{ name: "Colour", values: ["Moss", "Sand"] }];
  const units = ["Moss", "Sand"].map((Colour) => ({ options: { Colour }, stock: 0 }));
  const fields = { name: "Zaffre rings", price: 78, category: "JEWELRY", options, units };
  await call("/api/product", { json: fields, token: ownerToken() });
  const { results } = await env.DB.prepare(
    "SELECT id, product_id FROM units WHERE sku = '' AND product_id IN (SELECT id FROM products WHERE name = 'Zaffre rings') ORDER BY position",
  ).all<{ id: string; product_id: string }>();
  const [moss, sand] = results;
  if (!moss || !sand) throw new Error("no units");
  const said = async () => {
    const page = await call("/admin/inventory-management?q=Zaffre+rings&level=out", { token: ownerToken() });
    const rows = [...(await page.text()).matchAll(/stock-(?:head|unit)"[\s\S]*?<\/tr>/g)].map(([row]) => row);
    return rows.map((row) => /[\d,]+ (?:people|person) waits? for it/.exec(row)?.[0] ?? "");
  };
  const isTrue = async () =>
    expect((await env.DB.prepare(SALE_CHECKS[WAITING_CHECK] ?? "").all()).results).toEqual([]);
  await ask(moss.product_id, { email: newAddress(), unitId: moss.id });
  expect(await said()).toEqual(["", "", ""]);
  const link = await lastLink();
  for (let times = 0; times < 2; times++) await submit(link, { intent: "confirmRestock" });
  await line(moss.product_id, ["one", "two"], sand.id);
  expect(await said()).toEqual(["", "1 person waits for it", "2 people wait for it"]);
  await isTrue();
  await call(link, { body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) });
  const edit = {
    intent: "setStock",
    id: sand.id,
    was: "0",
    held: "0",
    stock: "1",
    change: crypto.randomUUID(),
  };
  await submit("/admin/inventory-management", edit, { token: ownerToken() });
  await deliverAll();
  await isTrue();
  expect(await said()).toEqual(["", ""]);
});

it("the movements of a product and of a unit say how many people wait", async () => {
  const id = await addProduct({ stock: 0 });
  const panel = async (of: string) =>
    (await call(`/admin/inventory-management?movements=${of}`, { token: ownerToken() })).text();
  expect(await panel(id)).not.toContain("wait for it");
  await line(id, ["one", "two"]);
  expect(await panel(id)).toContain("2 people wait for it");
  const options = [{ name: "Colour", values: ["Moss", "Sand"] }];
  const units = ["Moss", "Sand"].map((Colour) => ({ options: { Colour }, stock: 0 }));
  const fields = { name: "Board", price: 78, category: "HOME_DECOR", options, units };
  const answer = await call("/api/product", { json: fields, token: ownerToken() });
  const board = ((await answer.json()) as { id: string }).id;
  const { results } = await env.DB.prepare("SELECT id FROM units WHERE product_id = ? ORDER BY position")
    .bind(board)
    .all<{ id: string }>();
  const [moss = "", sand = ""] = results.map((unit) => unit.id);
  await line(board, ["three"], moss);
  expect(await panel(moss)).toContain("1 person waits for it");
  expect(await panel(sand)).not.toContain("wait for it");
  expect(await panel(board)).toContain("1 person waits for it");
});

it("what a person waits for is in their download, and goes with their data", async () => {
  const buyer = await person();
  const id = await soldOut();
  await ask(id, {}, buyer);
  await submit(await lastLink(), { intent: "confirmRestock" }, buyer);
  const db = openDb(env.DB).db;
  const subject = { userId: buyer.id, customerId: null, chatId: null };
  for (const audience of ["owner", "staff"] as const)
    expect((await findStored(db, subject, audience)).backInStock).toMatchObject([{ email: buyer.email }]);
  await line(id, ["somebody"]);
  await eraseRows(db, subject, { chats: [], customers: [], addresses: [] });
  expect((await rows()).map(({ party }) => party)).toEqual(["somebody@mail.example"]);
  expect(await env.DB.prepare("SELECT count(*) AS n FROM proven_addresses").first("n")).toBe(0);
});

it("the page of a sold-out product has a form that works without a script", async () => {
  const id = await soldOut();
  const page = await (await call(`/products/${id}`)).text();
  expect(page).toContain("Tell me when it is back");
  const email = newAddress();
  const answer = await submit(`/products/${id}`, { intent: "restock", email, color: "" });
  expect(answer.status).toBe(303);
  expect((await rows())[0]?.party).toBe(email);
  const refused = await submit(`/products/${id}`, { intent: "restock", email: "no address", color: "" });
  const html = await refused.text();
  expect(refused.status).toBe(400);
  expect(html).toContain("Please enter a valid email address");
  expect(html).toContain('value="no address"');
  expect(await (await call(`/products/${await addProduct({ stock: 2 })}`)).text()).not.toContain(
    "Tell me when",
  );
});
