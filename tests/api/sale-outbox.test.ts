import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { SaleCardsData } from "~/features/sales/cards/card-data";
import { deliverDue } from "~/features/sales/delivery.server";
import { messagesOf, startChat } from "../support/chat";
import { manager } from "../support/people";
import { json, sendQuote, sold } from "../support/sales";
import { call } from "../support/shop";

let token: string;
beforeAll(async () => {
  ({ token } = await manager());
});

const cards = (chatId: string, by: { cookie?: string; token?: string }) =>
  json<SaleCardsData>(call(`/chat/${chatId}/cards`, by));

describe("a card whose act is stored", () => {
  const sentences = async (chatId: string) =>
    (await messagesOf(chatId, { token })).map(({ message }) => message);

  it("is not lost to the limit of messages, nor is the visitor's answer", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    // The limit counts within 10 seconds.
    vi.spyOn(Date, "now").mockReturnValue(Date.now());
    const burst = Array.from({ length: 40 }, (_, i) => i);
    const posts = (by: { token?: string; cookie?: string }, isFromAdmin: boolean) =>
      Promise.all(
        burst.map((i) =>
          call("/api/chat/message", {
            json: { chatId, message: `No. ${i}`, isFromAdmin, senderName: "" },
            ...by,
          }),
        ),
      );
    const statuses = (await posts({ token }, true)).map(({ status }) => status);
    expect(statuses).toContain(429);
    const json = { paymentMode: "CARD", chatId, lines: [{ description: "Tray", quantity: 1, amount: 30 }] };
    expect((await call("/api/sale", { token, json })).status).toBe(201);
    await sendQuote(token, chatId);
    const [quote] = (await cards(chatId, { token })).quotes;
    expect((await posts({ cookie }, false)).map(({ status }) => status)).toContain(429);
    const accepted = await call(`/api/quote/${quote?.id}`, {
      method: "PATCH",
      cookie,
      json: { state: "accepted" },
    });
    expect(accepted.status).toBe(200);
    const all = await sentences(chatId);
    expect(all).toContainEqual(expect.stringMatching(/^Receipt E-/));
    expect(all).toContainEqual(expect.stringMatching(/^Quote: Slate coasters/));
    expect(all).toContainEqual(expect.stringMatching(/^I accept the quote/));
  });

  it("is posted later when the chat can't be reached", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const { chatId } = await startChat({ initialMessage: "Hello" });
    const rooms = vi.spyOn(env.CHAT_ROOM, "getByName").mockImplementation(() => {
      throw new Error("overloaded");
    });
    const json = { paymentMode: "CARD", chatId, lines: [{ description: "Tray", quantity: 1, amount: 30 }] };
    expect((await call("/api/sale", { token, json })).status).toBe(201);
    rooms.mockRestore();
    expect(await sentences(chatId)).not.toContainEqual(expect.stringMatching(/^Receipt/));
    await env.DB.exec("UPDATE sale_outbox SET due_at = 0 WHERE done_at IS NULL");
    await runDurableObjectAlarm(env.ADMIN_ROOM.getByName("admin"));
    expect(await sentences(chatId)).toContainEqual(expect.stringMatching(/^Receipt E-/));
    vi.restoreAllMocks();
  });

  it("is tried 54 times, at last every hour, and then given up", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const { chatId } = await startChat({ initialMessage: "Hello" });
    vi.spyOn(env.CHAT_ROOM, "getByName").mockImplementation(() => {
      throw new Error("overloaded");
    });
    await sold(token, { chatId, lines: [{ description: "Tray", quantity: 1, amount: 30 }] });
    const waits: number[] = [];
    for (const attempts of [0, 1, 52, 53]) {
      await env.DB.exec(`UPDATE sale_outbox SET due_at = 0, attempts = ${attempts} WHERE done_at IS NULL`);
      const now = Math.floor(Date.now() / 1000);
      await deliverDue(env as Env);
      const entry = await env.DB.prepare("SELECT due_at FROM sale_outbox WHERE recipient = ?")
        .bind(chatId)
        .first<number>("due_at");
      waits.push(Math.round(((entry ?? 0) - now) / 60));
    }
    expect(waits.slice(0, 3)).toEqual([1, 2, 60]);
    expect(waits[3]).toBeGreaterThan(1e9);
    expect(await deliverDue(env as Env)).toBeNull();
    vi.restoreAllMocks();
  });
});
