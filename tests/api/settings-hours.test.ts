import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { localDay } from "~/domain/days";
import { startChat } from "../support/chat";
import { admin } from "../support/people";
import { addProduct, call } from "../support/shop";

let token = "";
beforeAll(async () => {
  token = (await admin()).token;
});
beforeEach(async () => {
  await env.DB.prepare("DELETE FROM shop_settings").run();
});

const patch = (json: unknown) => call("/api/settings", { method: "PATCH", json, token });
const read = async () => (await (await call("/api/settings", { token })).json()) as Record<string, unknown>;
const shown = async (path: string, by: { cookie?: string; token?: string } = {}) =>
  (await (await call(path, by)).text()).replaceAll("<!-- -->", "");
const page = (path: string) => shown(path);
const closedWeek = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] };

describe("the hours", () => {
  const always = Object.fromEntries(Object.keys(closedWeek).map((day) => [day, [["00:00", "23:59"]]]));
  const closedTomorrow = () => {
    const day = localDay(Math.floor(Date.now() / 1000) + 86_400, "America/Toronto");
    return { weekly: always, days: [{ day, spans: [], note: "" }] };
  };
  const online = async () => (await (await call("/api/chat/settings")).json()) as Record<string, unknown>;

  it("say whether the shop is open, to anyone", async () => {
    await patch({ hours: { weekly: closedWeek, days: [] } });
    const closed = await call("/api/shop/hours");
    expect(await closed.json()).toEqual({ isOpen: false, opens: null, closes: null, text: "Closed" });
    await patch({ hours: closedTomorrow() });
    expect(await (await call("/api/shop/hours")).json()).toMatchObject({
      isOpen: true,
      opens: null,
      closes: expect.any(Number),
      text: "Open today until 24:00",
    });
    expect(await page(`/products/${await addProduct()}`)).toContain("Open today until 24:00");
    expect(await page("/")).toContain("openingHoursSpecification");
  });

  it.each(["00:00", "24:00"])(
    "close at midnight, which is written %s, in every place alike",
    async (closes) => {
      const spans = [
        ["00:00", "01:00"],
        ["01:01", closes],
      ];
      const weekly = Object.fromEntries(Object.keys(closedWeek).map((day) => [day, spans]));
      expect((await patch({ hours: { weekly, days: [] } })).status).toBe(200);
      const stored = Object.fromEntries(
        Object.keys(closedWeek).map((day) => [day, [spans[0], ["01:01", "24:00"]]]),
      );
      expect(await read()).toMatchObject({ hours: { weekly: stored } });
      expect(
        (await patch({ hours: { weekly: stored, days: [] }, was: { hours: { weekly, days: [] } } })).status,
      ).toBe(200);
      const home = await page("/");
      expect(home).toContain("00:00 to 01:00, 01:01 to 24:00");
      expect(home).toContain('"opens":"01:01","closes":"00:00"');
      const form = await shown("/admin/settings?group=hours", { token });
      expect(form).toMatch(/name="mon-closes2"[^>]*value="00:00"/);
      expect(form).toContain("<dt>Every day</dt><dd>00:00 to 01:00, 01:01 to 24:00</dd>");
    },
  );

  it.each(["24:00", "23:59"])("of a shop that is open until %s on each day have no end", async (closes) => {
    const weekly = Object.fromEntries(Object.keys(closedWeek).map((day) => [day, [["00:00", closes]]]));
    await patch({ hours: { weekly, days: [] }, chatFollowsHours: true });
    expect(await read()).toMatchObject({ hours: { weekly } });
    expect(await (await call("/api/shop/hours")).json()).toEqual({
      ...{ isOpen: true, opens: null, closes: null, text: "Open 24 hours" },
    });
    await call("/api/chat/settings", { method: "PATCH", json: { isOnline: false }, token });
    const form = await shown("/admin/settings?group=hours", { token });
    expect(form).toContain("Now: Away, switched by hand.");
    expect(form).toMatch(/name="mon-closes"[^>]*value="23:59"/);
    await call("/api/chat/settings", { method: "PATCH", json: { isOnline: true }, token });
  });

  it("of a whole day are sent by the form as 00:00 to 23:59", async () => {
    const send = (closes: string) =>
      call("/admin/settings", {
        ...{ method: "POST", token },
        body: new URLSearchParams({ intent: "hours", "mon-opens": "00:00", "mon-closes": closes }),
      });
    const refused = await (await send("00:00")).text();
    expect(refused).toContain(
      "leave the day empty when you are closed. A whole day is 00:00 to 23:59 in the form",
    );
    expect((await send("23:59")).status).toBe(303);
    expect(await read()).toMatchObject({ hours: { weekly: { ...closedWeek, mon: [["00:00", "24:00"]] } } });
  });

  it("turn the chat on and off, which a switch by hand goes before until they change next", async () => {
    const open = { hours: closedTomorrow(), chatFollowsHours: true };
    const closed = { hours: { weekly: closedWeek, days: [] }, chatFollowsHours: true };
    const byHand = (isOnline: boolean) =>
      call("/api/chat/settings", { method: "PATCH", json: { isOnline }, token });
    await patch(closed);
    expect(await online()).toMatchObject({ isOnline: false, back: "Closed", hours: "" });
    await patch(open);
    const read = await online();
    expect(read).toMatchObject({ isOnline: true, back: "", hours: "Open today until 24:00" });
    const { closes } = (await (await call("/api/shop/hours")).json()) as { closes: number };
    expect(Math.abs(closes - Math.floor(Date.now() / 1000) - Number(read.hoursFor))).toBeLessThan(60);
    await byHand(false);
    expect(await online()).toMatchObject({ isOnline: false, back: "", hours: "Open today until 24:00" });
    // The next change of the hours has passed.
    await env.DB.prepare("UPDATE chat_settings SET switched_until = 1").run();
    expect(await online()).toMatchObject({ isOnline: true });
    await byHand(false);
    await patch({ hours: { weekly: always, days: [] } });
    await vi.waitFor(async () => expect(await online()).toMatchObject({ isOnline: true }));
    await patch({ chatFollowsHours: false });
    expect(await online()).toMatchObject({ isOnline: false });
    await byHand(true);
  });

  it("stand in the head of the chat, which says of somebody who is online by hand when the shop opens", async () => {
    const tomorrow = localDay(Math.floor(Date.now() / 1000) + 86_400, "America/Toronto");
    const days = [{ day: tomorrow, spans: [["10:00", "11:00"]], note: "" }];
    const { chatId, ...visitor } = await startChat({ initialMessage: "Anybody there?" });
    const chat = () => shown(`/chat/${chatId}`, visitor);
    const byHand = (isOnline: boolean) =>
      call("/api/chat/settings", { method: "PATCH", json: { isOnline }, token });
    await patch({ hours: { weekly: closedWeek, days }, chatFollowsHours: true });
    expect(await chat()).toContain("<h2>Back tomorrow at 10:00</h2>");
    expect(await chat()).not.toContain("The shop opens");
    await byHand(true);
    expect(await chat()).toMatch(/<h2>We are here<\/h2>.*<p>The shop opens tomorrow at 10:00<\/p>/s);
    expect(await page("/chat")).toContain("We are here. The shop opens tomorrow at 10:00.");
    await patch({ hours: closedTomorrow(), chatFollowsHours: false });
    expect(await chat()).toMatch(/<h2>We are here<\/h2>.*<p>Open today until 24:00<\/p>/s);
  });

  it("end holds at closing time, or after the days of the settings", async () => {
    const lines = [{ productId: await addProduct({ stock: 5 }), quantity: 1 }];
    const until = async () => {
      const answer = await call("/api/hold", { json: { lines, customerName: "Wren" }, token });
      return ((await answer.json()) as { until: { seconds: number } }).until.seconds;
    };
    const now = Math.floor(Date.now() / 1000);
    await patch({ hours: closedTomorrow(), holdDays: 0 });
    expect((await until()) - now).toBeLessThan(26 * 3600);
    await patch({ holdDays: 5 });
    expect(Math.round(((await until()) - now) / 86_400)).toBeGreaterThanOrEqual(5);
  });
});
