import { describe, expect, it } from "vitest";
import { messagesOf, postMessage, staffToken, startChat } from "../support/chat";
import { addUser, call, openSession } from "../support/shop";

const submit = (path: string, fields: Record<string, string>, token: string) =>
  call(path, {
    body: new URLSearchParams(fields),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    token,
  });

/** Text of the page's box above the form. */
const boxOf = (html: string) =>
  /<p class="form-error"[^>]*>(.*?)<\/p>/s
    .exec(html)?.[1]
    ?.replace(/<!-- -->|<[^>]+>/g, "")
    .trim();

describe("edit conflicts in the console's forms", () => {
  async function response(token: string) {
    const json = { trigger: "hours", response: "Ten to six.", category: "Times" };
    const { id } = (await (await call("/api/chat/responses", { json, token })).json()) as { id: string };
    const path = `/admin/chat?tab=responses&edit=${id}`;
    const fields = { intent: "updateResponse", id, was: JSON.stringify(json), ...json };
    return { id, path, fields };
  }

  it("explain a changed response, offer the stored one, and let a second save overwrite it", async () => {
    const token = await staffToken();
    const { id, path, fields } = await response(token);
    await call(`/api/chat/responses/${id}`, { method: "PATCH", json: { response: "Ten to five." }, token });
    const refused = await submit(path, { ...fields, response: "Always." }, token);
    const html = await refused.text();
    expect(refused.status).toBe(409);
    expect(boxOf(html)).toBe(
      "Somebody else has just changed this response.Changed: Response message. Save again overwrites their change. Use theirs",
    );
    expect(html).toContain(`href="/admin/chat?tab=responses&amp;edit=${id}">Use theirs`);
    const [, was = ""] = /name="was" value="([^"]+)"/.exec(html) ?? [];
    const again = { ...fields, response: "Always.", was: was.replaceAll("&quot;", '"') };
    expect((await submit(path, again, token)).status).toBe(303);
  });

  it("say that Save adds a deleted response anew", async () => {
    const token = await staffToken();
    const { id, path, fields } = await response(token);
    await call(`/api/chat/responses/${id}`, { method: "DELETE", token });
    const html = await (await submit(path, fields, token)).text();
    expect(boxOf(html)).toBe("Somebody else has deleted this response.Save adds it anew.");
    expect(html).toContain('value="addResponse"');
  });

  it("explain changed settings", async () => {
    const token = await staffToken();
    const was = await (await call("/api/chat/settings")).text();
    await call("/api/chat/settings", { method: "PATCH", json: { offlineMessage: "Back at ten." }, token });
    const fields = { intent: "settings", was, offlineMessage: "Gone fishing.", isOnline: "on" };
    const html = await (await submit("/admin/chat?tab=settings", fields, token)).text();
    expect(boxOf(html)).toMatch(/^Somebody else has just changed these settings\.Changed: Offline Message\./);
  });
});

describe("two members of staff who change one chat at the same moment", () => {
  it("are told who assigned or closed it first", async () => {
    const theo = await addUser({ isManager: true, firstName: "Theo" });
    const [token, theos] = [await staffToken(), await openSession(theo.id)];
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    const path = `/admin/chat?chat=${chatId}`;
    const was = JSON.stringify({ assigneeId: null, state: "open" });
    const change = (fields: Record<string, string>) =>
      submit(path, { intent: "updateChat", id: chatId, was, ...fields }, token);
    const patch = (json: object) => call(`/api/chat/${chatId}`, { method: "PATCH", json, token: theos });
    await patch({ assigneeId: theo.id });
    const assigned = await change({ assigneeId: "" });
    expect(assigned.status).toBe(409);
    expect(await assigned.text()).toContain("Theo has just assigned this chat to Theo.");
    await patch({ state: "closed" });
    const closed = await change({ state: "closed" });
    expect([closed.status, (await closed.text()).includes("Theo has just closed this chat.")]).toEqual([
      409,
      true,
    ]);
    await postMessage(chatId, "One more thing", { cookie });
    const late = await call(`/api/chat/${chatId}`, {
      method: "PATCH",
      json: { state: "open", was: { state: "closed" } },
      token,
    });
    expect(await late.json()).toMatchObject({
      message: "The visitor has just written, which reopened this chat.",
    });
    const { assigneeId } = (await (await patch({})).json()) as { assigneeId: string };
    expect(assigneeId).toBe(theo.id);
  });
});

describe("the reply form without JavaScript", () => {
  it("stores a repeated POST once", async () => {
    const token = await staffToken();
    const { chatId } = await startChat({ initialMessage: "Hello" });
    const html = await (await call(`/admin/chat?chat=${chatId}`, { token })).text();
    const [, id = ""] = /class="reply-form".*?name="id" value="([^"]+)"/s.exec(html) ?? [];
    const fields = { intent: "send", chatId, message: "Good morning", id };
    for (const _ of [1, 2])
      expect((await submit(`/admin/chat?chat=${chatId}`, fields, token)).status).toBe(303);
    const texts = (await messagesOf(chatId, { token })).map(({ message }) => message);
    expect(texts.filter((text) => text === "Good morning")).toHaveLength(1);
  });

  it("leaves a chat unread while another tab of the console covers it", async () => {
    const token = await staffToken();
    const { chatId } = await startChat({ initialMessage: "Hello" });
    await call(`/admin/chat?tab=settings&chat=${chatId}`, { token });
    expect(await (await call("/api/chat?limit=1", { token })).json()).toMatchObject([
      { id: chatId, unreadCount: 1 },
    ]);
  });
});

it("requests at the same time after a closed chat open one, with the messages of all", async () => {
  const token = await staffToken();
  const closed = await startChat({ initialMessage: "Hello" });
  await call(`/api/chat/${closed.chatId}`, { method: "PATCH", json: { state: "closed" }, token });
  const says = (initialMessage: string) => startChat({ initialMessage, continue: true }, closed);
  const started = await Promise.all(["One", "One", "Two", "One"].map(says));
  const [chatId = "", ...others] = new Set(started.map((each) => each.chatId));
  expect([chatId === closed.chatId, others]).toEqual([false, []]);
  const said = (await messagesOf(chatId, { token })).filter(({ isFromAdmin }) => !isFromAdmin);
  expect(new Set(said.map(({ message }) => message))).toEqual(new Set(["One", "Two"]));
});
