/** Longer than 400 lines because one receiver and one log serve all of these tests. */
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { apiDocument } from "../support/api-answers";
import { postMessage, startChat } from "../support/chat";
import { submit } from "../support/forms";
import { admin, manager } from "../support/people";
import { sold } from "../support/sales";
import { addProduct, call, cookiesOf, setStock } from "../support/shop";

const URL_OF = "https://hooks.example.com/emporia?shop=1";
const EVENTS = ["sale.recorded", "chat.message", "stock.low", "product.changed"];

let token: string;
let password: string;
let fetched: MockInstance<typeof fetch>;
/** Answers of the receiver in order; afterwards 204. */
let answers: (() => Promise<Response> | Response)[];

beforeEach(async () => {
  await env.DB.exec("DELETE FROM webhooks");
  ({ token, password } = await admin());
  answers = [];
  fetched = vi
    .spyOn(globalThis, "fetch")
    .mockImplementation(async () => answers.shift()?.() ?? new Response(null, { status: 204 }));
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Adds a webhook on the page. @returns its secret */
async function addWebhook(events = EVENTS, fields: Record<string, string> = {}): Promise<string> {
  const body = new URLSearchParams({
    intent: "create-webhook",
    url: URL_OF,
    currentPassword: password,
    ...fields,
  });
  for (const event of events) body.append("events", event);
  const answer = await call("/admin/integrations", { body, token });
  expect(answer.status).toBe(200);
  const [secret = ""] = /whsec_[\w+/=]+/.exec((await answer.text()).replaceAll("&#x3D;", "=")) ?? [];
  return secret;
}

const act = (intent: string, id: string) => submit("/admin/integrations", { intent, id }, { token });
const row = (sql: string) => env.DB.prepare(sql).first<Record<string, string & number>>();
const log = async () =>
  (
    await env.DB.prepare("SELECT * FROM webhook_deliveries ORDER BY created_at, id").all<
      Record<"id" | "event" | "subject" | "data" | "state" | "result", string> &
        Record<"attempts" | "due_at" | "created_at", number>
    >()
  ).results;
const states = async () => (await log()).map(({ event, state }) => `${event} ${state}`).toSorted();

interface Event {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** Verifies what the receiver got with a secret. */
function received(secret: string): Event[] {
  return fetched.mock.calls.map(([, init]) => {
    const headers = Object.fromEntries(new Headers(init?.headers));
    return new Webhook(secret).verify(String(init?.body), headers) as Event;
  });
}

/** Makes what waits due, without the results of earlier attempts, and runs the alarm of the room that delivers. */
async function deliverNow(): Promise<void> {
  await env.DB.exec("UPDATE webhook_deliveries SET due_at = 0, result = '' WHERE state = 'waiting'");
  await runDurableObjectAlarm(env.ADMIN_ROOM.getByName("admin"));
}

describe("an event", () => {
  it("of a sale arrives signed, with the document as the API shows it", async () => {
    const secret = await addWebhook(["sale.recorded"]);
    const [document] = await sold(token, { lines: [{ description: "Tray", quantity: 2, amount: 30 }] });
    await expect.poll(states).toEqual(["sale.recorded delivered"]);
    const [event] = received(secret);
    expect(event).toMatchObject({ type: "sale.recorded", data: { id: document?.id, total: 30 } });
    expect(event?.data.lines).toEqual(document?.lines);
    const [target, init] = fetched.mock.calls[0] ?? [];
    expect(target).toBe(URL_OF);
    expect(new Headers(init?.headers).get("webhook-id")).toBe((await log())[0]?.id);
    expect(() => received("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")).toThrow();
  });

  it("of a message arrives once for each message of a person, with its text", async () => {
    const secret = await addWebhook(["chat.message"]);
    const { chatId, cookie } = await startChat({ userName: "Ines", initialMessage: "Is it oak?" });
    await postMessage(chatId, "Or walnut? 🌳", { cookie });
    await postMessage(chatId, "Oak.", { token }, { isFromAdmin: true });
    await expect.poll(states).toEqual(Array(3).fill("chat.message delivered"));
    const events = received(secret).map(({ data }) => [data.chatId, data.message, data.isFromAdmin]);
    expect(events.toSorted()).toEqual(
      [
        [chatId, "Is it oak?", false],
        [chatId, "Or walnut? 🌳", false],
        [chatId, "Oak.", true],
      ].toSorted(),
    );
    await call(`/api/chat/${chatId}`, { method: "DELETE", token });
    await expect.poll(log).toEqual([]);
  });

  it("of a message arrives also when more of them wait than are passed on at once", async () => {
    await addWebhook(["chat.message"]);
    const { chatId, cookie } = await startChat({ initialMessage: "First" });
    await expect.poll(states).toEqual(["chat.message delivered"]);
    await env.DB.exec("UPDATE webhooks SET created_at = 0");
    // An hour ago, since the limits allow no such number at once.
    await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage: { sql } }) => {
      for (let i = 0; i < 60; i++)
        sql.exec(
          "INSERT INTO messages (id, message, is_from_admin, written_by, sender_name, at) VALUES (?, 'More', 0, 1, 'Ines', ?)",
          `more-${i}`,
          Date.now() - 3_600_000,
        );
    });
    expect((await postMessage(chatId, "Last", { cookie })).status).toBe(201);
    await expect.poll(states).toEqual(Array(1 + 60 + 1).fill("chat.message delivered"));
  });

  it("of low stock arrives once for each fall of what is available", async () => {
    const secret = await addWebhook(["stock.low"], { lowStock: "3" });
    const id = await addProduct({ stock: 10, name: "Oak tray" });
    const line = (quantity: number) => ({ lines: [{ productId: id, quantity, amount: 10 }] });
    await sold(token, line(6));
    expect(await log()).toEqual([]);
    await sold(token, line(1));
    await sold(token, line(1));
    await setStock(id, 9);
    await setStock(id, 8);
    await call("/api/hold", {
      token,
      json: {
        lines: [{ productId: id, quantity: 6 }],
        until: new Date(Date.now() + 7_200_000).toISOString(),
      },
    });
    await expect.poll(states).toEqual(["stock.low delivered", "stock.low delivered"]);
    expect(received(secret).map(({ data }) => data)).toEqual([
      { productId: id, name: "Oak tray", stock: 3, available: 3, threshold: 3 },
      { productId: id, name: "Oak tray", stock: 8, available: 2, threshold: 3 },
    ]);
  });

  it("of a product arrives for adding, changing and deleting it; changes before the first attempt are one", async () => {
    const id = await addProduct({ name: "Oak tray", stock: 10 });
    const secret = await addWebhook(["product.changed"]);
    // In one transaction, since the delivery begins at any time.
    await env.DB.batch(
      ["price_cents = 1500", "price_cents = 1600", "updated_at = 5"].map((change) =>
        env.DB.prepare(`UPDATE products SET ${change} WHERE id = ?`).bind(id),
      ),
    );
    expect(await log()).toHaveLength(1);
    await deliverNow();
    await expect.poll(states).toEqual(["product.changed delivered"]);
    const change = (json: object) => call(`/api/product/${id}`, { method: "PUT", token, json });
    expect((await change({ name: "Walnut tray" })).status).toBe(200);
    await expect.poll(states).toEqual(Array(2).fill("product.changed delivered"));
    await call(`/api/product/${id}`, { method: "DELETE", token });
    await expect.poll(states).toEqual(Array(3).fill("product.changed delivered"));
    const [priced, renamed, deleted] = received(secret).map(({ data }) => data);
    expect(priced).toMatchObject({ productId: id, product: { name: "Oak tray", price: 16, stock: 10 } });
    expect(renamed).toMatchObject({ product: { name: "Walnut tray" } });
    expect(deleted).toEqual({ productId: id, product: null });
  });

  it("is stored with the change, or not at all", async () => {
    await addWebhook(["sale.recorded", "product.changed"]);
    const id = await addProduct({ stock: 1 });
    await deliverNow();
    await expect.poll(states).toEqual(["product.changed delivered"]);
    const lines = [{ productId: id, quantity: 2, amount: 10 }];
    const answer = await call("/api/sale", { token, json: { paymentMode: "CARD", lines } });
    expect(answer.status).toBe(409);
    expect(await states()).toEqual(["product.changed delivered"]);
  });

  it("is described in the OpenAPI document", async () => {
    const { webhooks } = (await apiDocument()) as unknown as { webhooks: object };
    expect(Object.keys(webhooks).toSorted()).toEqual(EVENTS.toSorted());
    const html = await (await call("/api")).text();
    for (const event of EVENTS) expect(html).toContain(event);
  });
});

