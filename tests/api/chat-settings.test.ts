import { describe, expect, it } from "vitest";
import { messagesOf, staffToken, startChat } from "../support/chat";
import { call } from "../support/shop";

const WELCOME = "Welcome to the counter.";

describe("responses and settings", () => {
  it("adds, lists, changes and deletes predefined responses", async () => {
    const token = await staffToken();
    const added = await call("/api/chat/responses", {
      json: { trigger: "hours", response: "9 to 5" },
      token,
    });
    expect(added.status).toBe(201);
    const row = (await added.json()) as { id: string };
    expect(row).toMatchObject({ trigger: "hours", response: "9 to 5", category: "General", isActive: true });
    const path = `/api/chat/responses/${row.id}`;
    const changed = await call(path, {
      method: "PATCH",
      json: { isActive: false, category: "Visit" },
      token,
    });
    expect(await changed.json()).toMatchObject({ trigger: "hours", category: "Visit", isActive: false });
    const listed = await call("/api/chat/responses", { token });
    expect(await listed.json()).toHaveLength(1);
    expect(listed.headers.get("X-Total-Count")).toBe("1");
    expect(await (await call("/api/chat/responses?limit=1&offset=1", { token })).json()).toEqual([]);
    expect((await call("/api/chat/responses?limit=0", { token })).status).toBe(400);
    expect((await call(path, { method: "DELETE", token })).status).toBe(200);
    expect((await call(path, { method: "DELETE", token })).status).toBe(404);
    expect((await call(path, { method: "PATCH", json: {}, token })).status).toBe(404);
    expect((await call("/api/chat/responses", { json: { trigger: " " }, token })).status).toBe(400);
    const unseen = { trigger: "\u200b", response: "9 to 5" };
    expect((await call("/api/chat/responses", { json: unseen, token })).status).toBe(400);
  });

  it("returns the settings to anyone; staff change any of the four", async () => {
    const token = await staffToken();
    expect(await (await call("/api/chat/settings")).json()).toMatchObject({ isOnline: true });
    const json = { welcomeMessage: WELCOME, autoResponseEnabled: false };
    const changed = await call("/api/chat/settings", { method: "PATCH", json, token });
    expect(await changed.json()).toMatchObject({ ...json, isOnline: true });
    const { chatId, cookie } = await startChat({});
    expect(await messagesOf(chatId, { cookie })).toMatchObject([{ message: WELCOME }]);
    await call("/api/chat/settings", { method: "PATCH", json: { welcomeMessage: "" }, token });
    const silent = await startChat({});
    expect(await messagesOf(silent.chatId, silent)).toEqual([]);
  });
});
