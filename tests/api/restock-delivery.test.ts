import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { openDb } from "~/db/client.server";
import { MAX_PEOPLE, maintainRestock, notifyRestocked } from "~/features/restock/delivery.server";
import { endRequests } from "~/features/restock/queries.server";
import { settleHolds } from "~/features/sales/operations/holds.server";
import { manager } from "../support/people";
import { decrypt, newBrowser, verifyVapid } from "../support/push-service";
import {
  ask,
  deliverAll,
  line,
  mails,
  newAddress,
  ownerToken,
  prepareRestock,
  recipients,
  restock,
  rows,
  sent,
  soldOut,
} from "../support/restock";
import { credit, hold, json, sold } from "../support/sales";
import { addProduct, call, setStock } from "../support/shop";

prepareRestock();

describe("people who wait", () => {
  const names = (prefix: string, length: number) =>
    Array.from({ length }, (_, i) => `${prefix}${i}-${newAddress().split("@")[0]}`);

  it("are told in the order of asking, three for each piece, and the next ones when more come", async () => {
    const id = await soldOut();
    const all = names("line", 8);
    await line(id, all);
    await restock(id, 1);
    await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(3));
    await deliverAll();
    expect(recipients()).toEqual(all.slice(0, 3).map((name) => `${name}@mail.example`));
    await restock(id, 3);
    await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(8));
    await deliverAll();
    expect(new Set(recipients()).size).toBe(8);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM restocks").first("n")).toBe(0);
  });

  it("are told after any path: hold released or ended, sale credited", async () => {
    const id = await addProduct({ stock: 1 });
    const { token } = await manager();
    const held = await json<{ id: string }>(hold(token, { lines: [{ productId: id, quantity: 1 }] }));
    await line(id, names("held", 1));
    await call(`/api/hold/${held.id}`, { method: "DELETE", token });
    await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(1));

    await hold(token, { lines: [{ productId: id, quantity: 1 }] });
    await line(id, names("ended", 1));
    await env.DB.exec("UPDATE holds SET until = 5; UPDATE hold_lines SET until = 5");
    await settleHolds(env);
    await deliverAll();
    expect(sent).toHaveBeenCalledTimes(2);

    const [sale] = await sold(token, { lines: [{ productId: id, quantity: 1, amount: 30 }] });
    await line(id, names("credited", 1));
    const credited = await credit(token, String(sale?.id), {
      restock: true,
      lines: [{ line: 1, quantity: 1 }],
    });
    expect(credited.status, await credited.text()).toBeLessThan(300);
    await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(3));
  });

  it("stay in the line when it is sold out again before they are told", async () => {
    const id = await soldOut();
    await line(id, names("again", 2));
    await env.DB.prepare("UPDATE restock_requests SET due_at = 1 WHERE product_id = ?").bind(id).run();
    await deliverAll();
    expect(sent).not.toHaveBeenCalled();
    expect((await rows()).map(({ due_at, notified_at }) => [due_at, notified_at])).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  it("are told later when a mail fails, and once", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const id = await soldOut();
    await line(id, names("later", 1));
    sent.mockRejectedValueOnce(new Error("overloaded"));
    await restock(id, 1);
    await vi.waitFor(async () => expect((await rows())[0]?.attempts).toBe(1));
    await env.DB.exec("UPDATE restock_requests SET due_at = 1 WHERE due_at IS NOT NULL");
    await deliverAll();
    expect(sent).toHaveBeenCalledTimes(2);
    expect((await rows())[0]?.notified_at).toBeGreaterThan(0);
  });

  it("are told in the place of those whom no message reaches any more", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const id = await soldOut();
    await ask(id, newBrowser().subscription);
    await env.DB.exec("UPDATE restock_requests SET public_key = 'former'");
    await line(id, ["dead", ...names("place", 4)]);
    await env.DB.exec("UPDATE restock_requests SET due_at = 1, attempts = 53 WHERE party LIKE 'dead%'");
    sent.mockImplementation(async ({ to }) => {
      if (to.startsWith("dead")) throw new Error("refused");
      return { messageId: "1" };
    });
    await setStock(id, 1);
    await deliverAll();
    expect(recipients().filter((to) => to.startsWith("place"))).toHaveLength(4);
    expect((await rows()).every(({ notified_at }) => Number(notified_at) > 0)).toBe(true);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM restocks").first("n")).toBe(0);
  });

  it("are told in the place of an address that takes no mail, at once", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const id = await soldOut();
    const people = names("full", 4);
    await line(id, people);
    const suppressed = Object.assign(new Error("suppressed"), { code: "E_RECIPIENT_SUPPRESSED" });
    sent.mockRejectedValueOnce(suppressed);
    await setStock(id, 1);
    await deliverAll();
    expect(recipients().map((to) => to.slice(0, 5))).toEqual(["full0", "full1", "full2", "full3"]);
    expect((await rows()).map(({ notified_at }) => Number(notified_at) > 0)).toEqual([true, true, true]);
  });

  it("are notified in their browser, once, with the page of the choice", async () => {
    const fetched = vi
      .spyOn(globalThis, "fetch")
      .mockImplementation(async () => new Response(null, { status: 201 }));
    const id = await soldOut();
    const browser = newBrowser();
    expect((await ask(id, browser.subscription)).status).toBe(201);
    await setStock(id, 2);
    await deliverAll();
    await setStock(id, 0);
    await setStock(id, 2);
    await deliverAll();
    const pushes = fetched.mock.calls.filter(([url]) => url === browser.subscription.endpoint);
    expect(pushes).toHaveLength(1);
    const [[, init] = []] = pushes;
    await verifyVapid(new Headers(init?.headers).get("Authorization") ?? "");
    expect(decrypt(init?.body as Uint8Array, browser)).toMatchObject({
      title: expect.stringMatching(/ is back$/),
      body: "It can be bought again.",
      url: `/products/${id}`,
    });
    fetched.mockRestore();
  });

  it("are told in the place of one who ends it at the last moment", async () => {
    const id = await soldOut();
    const people = names("last", 4);
    await line(id, people);
    sent.mockImplementationOnce(async () => {
      const second = await env.DB.prepare("SELECT id FROM restock_requests WHERE party LIKE 'last1-%'").first(
        "id",
      );
      await endRequests(openDb(env.DB).db, String(second), Math.floor(Date.now() / 1000));
      return { messageId: "1" };
    });
    await setStock(id, 1);
    await deliverAll();
    expect(recipients().map((to) => to.slice(0, 5))).toEqual(["last0", "last2", "last3"]);
  });

  it("stay in the line when the last piece is bought while others are told", async () => {
    const id = await soldOut();
    await line(id, names("meanwhile", 2));
    sent.mockImplementation(async () => {
      await setStock(id, 0);
      return { messageId: "1" };
    });
    await setStock(id, 1);
    await deliverAll();
    expect((await rows()).map(({ notified_at }) => notified_at !== null)).toEqual([true, false]);
    expect(sent).toHaveBeenCalledTimes(1);
  });

  it("wait for their unit alone, and end with it, the product, or its being hidden", async () => {
    const id = await addProduct({ stock: 0 });
    const units = ["Moss", "Sand"].map((Colour) => ({ options: { Colour }, stock: 0 }));
    const options = [{ name: "Colour", values: ["Moss", "Sand"] }];
    await call(`/api/product/${id}`, { method: "PUT", json: { options, units }, token: ownerToken() });
    const product = (await (await call(`/api/product/id/${id}`, { token: ownerToken() })).json()) as {
      units: { id: string; options: Record<string, string> }[];
    };
    expect((await ask(id, { email: newAddress() })).status).toBe(409);
    const [moss, sand] = product.units.map((unit) => unit.id);
    expect((await ask(id, { email: newAddress(), unitId: sand })).status).toBe(201);
    const answer = await ask(id, { email: newAddress(), color: "Sand" });
    expect([answer.status, await answer.text()]).toEqual([201, expect.stringContaining("once Sand is back")]);
    const page = async (choice: string) => (await call(`/products/${id}?${choice}`)).text();
    expect(await page("Colour=Sand")).toMatch(/Tell me when Sand is back/);
    expect(new Set((await rows()).map((row) => row.unit_id))).toEqual(new Set([sand]));
    await line(id, names("moss", 1), moss);
    await line(id, names("sand", 1), sand);
    const stocked = product.units.map((unit) => ({ ...unit, stock: unit.id === sand ? 1 : 0 }));
    await call(`/api/product/${id}`, { method: "PUT", json: { units: stocked }, token: ownerToken() });
    await vi.waitFor(() => expect(recipients().some((to) => to.startsWith("sand"))).toBe(true));
    await deliverAll();
    expect(mails().at(-1)).toContain(`/products/${id}?Colour=Sand`);
    expect(recipients().some((to) => to.startsWith("moss"))).toBe(false);
    const people = async () =>
      (await (await call(`/api/product/${id}/restock`, { token: ownerToken() })).json()) as unknown;
    expect(await people()).toEqual({ people: 1 });
    await call(`/api/product/${id}`, { method: "PUT", json: { isHidden: true }, token: ownerToken() });
    expect(await rows()).toEqual([]);
    const other = await soldOut();
    await line(other, names("deleted", 2));
    await call(`/api/product/${other}`, { method: "DELETE", token: ownerToken() });
    expect(await rows()).toEqual([]);
  });

  it("are told once by two runs at the same time, neither of which fails", async () => {
    const id = await soldOut();
    await line(id, names("twice", 2));
    await setStock(id, 1);
    await Promise.all([notifyRestocked(env), notifyRestocked(env)]);
    expect(recipients()).toHaveLength(2);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM restocks").first("n")).toBe(0);
  });

  it("may be ten thousand, who are told in portions within the limits of D1", async () => {
    const id = await soldOut();
    await env.DB.prepare(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
      INSERT INTO restock_requests (id, product_id, unit_id, email, party, created_at, expires_at, confirmed_at)
      SELECT 'many' || i, ?1, ?1, 'm' || i || '@mail.example', 'm' || i || '@mail.example', 1, 4000000000, 1 FROM n`)
      .bind(id)
      .run();
    const answer = await restock(id, 40);
    expect(answer.status).toBe(200);
    await deliverAll();
    await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(120), { timeout: 20_000 });
    const first = Array.from({ length: 120 }, (_, i) => `m${i + 1}@mail.example`);
    expect(recipients().toSorted()).toEqual(first.toSorted());
    expect(MAX_PEOPLE).toBeLessThan(120);
    const dialog = await (
      await call(`/admin/products-management?edit=${id}`, { token: ownerToken() })
    ).text();
    expect(dialog).toContain("9,880 people wait for it");
  });
});

it("requests end by their time, in portions", async () => {
  const id = await soldOut();
  await line(id, ["old", "new"]);
  await env.DB.exec("UPDATE restock_requests SET expires_at = 5 WHERE party LIKE 'old%'");
  expect(await maintainRestock(env)).toBe(1);
  expect((await rows()).map(({ party }) => party)).toEqual(["new@mail.example"]);
});