describe("a receiver", () => {
  const sell = () => sold(token, { lines: [{ description: "Tray", quantity: 1, amount: 30 }] });

  it("that fails gets six attempts in 22 hours with the same id and body; then the webhook is disabled", async () => {
    const secret = await addWebhook(["product.changed"]);
    answers = Array.from({ length: 6 }, () => () => new Response("broken", { status: 500 }));
    const before = Math.floor(Date.now() / 1000);
    await addProduct();
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 6; attempt++) {
      await deliverNow();
      await expect.poll(async () => (await log())[0]?.result && fetched.mock.calls.length).toBe(attempt);
      waits.push(((await log())[0]?.due_at ?? 0) - before);
    }
    const hours = waits.slice(0, 5).map((wait) => Math.round(wait / 36) / 100);
    expect(hours).toEqual([0.02, 0.17, 1, 5, 16]);
    expect(new Set(received(secret).map((event) => JSON.stringify(event))).size).toBe(1);
    expect(
      new Set(fetched.mock.calls.map(([, init]) => new Headers(init?.headers).get("webhook-id"))).size,
    ).toBe(1);
    expect(await states()).toEqual(["product.changed failed"]);
    const webhook = () => row("SELECT * FROM webhooks");
    await expect.poll(async () => (await webhook())?.disabled_at).toBeGreaterThan(0);
    const hook = await webhook();
    expect(hook?.note).toContain("HTTP 500");
    const html = await (await call("/admin/integrations", { token })).text();
    expect(html).toContain("Nothing has arrived for a day");
    await addProduct();
    expect(await log()).toHaveLength(1);
    const [{ id = "" } = {}] = await log();
    expect((await act("resend", id)).status).toBe(409);
    await act("enable", hook?.id ?? "");
    expect((await act("resend", id)).status).toBe(303);
    await expect.poll(states).toEqual(["product.changed delivered"]);
  });

  it("that refuses one event and takes others is not disabled", async () => {
    await addWebhook(["sale.recorded"]);
    await env.DB.exec("UPDATE webhooks SET succeeded_at = unixepoch() + 60");
    answers = Array.from({ length: 6 }, () => () => new Response(null, { status: 422 }));
    await sell();
    for (let attempt = 1; attempt <= 6; attempt++) {
      await expect.poll(async () => (await log())[0]?.result && fetched.mock.calls.length).toBe(attempt);
      if (attempt < 6) await deliverNow();
    }
    await expect.poll(states).toEqual(["sale.recorded failed"]);
    expect((await row("SELECT disabled_at FROM webhooks"))?.disabled_at).toBeNull();
  });

  it("that is gone (410) is disabled at once", async () => {
    await addWebhook(["sale.recorded"]);
    answers = [() => new Response(null, { status: 410 })];
    await sell();
    await expect.poll(async () => (await row("SELECT note FROM webhooks"))?.note).toContain("410");
    expect(await states()).toEqual(["sale.recorded failed"]);
  });

  it("that redirects is not followed", async () => {
    await addWebhook(["sale.recorded"]);
    answers = [() => new Response(null, { status: 307, headers: { Location: "http://169.254.169.254/" } })];
    await sell();
    await expect.poll(async () => (await log())[0]?.result).toBe("HTTP 307, redirects are not followed");
    expect(fetched).toHaveBeenCalledOnce();
    expect(fetched.mock.calls[0]?.[1]?.redirect).toBe("manual");
  });

  it("that hangs is left after the timeout, and others wait no attempt of theirs", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => AbortSignal.abort(TIMEOUT));
    await addWebhook(["sale.recorded"]);
    answers = [() => Promise.reject(fetched.mock.calls[0]?.[1]?.signal?.reason)];
    await sell();
    await expect.poll(async () => (await log())[0]?.result).toBe("No answer within 10 s");
    expect(timeout).toHaveBeenCalledWith(10_000);
    expect(await states()).toEqual(["sale.recorded waiting"]);
  });

  it("that fails takes no attempt from the events behind, which wait five minutes", async () => {
    await addWebhook(["product.changed"]);
    answers = [() => new Response(null, { status: 500 })];
    const before = Math.floor(Date.now() / 1000);
    for (let added = 0; added < 2; added++) await addProduct();
    await deliverNow();
    await expect.poll(async () => (await log()).map(({ result }) => result).sort()).toEqual(["", "HTTP 500"]);
    expect(fetched).toHaveBeenCalledOnce();
    const behind = async () => (await log()).find(({ result }) => result === "");
    await expect.poll(async () => (await behind())?.attempts).toBe(0);
    const wait = ((await behind())?.due_at ?? 0) - before;
    expect([wait >= 300, wait < 330]).toEqual([true, true]);
  });

  it("that fails when an event is sent again gets all attempts anew", async () => {
    await addWebhook(["product.changed"]);
    await addProduct();
    await env.DB.exec("UPDATE webhook_deliveries SET state = 'failed', attempts = 6");
    answers = [() => new Response(null, { status: 500 })];
    const [{ id = "" } = {}] = await log();
    expect((await act("resend", id)).status).toBe(303);
    await expect.poll(async () => (await log())[0]?.result).toBe("HTTP 500");
    expect(await log()).toMatchObject([{ state: "waiting", attempts: 1 }]);
  });

  it("that never answers delays no other: they get later events in order", async () => {
    const secret = await addWebhook(["sale.recorded"]);
    await addWebhook(["sale.recorded"], { url: "https://slow.example.com/" });
    let release = (_: Response) => {};
    const held = new Promise<Response>((done) => {
      release = done;
    });
    const isSlow = (target: unknown) => String(target).includes("slow.");
    fetched.mockImplementation(async (target) =>
      isSlow(target) ? held : new Response(null, { status: 204 }),
    );
    await sell();
    await expect.poll(() => fetched.mock.calls.some(([target]) => isSlow(target))).toBe(true);
    const lines = [{ description: "Tray", quantity: 1, amount: 30 }];
    const ids = (await log()).map(({ subject }) => subject).slice(0, 1);
    for (let sale = 0; sale < 3; sale++) ids.push((await sold(token, { lines }))[0]?.id ?? "");
    const healthy = async () => (await states()).filter((state) => state.endsWith(" delivered"));
    await expect.poll(healthy).toHaveLength(4);
    expect(fetched.mock.calls.filter(([target]) => isSlow(target))).toHaveLength(1);
    fetched.mock.calls.splice(0, Infinity, ...fetched.mock.calls.filter(([target]) => !isSlow(target)));
    expect(received(secret).map(({ data }) => data.id)).toEqual(ids);
    release(new Response(null, { status: 500 }));
    await expect
      .poll(async () => (await log()).filter(({ result }) => result === "HTTP 500"))
      .toHaveLength(1);
    expect((await log()).filter(({ attempts }) => attempts === 0)).toHaveLength(3);
  });

  it("that hangs delays no other, even with seven of them that are tried first", async () => {
    for (let i = 0; i < 7; i++)
      await addWebhook(["sale.recorded"], { url: `https://slow-${i}.example.com/` });
    const secret = await addWebhook(["sale.recorded"]);
    const isSlow = (target: unknown) => String(target).includes("slow-");
    let release = (_: Response) => {};
    const held = new Promise<Response>((done) => {
      release = done;
    });
    fetched.mockImplementation(async (target) =>
      isSlow(target) ? held : new Response(null, { status: 204 }),
    );
    const document = (await sell())[0];
    await expect
      .poll(async () => (await states()).filter((state) => state.endsWith(" delivered")))
      .toHaveLength(1);
    await expect.poll(() => fetched.mock.calls.filter(([target]) => isSlow(target))).toHaveLength(7);
    expect((await states()).filter((state) => state.endsWith(" waiting"))).toHaveLength(7);
    fetched.mock.calls.splice(0, Infinity, ...fetched.mock.calls.filter(([target]) => !isSlow(target)));
    expect(received(secret).map(({ data }) => data.id)).toEqual([document?.id]);
    release(new Response(null, { status: 500 }));
    await expect
      .poll(async () => (await log()).filter(({ result }) => result === "HTTP 500"))
      .toHaveLength(7);
  });

  it("that answers 10 MB is not read", async () => {
    await addWebhook(["sale.recorded"]);
    let sent = 0;
    let isCancelled = false;
    const body = new ReadableStream({
      pull(controller) {
        sent += 65_536;
        if (sent > 10_000_000) controller.close();
        else controller.enqueue(new Uint8Array(65_536));
      },
      cancel() {
        isCancelled = true;
      },
    });
    answers = [() => new Response(body)];
    await sell();
    await expect.poll(states).toEqual(["sale.recorded delivered"]);
    expect(isCancelled).toBe(true);
    expect(sent).toBeLessThan(200_000);
  });

  it("does not delay a sale or a chat", async () => {
    await addWebhook();
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    answers = [async () => held.then(() => new Response(null, { status: 204 }))];
    await sell();
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    expect((await postMessage(chatId, "Still there?", { cookie })).status).toBe(201);
    release();
    await expect
      .poll(states)
      .toEqual([...Array(2).fill("chat.message delivered"), "sale.recorded delivered"]);
  });
});

