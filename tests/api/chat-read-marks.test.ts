import { describe, expect, it } from "vitest";
import { messagesOf, postMessage, staffToken, startChat } from "../support/chat";
import { connect } from "../support/live";
import { addUser, call, openSession } from "../support/shop";

interface Reads {
  visitor: { seq: number; timestamp: unknown };
  staff: { seq: number; timestamp: unknown };
}

const TIME = { seconds: expect.any(Number), nanoseconds: expect.any(Number) };

type Caller = { cookie?: string; token?: string };

const markRead = (chatId: string, json: object, by: Caller) =>
  call(`/api/chat/${chatId}/read`, { method: "PATCH", json, ...by });

async function readsOf(chatId: string, by: Caller): Promise<Reads> {
  const answer = await call(`/api/chat/${chatId}/messages`, by);
  return ((await answer.json()) as { reads: Reads }).reads;
}

describe("read marks", () => {
  it("of each side are sent to the other, and are in the history", async () => {
    const token = await staffToken();
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    const visitor = await connect(`?chat=${chatId}`, { Cookie: cookie });
    const seller = await connect(`?chat=${chatId}`, { Authorization: `Bearer ${token}` });
    expect((await readsOf(chatId, { cookie })).staff).toEqual({ seq: 0, timestamp: null });

    await markRead(chatId, { isAdmin: true }, { token });
    const seq = (await messagesOf(chatId, { cookie })).length;
    expect(await visitor.waitForEvent("read")).toEqual({ chatId, by: "staff", seq, timestamp: TIME });

    await postMessage(chatId, "Hello, Ines.", { token });
    // Marks end at the last message.
    await markRead(chatId, { seq: 999_999 }, { cookie });
    const seen = await seller.waitForEvent("read", ({ by }) => by === "visitor");
    expect(seen).toEqual({ chatId, by: "visitor", seq: seq + 1, timestamp: TIME });
    expect(await readsOf(chatId, { token })).toEqual({
      visitor: { seq: seq + 1, timestamp: TIME },
      staff: { seq, timestamp: TIME },
    });
  });

  it("move forward only, and count what staff have not read", async () => {
    const token = await staffToken();
    const { chatId, cookie } = await startChat({ initialMessage: "One" });
    await postMessage(chatId, "Two", { cookie });
    const messages = await messagesOf(chatId, { token });
    const [one = 0, two = 0] = messages.filter(({ isFromAdmin }) => !isFromAdmin).map(({ seq }) => seq);
    const seller = await connect(`?chat=${chatId}`, { Authorization: `Bearer ${token}` });
    const unreadAfter = async (seq: number) =>
      (await markRead(chatId, { isAdmin: true, seq }, { token })).json();
    expect(await unreadAfter(one)).toEqual({ unreadCount: 1 });
    expect(await unreadAfter(two)).toEqual({ unreadCount: 0 });
    expect(await unreadAfter(one)).toEqual({ unreadCount: 0 });
    expect(await unreadAfter(two + 100)).toEqual({ unreadCount: 0 });
    expect((await readsOf(chatId, { token })).staff.seq).toBe(messages.length);
    await seller.waitForEvent("read", ({ seq }) => seq === messages.length);
    const marks = seller.events().flatMap(({ event, data }) => (event === "read" ? [data.seq] : []));
    expect(marks).toEqual([...new Set([one, two, messages.length])]);
  });
});

describe("the author of a reply", () => {
  it("is told to staff, not to the visitor", async () => {
    const { id } = await addUser({ isManager: true, firstName: "Theo" });
    const token = await openSession(id);
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    const visitor = await connect(`?chat=${chatId}`, { Cookie: cookie });
    const colleague = await connect(`?chat=${chatId}`, { Authorization: `Bearer ${await staffToken()}` });
    const sent = await (await postMessage(chatId, "Hello, Ines.", { token })).json();
    expect(sent).toMatchObject({ senderName: "Support Team", staffName: "Theo" });
    expect(await colleague.waitForEvent("new-message")).toMatchObject({ staffName: "Theo" });
    expect(await visitor.waitForEvent("new-message")).not.toHaveProperty("staffName");
    expect((await messagesOf(chatId, { token })).at(-1)).toMatchObject({ staffName: "Theo" });
    expect((await messagesOf(chatId, { cookie })).at(-1)).not.toHaveProperty("staffName");
    const late = await connect(`?chat=${chatId}&after=0`, { Cookie: cookie });
    const missed = await late.waitForEvent("new-message", ({ message }) => message === "Hello, Ines.");
    expect(missed).not.toHaveProperty("staffName");
  });
});
