import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { instantAt, localDay, localTimeAt } from "~/domain/days";
import { DAY_SECONDS, HOUR_SECONDS } from "~/domain/durations";
import { messagesOf, postMessage, startChat } from "../support/chat";
import { pdfFile, posted, postFiles } from "../support/chat-files";
import { manager } from "../support/people";
import { hold, json, type Refusal, sell, sold, stockOf } from "../support/sales";
import { addProduct, call } from "../support/shop";

const TORONTO = "America/Toronto";
let token: string;
beforeAll(async () => {
  ({ token } = await manager());
});

interface HoldAnswer {
  id: string;
  state: string;
  until: { seconds: number };
  lines: { productId: string; name: string; quantity: number }[];
}

const line = (productId: string, quantity = 1) => ({ productId, quantity });
const saleLine = (productId: string, quantity = 1) => ({ productId, quantity, amount: 10 });
const soon = () => Math.floor(Date.now() / 1000) + 3600;
/** Lets a hold's time pass. */
const expire = (id: string) =>
  env.DB.batch([
    env.DB.prepare("UPDATE holds SET until = unixepoch() - 1 WHERE id = ?").bind(id),
    env.DB.prepare("UPDATE hold_lines SET until = unixepoch() - 1 WHERE hold_id = ?").bind(id),
  ]);
const shopperSees = async (id: string) =>
  (await json<{ stock: number; available: number }>(call(`/api/product/id/${id}`))).stock;

/** Finds the next hour in which the clock changes, and by how many seconds. */
function nextChange() {
  const hour = Math.ceil(soon() / HOUR_SECONDS) * HOUR_SECONDS;
  const clock = (at: number) => Date.parse(`${localTimeAt(at, TORONTO)}Z`) / 1000 - at;
  for (let at = hour; at < hour + 365 * DAY_SECONDS; at += HOUR_SECONDS) {
    const step = clock(at) - clock(at - 1);
    if (step !== 0) return { at, step, day: localTimeAt(at, TORONTO).slice(0, 10) };
  }
  throw new Error("The clock does not change");
}