const TIMEOUT = new DOMException("The operation timed out", "TimeoutError");

describe("a webhook's address", () => {
  it.each([
    "http://hooks.example.com/",
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://169.254.169.254/latest/meta-data",
    "https://10.0.0.8/",
    "https://localhost/",
    "https://api.localhost/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://①②⑦.⓪.⓪.①/",
    "https://127.0.0.1.nip.io/",
    "https://10-0-0-8.sslip.io/",
    "https://printer.local/",
    "https://vault.internal/",
    "https://hooks.example.com:8443/",
    "https://user:word@hooks.example.com/",
    "https://hooks.example.com/#part",
    "https://hooks.example.com./",
    "https://intranet/",
    "ftp://hooks.example.com/",
    "javascript:alert(1)",
    `https://hooks.example.com/${"x".repeat(2000)}`,
    "",
  ])("may not be %s", async (url) => {
    const form = { intent: "create-webhook", url, events: "stock.low", currentPassword: password };
    expect((await submit("/admin/integrations", form, { token })).status).toBe(400);
    expect(await row("SELECT count(*) AS n FROM webhooks")).toEqual({ n: 0 });
  });

  it("may not be the shop's own, and needs known events", async () => {
    const form = { intent: "create-webhook", url: URL_OF, currentPassword: password };
    expect((await submit("/admin/integrations", form, { token })).status).toBe(400);
    const unknown = { ...form, events: "sale.deleted" };
    expect((await submit("/admin/integrations", unknown, { token })).status).toBe(400);
  });
});

