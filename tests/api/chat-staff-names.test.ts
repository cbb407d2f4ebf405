import { beforeEach, describe, expect, it } from "vitest";
import { messagesOf, postMessage, startChat } from "../support/chat";
import { connect } from "../support/live";
import { addUser, call, openSession } from "../support/shop";

const staff = async (firstName: string) => openSession((await addUser({ firstName, isManager: true })).id);

const save = async (settings: Record<string, string>) =>
  call("/api/chat/settings", { method: "PATCH", json: settings, token: await staff("Ada") });

/** Returns the names above the messages of a chat's page, and the name in its head. */
async function namesOn(chatId: string, cookie: string) {
  const html = await (await call(`/chat/${chatId}`, { cookie })).text();
  const head = /<header class="chat-head">.*?<p>(.*?)<\/p>/s.exec(html)?.[1] ?? "";
  const authors = [...html.matchAll(/class="chat-author"><span>([^<]*)/g)].map(([, name = ""]) => name);
  return { authors: authors.filter((name) => name !== "You"), head: head.replace(/<!-- -->.*/s, "") };
}

/** Returns the writer of the last message in the list of the visitor's conversations. */
async function writerInList(cookie: string) {
  const html = await (await call("/chat", { cookie })).text();
  return /class="truncate"><b>([^<]*)/.exec(html)?.[1];
}

/** Starts a chat that Theo and Maren answer. */
async function answeredChat() {
  const { chatId, cookie } = await startChat({ initialMessage: "Hello", continue: true });
  await postMessage(chatId, "Good morning.", { token: await staff("Theo") });
  await postMessage(chatId, "And from me.", { token: await staff("Maren") });
  return { chatId, cookie };
}

describe("the name above staff's words", () => {
  beforeEach(async () => {
    await save({ answererName: "Maren", staffShownAs: "both" });
  });

  it("is of who writes, with the team; senders stay the team", async () => {
    const { chatId, cookie } = await answeredChat();
    expect(await namesOn(chatId, cookie)).toEqual({
      authors: ["Theo, Support Team", "Maren, Support Team"],
      head: "Maren, Support Team",
    });
    const messages = (await messagesOf(chatId, { cookie })).slice(1);
    expect(messages).toMatchObject([
      { senderName: "Support Team", authorName: "Theo" },
      { senderName: "Support Team", authorName: "Maren" },
    ]);
    for (const message of messages) expect(message).not.toHaveProperty("staffName");
  });

  it("is the first name, or the team, as the settings choose", async () => {
    const { chatId, cookie } = await answeredChat();
    expect((await save({ staffShownAs: "name" })).status).toBe(200);
    expect(await namesOn(chatId, cookie)).toEqual({ authors: ["Theo", "Maren"], head: "Maren" });
    await save({ staffShownAs: "team" });
    expect(await namesOn(chatId, cookie)).toEqual({
      authors: ["Support Team", "Support Team"],
      head: "Support Team",
    });
    expect((await save({ staffShownAs: "nobody" })).status).toBe(400);
  });

  it("in head and list is of who wrote last, of the settings' person before anybody has", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "Hello", continue: true });
    expect((await namesOn(chatId, cookie)).head).toBe("Maren, Support Team");
    const theo = await staff("Theo");
    await postMessage(chatId, "Good morning.", { token: theo });
    expect((await namesOn(chatId, cookie)).head).toBe("Theo, Support Team");
    await expect.poll(() => writerInList(cookie)).toBe("Theo, Support Team");
    await postMessage(chatId, "And from me.", { token: await staff("Maren") });
    expect((await namesOn(chatId, cookie)).head).toBe("Maren, Support Team");
    await expect.poll(() => writerInList(cookie)).toBe("Maren, Support Team");
    await postMessage(chatId, "Theo again.", { token: theo });
    await save({ staffShownAs: "team" });
    expect((await namesOn(chatId, cookie)).head).toBe("Support Team");
    await expect.poll(() => writerInList(cookie)).toBe("Support Team");
  });

  it("is not sent to visitors while they read the team alone", async () => {
    await save({ staffShownAs: "team" });
    const { chatId, cookie } = await startChat({ initialMessage: "Hello", continue: true });
    const visitor = await connect(`?chat=${chatId}`, { Cookie: cookie });
    const token = await staff("Theo");
    await postMessage(chatId, "Good morning.", { token });
    expect(await visitor.waitForEvent("new-message")).not.toHaveProperty("authorName");
    expect((await messagesOf(chatId, { cookie })).at(-1)).not.toHaveProperty("authorName");
    expect((await messagesOf(chatId, { token })).at(-1)).toMatchObject({ staffName: "Theo" });
    await save({ staffShownAs: "both" });
    await postMessage(chatId, "A second.", { token });
    expect((await messagesOf(chatId, { cookie })).at(-1)).toMatchObject({ authorName: "Theo" });
  });
});