describe("a hold", () => {
  it("takes its end as every time at the API", async () => {
    const productId = await addProduct({ stock: 9 });
    const end = soon();
    const iso = new Date(end * 1000).toISOString();
    for (const until of [end * 1000, { seconds: end }, { _seconds: end }, iso]) {
      const placed = await json<HoldAnswer>(hold(token, { until, lines: [line(productId)] }));
      expect(placed.until.seconds, JSON.stringify(until)).toBe(end);
    }
    const day = localTimeAt(end + DAY_SECONDS, TORONTO).slice(0, 10);
    for (const until of [end * 1e6, { seconds: "x" }, { _seconds: null }, [], true, "tomorrow", day, 1, -1])
      expect((await hold(token, { until, lines: [line(productId)] })).status, JSON.stringify(until)).toBe(
        400,
      );
  });

  it("has no id that would give its card the id of another hold's message", async () => {
    const { chatId } = await startChat({ initialMessage: "Is it there?" });
    const lines = [line(await addProduct({ stock: 9 }))];
    const place = (id: string) => call("/api/hold", { token, json: { id, chatId, lines } });
    expect((await place("walnut")).status).toBe(201);
    expect((await call("/api/hold/walnut", { method: "DELETE", token })).status).toBe(200);
    expect((await place("walnut-released")).status).toBe(400);
    expect((await place("walnut-2")).status).toBe(201);
    const offer = { chatId, title: "Sign", lines: [{ description: "Sign", quantity: 1, amount: 5 }] };
    for (const [id, status] of Object.entries({ oak: 201, "oak-accepted": 400, "oak-2": 201 }))
      expect((await call("/api/quote", { token, json: { id, ...offer } })).status, id).toBe(status);
    const cards = (await messagesOf(chatId, { token })).flatMap((message) => message.cards ?? []);
    expect(cards.map(({ type }) => type).sort()).toEqual(["hold", "hold", "quote", "quote"]);
  });

  it("ends, as a sale is dated, at the shop's time where no zone is named", async () => {
    const productId = await addProduct({ stock: 9 });
    const lines = [line(productId)];
    const at = soon();
    const local = localTimeAt(at, TORONTO);
    const id = "local-hold";
    const placed = await json<HoldAnswer>(hold(token, { id, until: local, lines }));
    expect(placed.until.seconds).toBe(at);
    const repeated = await json<HoldAnswer>(hold(token, { id, until: at, lines }));
    expect(repeated).toMatchObject({ id, until: { seconds: at } });
    const extended = call(`/api/hold/${id}`, {
      ...{ method: "PATCH", token },
      json: { until: localTimeAt(at + 60, TORONTO) },
    });
    expect(await json(extended)).toMatchObject({ until: { seconds: at + 60 } });
    const [sale] = await sold(token, { createdAt: local, lines: [saleLine(productId)] });
    expect(sale?.createdAt.seconds).toBe(at);
    const day = localTimeAt(at + DAY_SECONDS, TORONTO).slice(0, 10);
    for (const [until, message] of [
      [localTimeAt(at - 3660, TORONTO), "Must be in the future"],
      [localTimeAt(at + 61 * DAY_SECONDS, TORONTO), "Must be within the next 60 days"],
      [at - 7200, "Must be in the future"],
      [at + 61 * DAY_SECONDS, "Must be within the next 60 days"],
      [day, `Add the time of day, such as ${day}T18:00`],
      ["soon", "Must be a day with a time, such as 2026-12-01T18:00"],
    ]) {
      const answer = await hold(token, { until, lines });
      expect(answer.status).toBe(400);
      expect((await json<Refusal>(answer)).details).toEqual([{ path: "until", message }]);
    }
  });

  it("takes pieces from what shoppers see, staff see both, until its time has passed", async () => {
    const productId = await addProduct({ stock: 5 });
    const placed = await json<HoldAnswer>(hold(token, { until: soon(), lines: [line(productId, 2)] }));
    expect(placed).toMatchObject({ state: "active", lines: [{ productId, quantity: 2 }] });
    expect(await shopperSees(productId)).toBe(3);
    expect(await json(call(`/api/product/id/${productId}`, { token }))).toMatchObject({
      stock: 5,
      available: 3,
    });
    const all = await json<{ id: string; stock: number }[]>(call("/api/product/all"));
    expect(all.find(({ id }) => id === productId)?.stock).toBe(3);
    await expire(placed.id);
    expect(await shopperSees(productId)).toBe(5);
    await sold(token, { lines: [saleLine(productId, 5)] });
    expect(await stockOf(productId)).toEqual({ stock: 0, held: 0, moved: 0 });
  });

  it("that has ended is in no list any more, though nothing has settled it", async () => {
    const category = "JEWELRY";
    const names = ["Opal ring", "Opal ring of silver"];
    const [id = "", other = ""] = await Promise.all(
      names.map((name) => addProduct({ name, category, stock: 1 })),
    );
    await addProduct({ name: "Opal ring of gold", category, stock: 0 });
    const placed = await json<HoldAnswer>(hold(token, { until: soon(), lines: [line(id)] }));
    const list = async (query: string) =>
      (await json<{ id: string }[]>(call(`/api/product/all?${query}`))).map((product) => product.id);
    const lists = [
      "stock=in",
      "stock=in&sort=name-asc",
      "search=opal&stock=in",
      `category=${category}&stock=in`,
    ];
    const suggested = async () =>
      (await json<{ products: { id: string; available: number }[] }>(call("/api/product/suggest?q=opal")))
        .products;
    for (const query of lists) expect(await list(query), query).not.toContain(id);
    await expire(placed.id);
    for (const query of lists) expect(await list(query), query).toContain(id);
    expect((await list("search=opal")).slice(0, 2).sort()).toEqual([id, other].sort());
    expect((await suggested()).find((product) => product.id === id)?.available).toBe(1);
    expect(await (await call(`/products/${other}`)).text()).toContain(`/products/${id}`);
    const counted = env.DB.prepare("SELECT counted FROM hold_lines WHERE hold_id = ?").bind(placed.id);
    expect(await counted.first<number>("counted"), "settled by nothing").toBe(1);
  });

  it("gives 3 pieces exactly 3 times to 50 sales and 50 holds at once, each sent twice", async () => {
    const productId = await addProduct({ stock: 3 });
    const until = soon();
    const requests = Array.from({ length: 50 }, (_, i) => [
      () => sell(token, { id: `both-sale-${i}`, lines: [saleLine(productId)] }),
      () =>
        hold(token, {
          id: `both-hold-${i}`,
          until,
          lines: [line(productId)],
        }),
    ]).flat();
    const once = await Promise.all(requests.map((send) => send()));
    await Promise.all(requests.map((send) => send()));
    expect(once.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(once.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const { stock, held } = await stockOf(productId);
    expect(stock).toBe(held);
    expect(await shopperSees(productId)).toBe(0);
  });

  it("becomes a sale once; a sale beyond what is available names the hold", async () => {
    const productId = await addProduct({ name: "Vase", stock: 2 });
    const placed = await json<HoldAnswer>(hold(token, { until: soon(), lines: [line(productId, 1)] }));
    const refused = await sell(token, { lines: [saleLine(productId, 2)] });
    expect((await json<Refusal>(refused)).details?.[0]?.message).toMatch(
      /^Vase: 2 left, 1 of them on hold until \w+day \d\d:\d\d$/,
    );
    await sold(token, { holdId: placed.id, lines: [saleLine(productId, 2)] });
    expect(await stockOf(productId)).toEqual({ stock: 0, held: 0, moved: 0 });
    expect((await sell(token, { holdId: placed.id, lines: [saleLine(productId)] })).status).toBe(409);
  });

  it("is named by a sale of its own conversation alone, also once it has ended or was released", async () => {
    const productId = await addProduct({ name: "Vase", stock: 9 });
    const [own, other] = [await startChat({}), await startChat({})];
    const placed = async () =>
      (
        await json<HoldAnswer>(
          hold(token, { chatId: own.chatId, until: soon(), lines: [line(productId, 1)] }),
        )
      ).id;
    const [ended, released] = [await placed(), await placed()];
    const lines = [saleLine(productId)];
    expect((await sell(token, { holdId: "nope", lines })).status).toBe(404);
    expect((await sell(token, { holdId: ended, chatId: other.chatId, lines })).status).toBe(409);
    await env.DB.prepare("UPDATE holds SET until = 1 WHERE id = ?").bind(ended).run();
    expect((await call(`/api/hold/${released}`, { method: "DELETE", token })).status).toBe(200);
    for (const holdId of [ended, released])
      expect(await sold(token, { holdId, lines })).toMatchObject([{ chatId: own.chatId }]);
    expect((await sell(token, { holdId: released, lines })).status).toBe(409);
  });

  it.each([
    [0, 0, /^Vase: none left$/],
    [0, 2, /^Vase: none left$/],
    [1, 0, /^Vase: 1 left$/],
    [1, 1, /^Vase: 1 left, on hold until \w+day \d\d:\d\d$/],
    [3, 2, /^Vase: 3 left, 2 of them on hold until \w+day \d\d:\d\d$/],
    [3, 3, /^Vase: 3 left, all of them on hold until \w+day \d\d:\d\d$/],
    [2, 5, /^Vase: 2 left, all of them on hold until \w+day \d\d:\d\d$/],
  ])("words a shortage of %i pieces, %i of them on hold", async (stock, held, message) => {
    const productId = await addProduct({ name: "Vase", stock: Math.max(stock, held) });
    if (held > 0) await hold(token, { until: soon(), lines: [line(productId, held)] });
    await call(`/api/product/${productId}`, { method: "PUT", json: { stock }, token });
    const refused = await json<Refusal>(sell(token, { lines: [saleLine(productId, 9)] }));
    expect(refused.details?.map((detail) => detail.message)).toEqual([expect.stringMatching(message)]);
  });

  it("is named with the latest end of several", async () => {
    const productId = await addProduct({ name: "Vase", stock: 3 });
    const latest = instantAt(`${localDay(soon() + 2 * DAY_SECONDS, TORONTO)}T00:00:00`, TORONTO);
    for (const until of [latest, soon()]) await json(hold(token, { until, lines: [line(productId)] }));
    const refused = await json<Refusal>(sell(token, { lines: [saleLine(productId, 3)] }));
    // An end at midnight is that of the day before, as on the hold's card.
    const weekday = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: TORONTO }).format(
      (latest - 1) * 1000,
    );
    expect(refused.details?.[0]?.message).toMatch(
      new RegExp(`^Vase: 3 left, 2 of them on hold until ${weekday} 24:00$`),
    );
  });

  it("is extended while active and released by staff and its visitor, not by another", async () => {
    const productId = await addProduct({ stock: 1 });
    const { chatId, cookie } = await startChat({ initialMessage: "Keep one, please" });
    const other = await startChat({ initialMessage: "Me too" });
    const placed = await json<HoldAnswer>(hold(token, { chatId, lines: [line(productId)] }));
    expect((await messagesOf(chatId, { cookie })).at(-1)).toMatchObject({
      cards: [{ type: "hold", holdId: placed.id }],
    });
    const path = `/api/hold/${placed.id}`;
    const extended = await call(path, { method: "PATCH", token, json: { until: soon() + 9999 } });
    expect(extended.status).toBe(200);
    expect((await call(path, { method: "DELETE", cookie: other.cookie, json: {} })).status).toBe(404);
    expect((await call(path, { method: "DELETE", json: {} })).status).toBe(404);
    expect(await json(call(path, { method: "DELETE", cookie, json: {} }))).toMatchObject({
      state: "released",
    });
    expect((await call(path, { method: "DELETE", token, json: {} })).status).toBe(200);
    expect((await call(path, { method: "PATCH", token, json: { until: soon() } })).status).toBe(409);
    expect(await stockOf(productId)).toMatchObject({ stock: 1, held: 0 });
  });

  it("answers no question when it is extended or released, but when it is set aside", async () => {
    const productId = await addProduct({ stock: 2 });
    const { chatId, cookie } = await startChat({ initialMessage: "Keep one, please" });
    const row = () =>
      env.DB.prepare("SELECT last_message AS said, waiting_since > 0 AS waits FROM chats WHERE id = ?")
        .bind(chatId)
        .first();
    const { id } = await json<HoldAnswer>(hold(token, { chatId, lines: [line(productId)] }));
    await expect.poll(row).toEqual({ said: expect.stringMatching(/^Set aside until/), waits: null });
    await postMessage(chatId, "Is it waterproof?", { cookie });
    await expect.poll(row).toEqual({ said: "Is it waterproof?", waits: 1 });
    const path = `/api/hold/${id}`;
    await call(path, { method: "PATCH", token, json: { until: soon() + 9999 } });
    await expect.poll(row).toEqual({ said: expect.stringMatching(/^Set aside until/), waits: 1 });
    await call(path, { method: "DELETE", token, json: {} });
    await expect.poll(row).toEqual({ said: expect.stringMatching(/^No longer set aside/), waits: 1 });
    await postMessage(chatId, "It is", { token }, { isFromAdmin: true });
    await expect.poll(row).toEqual({ said: "It is", waits: null });
  });

  it("that has ended can't be extended, and its pieces stay free", async () => {
    const productId = await addProduct({ stock: 1 });
    const { id } = await json<HoldAnswer>(hold(token, { until: soon(), lines: [line(productId)] }));
    await expire(id);
    const answer = await call(`/api/hold/${id}`, { method: "PATCH", token, json: { until: soon() } });
    expect(answer.status).toBe(409);
    expect(await shopperSees(productId)).toBe(1);
  });

  it("is released by 20 requests at once, and the chat says so once", async () => {
    const productId = await addProduct({ stock: 1 });
    const { chatId, cookie } = await startChat({ initialMessage: "Keep one, please" });
    const { id } = await json<HoldAnswer>(hold(token, { chatId, lines: [line(productId)] }));
    const release = () => call(`/api/hold/${id}`, { method: "DELETE", cookie, json: {} });
    const answers = await Promise.all(Array.from({ length: 20 }, release));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await stockOf(productId)).toMatchObject({ stock: 1, held: 0 });
    const released = (await messagesOf(chatId, { token })).filter(({ id: own }) => own.endsWith("released"));
    expect(released).toHaveLength(1);
  });

  it.each([
    ["the past", Math.floor(Date.now() / 1000) - 5],
    ["next year", Math.floor(Date.now() / 1000) + 400 * 86_400],
    ["no time", "tomorrow"],
  ])("refuses an end in %s", async (_, until) => {
    const productId = await addProduct({ stock: 1 });
    expect((await hold(token, { until, lines: [line(productId)] })).status).toBe(400);
  });

  it("refuses a deleted product and more than there is, per line", async () => {
    const productId = await addProduct({ name: "Cup", stock: 1 });
    const answer = await hold(token, { until: soon(), lines: [line(productId, 2), line("never-was")] });
    expect((await json<Refusal>(answer)).details).toEqual([
      { path: "lines.0", message: "Cup: 1 left" },
      { path: "lines.1", message: "This product was deleted." },
    ]);
  });
});

