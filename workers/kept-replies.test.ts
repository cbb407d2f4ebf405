import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { messagesOf, postMessage, rowWritten, staffToken, startChat } from "../tests/support/chat";
import { costOf } from "../tests/support/cost";
import { call, insert } from "../tests/support/shop";

const KEPT_MS = 5000;
const WORDS = { hours: "Ten to six.", parking: "Behind the shop." };

/** Time at which the test began: the clock stands still. */
let start = 0;
beforeEach(async () => {
  await env.ADMIN_ROOM.getByName("admin").repliesChanged();
  start = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Posts a message, waits for its tasks and returns what the shop has answered in this chat. */
async function answersTo(chat: { chatId: string; cookie: string }, message: string): Promise<string[]> {
  const answer = await postMessage(chat.chatId, message, chat);
  expect(costOf(answer)).toMatchObject({ roundTrips: 0 });
  await rowWritten(chat.chatId);
  const messages = await messagesOf(chat.chatId, chat);
  return messages.filter(({ id }) => id.includes(":auto:")).map(({ message }) => message);
}

describe("the configuration of automatic replies", () => {
  it("is not read for a message while it is kept, and a message costs no query", async () => {
    const chat = await startChat({ initialMessage: "Hello" });
    expect(await answersTo(chat, "First")).toEqual([]);
    await env.DB.exec("ALTER TABLE predefined_responses RENAME TO away");
    const failed = vi.spyOn(console, "warn");
    for (const message of ["Second", "Third"]) expect(await answersTo(chat, message)).toEqual([]);
    await env.DB.exec("ALTER TABLE away RENAME TO predefined_responses");
    expect(failed).not.toHaveBeenCalled();
  });

  it("is read anew after five seconds: then a change is seen that nobody announced", async () => {
    const chat = await startChat({ initialMessage: "Hello" });
    expect(await answersTo(chat, "Your hours?")).toEqual([]);
    await insert("predefined_responses", [
      { id: "direct", trigger: "hours", response: WORDS.hours, created_at: 1, updated_at: 1 },
    ]);
    vi.setSystemTime(start + KEPT_MS - 1);
    expect(await answersTo(chat, "And your hours?")).toEqual([]);
    vi.setSystemTime(start + KEPT_MS);
    expect(await answersTo(chat, "So, your hours?")).toEqual([WORDS.hours]);
  });

  it("is forgotten at once when staff save a response or the settings", async () => {
    const token = await staffToken();
    const chat = await startChat({ initialMessage: "Hello" });
    expect(await answersTo(chat, "Parking?")).toEqual([]);
    const added = await call("/api/chat/responses", {
      json: { trigger: "parking", response: WORDS.parking },
      token,
    });
    expect(await answersTo(chat, "Is there parking?")).toEqual([WORDS.parking]);
    const { id } = (await added.json()) as { id: string };
    await call(`/api/chat/responses/${id}`, { method: "DELETE", token });
    vi.setSystemTime(start + 61_000);
    expect(await answersTo(chat, "Parking again?")).toEqual([WORDS.parking]);
    await call("/api/chat/settings", {
      method: "PATCH",
      json: { isOnline: false, offlineMessage: "Away" },
      token,
    });
    await answersTo(chat, "Anybody?");
    expect((await messagesOf(chat.chatId, chat)).at(-1)?.message).toBe("Away");
    await call("/api/chat/settings", { method: "PATCH", json: { isOnline: true }, token });
  });

  it("is forgotten by an occupied room which is told of a change", async () => {
    const chat = await startChat({ initialMessage: "Hello" });
    expect(await answersTo(chat, "In the evening?")).toEqual([]);
    await env.DB.prepare("DELETE FROM predefined_responses").run();
    await insert("predefined_responses", [
      { id: "late", trigger: "late", response: "Until six.", created_at: 1, updated_at: 1 },
    ]);
    await env.CHAT_ROOM.getByName(chat.chatId).broadcastStatus(true);
    expect(await answersTo(chat, "How late?")).toEqual(["Until six."]);
  });
});
