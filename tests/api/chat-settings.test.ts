import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { removeUnusedImages } from "~/features/storage/operations/objects.server";
import { messagesOf, postMessage, staffToken, startChat } from "../support/chat";
import { pictureFile } from "../support/chat-files";
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

describe("the answerer", () => {
  const settings = async () => (await call("/api/chat/settings")).json();

  it("has a measured reply time from three first answers on, and none without a recent one", async () => {
    const token = await staffToken();
    const answer = async (waitSeconds: number) => {
      const { chatId, cookie } = await startChat({ initialMessage: "Hello?" });
      await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) => {
        storage.sql.exec("UPDATE chat SET waiting_since = waiting_since - ?", waitSeconds * 1000);
      });
      await evictDurableObject(env.CHAT_ROOM.getByName(chatId));
      await postMessage(chatId, "Good morning", { token });
      await postMessage(chatId, "Thanks. And the blue one?", { cookie });
      await postMessage(chatId, "Gone.", { token });
    };
    await answer(60);
    await answer(600);
    expect(await settings()).toMatchObject({ replySeconds: null });
    await answer(240);
    await expect.poll(settings).toMatchObject({ replySeconds: expect.closeTo(240, -2) });
    await env.DB.prepare("UPDATE chat_settings SET reply_measured_at = reply_measured_at - 2600000").run();
    expect(await settings()).toMatchObject({ replySeconds: null });
  });

  it("has a name and a picture, which the nightly sweep keeps until it is replaced", async () => {
    const token = await staffToken();
    const save = (file: File | null, more: Record<string, string> = {}) => {
      const body = new FormData();
      const fields = { intent: "settings", answererName: "Maren", isOnline: "on", ...more };
      for (const [name, value] of Object.entries(fields)) body.append(name, value);
      if (file) body.append("picture", file);
      return call("/admin/chat?tab=settings", { body, token });
    };
    expect((await save(pictureFile("opaquePng", "me.png"))).status).toBe(303);
    const { answererPicture } = (await settings()) as { answererPicture: string };
    const key = answererPicture.replace("minio:", "");
    const picture = () => call(`/api/storage/object?key=${encodeURIComponent(key)}`);
    expect((await picture()).headers.get("Content-Type")).toMatch(/^image\//);
    expect((await save(null)).status).toBe(303);
    await removeUnusedImages(env, Date.now() + 2 * 86_400_000);
    expect(await settings()).toMatchObject({ answererName: "Maren", answererPicture });
    expect(await env.BUCKET.head(key)).not.toBeNull();
    const rejected = await save(new File(["no picture"], "me.txt"));
    expect([rejected.status, (await rejected.text()).includes("Unsupported image format: me.txt")]).toEqual([
      415,
      true,
    ]);
    expect((await save(null, { removesPicture: "on" })).status).toBe(303);
    await removeUnusedImages(env, Date.now() + 2 * 86_400_000);
    expect([await settings(), await env.BUCKET.head(key)]).toEqual([
      expect.objectContaining({ answererPicture: null }),
      null,
    ]);
  });
});