describe("a quote", () => {
  interface QuoteAnswer {
    id: string;
    state: string;
    total: number;
  }
  const lines = [
    { description: "Cutting board", material: "Walnut", size: "40 × 28 cm", quantity: 2, amount: 92 },
  ];
  const send = async (chatId: string, more = {}) =>
    json<QuoteAnswer>(call("/api/quote", { token, json: { chatId, title: "Two boards", lines, ...more } }));
  const decide = (id: string, state: string, by: { token?: string; cookie?: string }) =>
    call(`/api/quote/${id}`, { method: "PATCH", json: { state }, ...by });

  it("is accepted by its visitor alone, once, and recorded as a sale once", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "Engrave two?" });
    const other = await startChat({ initialMessage: "Hello" });
    const quote = await send(chatId);
    expect(quote).toMatchObject({ state: "sent", total: 92 });
    const sale = {
      quoteId: quote.id,
      lines: [{ description: "Cutting board", businessType: "LASER", quantity: 2, amount: 92 }],
    };
    expect((await sell(token, sale)).status).toBe(409);
    expect((await decide(quote.id, "accepted", { cookie: other.cookie })).status).toBe(404);
    expect((await decide(quote.id, "accepted", { token })).status).toBe(403);
    expect((await decide(quote.id, "withdrawn", { cookie })).status).toBe(403);
    for (const _ of [1, 2])
      expect(await json(decide(quote.id, "accepted", { cookie }))).toMatchObject({ state: "accepted" });
    expect((await decide(quote.id, "declined", { cookie })).status).toBe(409);
    expect((await sold(token, sale))[0]).toMatchObject({ chatId, businessType: "LASER" });
    expect((await sell(token, sale)).status).toBe(409);
  });

  it("is valid until the shop's time, also in the night in which the clock changes", async () => {
    const { chatId } = await startChat({ initialMessage: "Engrave two?" });
    const validUntil = async (text: string) =>
      (
        await json<{ validUntil: { seconds: number } }>(
          call("/api/quote", { token, json: { chatId, title: "Boards", lines, validUntil: text } }),
        )
      ).validUntil.seconds;
    const { at, step, day } = nextChange();
    // The skipped half past two is half past three; half past one comes twice, and the first counts.
    expect(await validUntil(`${day}T01:30`)).toBe(at - 1800);
    expect(await validUntil(`${day}T02:30`)).toBe(step > 0 ? at + 1800 : at + 5400);
  });

  it("names files of its own chat alone, and a day that exists", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "Engrave this?" });
    const other = await startChat({ initialMessage: "And this?" });
    const [own = ""] = (await posted(await postFiles({ chatId, cookie }, [pdfFile("sketch.pdf")]))).cards.map(
      ({ key }) => key,
    );
    const foreign = (await posted(await postFiles(other, [pdfFile("sketch.pdf")]))).cards.map(
      ({ key }) => key,
    );
    const status = async (more: object) =>
      (await call("/api/quote", { token, json: { chatId, title: "Sign", lines, ...more } })).status;
    expect(await status({ files: [own], readyBy: "2026-12-24" })).toBe(201);
    for (const files of [foreign, [own, ...foreign], [`${own.slice(0, -1)}!`], ["products/lamp.webp"]])
      expect(await status({ files }), files.join()).toBe(400);
    for (const readyBy of ["2026-02-31", "2026-13-01", "1899-01-01", "2100-05-05", "soon"])
      expect(await status({ readyBy })).toBe(400);
  });

  it("is refused once withdrawn or expired, with the reason", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "Engrave two?" });
    const withdrawn = await send(chatId);
    await decide(withdrawn.id, "withdrawn", { token });
    expect(await json<Refusal>(decide(withdrawn.id, "accepted", { cookie }))).toMatchObject({
      message: "This quote was withdrawn.",
    });
    const expired = await send(chatId);
    await env.DB.prepare("UPDATE quotes SET valid_until = 1 WHERE id = ?").bind(expired.id).run();
    expect(await json<Refusal>(decide(expired.id, "accepted", { cookie }))).toMatchObject({
      message: "This quote has expired.",
    });
  });
});