describe("adding a webhook", () => {
  const add = (more: Record<string, string>) =>
    submit(
      "/admin/integrations",
      { intent: "create-webhook", url: URL_OF, events: "stock.low", ...more },
      { token },
    );

  it("asks for the password, and says so at the form that was sent", async () => {
    const refused: Record<string, string>[] = [{}, { currentPassword: "" }, { currentPassword: "Wrong1!" }];
    for (const wrong of refused) {
      const answer = await add(wrong);
      const html = await answer.text();
      expect(answer.status).toBe(400);
      expect(html).toContain('id="webhook-password-error"');
      expect(html).not.toContain('id="key-password-error"');
    }
    expect(await row("SELECT count(*) AS n FROM webhooks")).toEqual({ n: 0 });
    expect((await add({ currentPassword: password })).status).toBe(200);
    expect(await row("SELECT count(*) AS n FROM webhooks")).toEqual({ n: 1 });
  });
});

describe("the page of webhooks", () => {
  it("shows a secret once; after a rotation the old one holds for a day", async () => {
    const first = await addWebhook(["sale.recorded"]);
    const page = async () => (await call("/admin/integrations", { token })).text();
    expect(await page()).not.toContain("whsec_");
    const { id = "" } = (await row("SELECT id FROM webhooks")) ?? {};
    const [second = ""] = /whsec_[\w+/=]+/.exec(await (await act("rotate", id)).text()) ?? [];
    expect(second).not.toBe(first);
    const sell = () => sold(token, { lines: [{ description: "Tray", quantity: 1, amount: 30 }] });
    await sell();
    await expect.poll(states).toEqual(["sale.recorded delivered"]);
    expect(received(first)).toEqual(received(second));
    await env.DB.exec("UPDATE webhooks SET previous_until = unixepoch() - 1");
    fetched.mockClear();
    await sell();
    await expect.poll(states).toEqual(Array(2).fill("sale.recorded delivered"));
    expect(received(second)).toHaveLength(1);
    expect(() => received(first)).toThrow();
  });

  it("lists the deliveries of all webhooks, or of one, in pages with the names of what they are about", async () => {
    await addWebhook(["stock.low"], { url: "https://first.example.com/a" });
    await addWebhook(["stock.low"], { url: "https://second.example.com/b" });
    const product = await addProduct({ name: "Walnut tray" });
    await env.DB.prepare(
      `INSERT INTO webhook_deliveries (id, webhook_id, event, subject, state, attempts, due_at, created_at)
       WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 20)
       SELECT 'msg_' || n.value || substr(w.url, 9, 3), w.id, 'stock.low', ?, 'delivered', 1, 0, unixepoch() - n.value / 3
       FROM n JOIN webhooks AS w`,
    )
      .bind(product)
      .run();
    const { id = "" } = (await row("SELECT id FROM webhooks WHERE url LIKE '%first%'")) ?? {};
    for (const [filter, count] of [
      ["", 40],
      [`webhook=${id}`, 20],
    ] as const) {
      const seen: string[] = [];
      let path = `/admin/integrations?${filter}`;
      while (path) {
        const html = await (await call(path, { token })).text();
        expect(html).not.toContain(`>${product}<`);
        expect(html.match(/Low stock of/g)?.length).toBeLessThanOrEqual(12);
        expect(html).toContain("Walnut tray");
        seen.push(...[...html.matchAll(/value="(msg_[^"]+)"/g)].map(([, delivery]) => delivery ?? ""));
        path =
          /href="([^"]+)"[^>]*rel="next"|rel="next"[^>]*href="([^"]+)"/
            .exec(html)
            ?.slice(1)
            .join("")
            .replaceAll("&amp;", "&") ?? "";
      }
      expect(new Set(seen).size).toBe(count);
      expect(seen).toHaveLength(count);
    }
  });

  it("disables, enables and deletes; a deleted one leaves no log", async () => {
    await addWebhook(["product.changed"]);
    const { id = "" } = (await row("SELECT id FROM webhooks")) ?? {};
    await act("disable", id);
    await addProduct();
    expect(await log()).toEqual([]);
    await act("enable", id);
    await addProduct();
    expect(await log()).toHaveLength(1);
    expect((await act("delete-webhook", id)).status).toBe(303);
    expect(await log()).toEqual([]);
    expect((await act("delete-webhook", id)).status).toBe(404);
  });
});

describe("a test event", () => {
  const idOf = async () => String((await row("SELECT id FROM webhooks"))?.id);
  const send = async (by = token) => call(`/api/webhook/${await idOf()}/test`, { method: "POST", token: by });

  it("is sent at once, signed, also to a disabled webhook, and stands in no log", async () => {
    const secret = await addWebhook(["sale.recorded"]);
    await act("disable", await idOf());
    expect(await (await send()).json()).toEqual({ isDelivered: true, result: "HTTP 204" });
    expect(received(secret)).toMatchObject([{ type: "test", data: { message: "A test of this webhook" } }]);
    expect(await log()).toEqual([]);
  });

  it("tells by API and on the page what the receiver answered", async () => {
    await addWebhook();
    const refusal = () => new Response(null, { status: 503 });
    answers = [refusal, refusal, () => Promise.reject(new TypeError("refused"))];
    expect(await (await send()).json()).toEqual({ isDelivered: false, result: "HTTP 503" });
    const page = await act("test-webhook", await idOf());
    expect(page.status).toBe(303);
    const shown = await call("/admin/integrations", { token, cookie: cookiesOf(page) });
    expect(await shown.text()).toContain("The test event did not arrive: HTTP 503");
    expect(await (await send()).json()).toEqual({ isDelivered: false, result: "No connection" });
    expect(await row("SELECT disabled_at, note FROM webhooks")).toEqual({ disabled_at: null, note: "" });
  });

  it("is for admins, of a webhook that there is", async () => {
    await addWebhook();
    expect((await send((await manager()).token)).status).toBe(403);
    expect((await call("/api/webhook/none/test", { method: "POST", token })).status).toBe(404);
    expect(fetched).not.toHaveBeenCalled();
  });
});

describe("a webhook that fails", () => {
  const problems = async () =>
    ((await (await call("/api/today", { token })).json()) as { problems: string[] }).problems.filter((text) =>
      text.includes("webhook"),
    );

  it("stands in Today and on Health while deliveries are repeated, and when it was disabled", async () => {
    await addWebhook(["sale.recorded"]);
    const refuse = () => new Response(null, { status: 500 });
    answers = Array(6).fill(refuse);
    await sold(token, { lines: [{ description: "Tray", quantity: 1, amount: 9 }] });
    await expect.poll(async () => (await log())[0]?.result).toBe("HTTP 500");
    for (let attempt = 2; attempt <= 3; attempt++) await deliverNow();
    expect(await problems()).toEqual([]);
    await deliverNow();
    expect(await problems()).toEqual([
      "Deliveries of the webhook to hooks.example.com fail and are repeated",
    ]);
    for (let attempt = 5; attempt <= 6; attempt++) await deliverNow();
    expect(await problems()).toEqual([
      expect.stringContaining("The webhook to hooks.example.com was disabled: Nothing has arrived for a day"),
    ]);
    expect(await (await call("/admin/health", { token })).text()).toContain(
      "The webhook to hooks.example.com was disabled",
    );
    await act("enable", String((await row("SELECT id FROM webhooks"))?.id));
    expect(await problems()).toEqual([]);
  });

  it("is no problem when an admin has disabled it", async () => {
    await addWebhook();
    await act("disable", String((await row("SELECT id FROM webhooks"))?.id));
    expect(await problems()).toEqual([]);
  });
});
