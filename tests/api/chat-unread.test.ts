import { describe, expect, it } from "vitest";
import { staffToken, startChat } from "../support/chat";
import { connect, upgrade } from "../support/live";
import { call } from "../support/shop";

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Reads the unread messages of a chat as the shell of the back office does. */
async function unreadOf(chatId: string, token: string): Promise<number | undefined> {
  const { chats } = (await (await call("/admin/unread", { token })).json()) as {
    chats: Record<string, number>;
  };
  return chats[chatId];
}

describe("unread messages of the consoles", () => {
  it("reports a colleague's read mark and a deletion to the consoles, once", async () => {
    const { chatId } = await startChat({ userName: "Ines", initialMessage: "Is it oak?" });
    const [reader, colleague] = [await staffToken(), await staffToken()];
    const console = await connect("?room=admin", bearer(colleague));
    const read = () =>
      call(`/api/chat/${chatId}/read`, { method: "PATCH", json: { isAdmin: true }, token: reader });
    expect(await unreadOf(chatId, colleague)).toBe(1);
    expect((await read()).status).toBe(200);
    expect(await console.waitForEvent("chat-updated")).toMatchObject({ chatId, chat: { unreadCount: 0 } });
    expect(await unreadOf(chatId, colleague)).toBeUndefined();
    await read();
    await call(`/api/chat/${chatId}`, { method: "DELETE", token: reader });
    expect(await console.waitForEvent("chat-updated", ({ chat }) => chat === null)).toEqual({
      chatId,
      chat: null,
    });
    const updates = console.events().filter(({ data }) => data.chatId === chatId);
    expect(updates.filter(({ event }) => event === "chat-updated")).toHaveLength(2);
  });

  it("counts the unread messages for staff alone", async () => {
    const { cookie } = await startChat({ initialMessage: "Is it oak?" });
    const answer = await call("/admin/unread", { cookie });
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/unauthorized"]);
    expect(await upgrade("?room=admin", { Cookie: cookie })).toMatchObject({ status: 403 });
  });
});
