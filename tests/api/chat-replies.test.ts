import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { ChatMessage } from "~/features/chat/protocol";
import { messagesOf, postMessage, startChat, written } from "../support/chat";
import { pictureFile, postFiles } from "../support/chat-files";
import { formsIn, submit } from "../support/forms";
import { connect } from "../support/live";
import { answer, desk, mailsOf, VISITOR, withDesk } from "../support/mails";
import { person, problems } from "../support/people";
import { pressWith, unzipped } from "../support/personal-data";
import { call } from "../support/shop";

withDesk();

type By = { token?: string; cookie?: string };

/** Posts a message and returns it. */
const posted = async (...sent: Parameters<typeof postMessage>) =>
  (await (await postMessage(...sent)).json()) as ChatMessage;
const read = async (chatId: string, by: By) => (await messagesOf(chatId, by)) as unknown as ChatMessage[];

/** Starts a chat that the seller answers. */
async function talk(fields: Record<string, unknown> = {}) {
  const chat = await startChat({ initialMessage: "Is it oak?\nOr ash?", ...fields });
  const [question] = await written(chat.chatId, { token: desk.token });
  if (!question) throw new Error("The chat has no message.");
  return { ...chat, question };
}

describe("a reply to one message", () => {
  it("quotes it with its writer, in the answer, in lists and live, for both sides", async () => {
    const { chatId, cookie, question } = await talk({ userName: "Ines" });
    const visitor = await connect(`?chat=${chatId}`, { Cookie: cookie });
    const sent = await posted(chatId, "Oak.", desk, { replyTo: question.id });
    const quote = { id: question.id, isFromAdmin: false, senderName: "Ines", text: "Is it oak?" };
    expect(sent.replyTo).toEqual(quote);
    expect(await visitor.waitForEvent("new-message")).toMatchObject({ message: "Oak.", replyTo: quote });
    for (const by of [{ cookie }, desk])
      expect((await read(chatId, by)).at(-1)).toMatchObject({ message: "Oak.", replyTo: quote });
    const caughtUp = await connect(`?chat=${chatId}&after=${sent.seq - 1}`, { Cookie: cookie });
    expect(await caughtUp.waitForEvent("new-message")).toMatchObject({ replyTo: quote });
    const back = await posted(chatId, "Good", { cookie }, { replyTo: sent.id });
    expect(back.replyTo).toMatchObject({ id: sent.id, isFromAdmin: true, senderName: "Support Team" });
    expect(back.replyTo, "no quote of a quote, no colleague's name").not.toHaveProperty("replyTo");
    expect(JSON.stringify(await read(chatId, { cookie }))).not.toContain("staffName");
  });

  it("may quote a message of the shop, a file, and is stored once for its id", async () => {
    const { chatId, cookie } = await talk();
    const [greeting] = await read(chatId, { cookie });
    const id = crypto.randomUUID();
    const more = { id, replyTo: greeting?.id };
    const [one, other] = [
      await posted(chatId, "Hi", { cookie }, more),
      await posted(chatId, "Hi", { cookie }, more),
    ];
    expect(one.seq).toBe(other.seq);
    expect((await postMessage(chatId, "Hi", { cookie }, { id })).status, "without its quote").toBe(409);
    const file = await postFiles({ chatId, cookie }, [pictureFile("opaquePng", "a.png")], {
      replyTo: one.id,
    });
    expect(file.status).toBe(201);
    const { replyTo, id: fileId } = (await file.json()) as ChatMessage;
    expect(replyTo).toMatchObject({ id: one.id, text: "Hi" });
    expect((await posted(chatId, "This one", desk, { replyTo: fileId })).replyTo?.text).toContain("a.png");
  });

  it("shortens a long line, at whole characters", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "🙂".repeat(300) });
    const [first] = await written(chatId, { cookie });
    const { replyTo } = await posted(chatId, "Many", desk, { replyTo: first?.id });
    expect(replyTo?.text).toBe(`${"🙂".repeat(119)}…`);
  });

  it("is refused for a message of another chat, an unknown one and what is no id", async () => {
    const [mine, other] = [await talk(), await talk()];
    for (const replyTo of [other.question.id, "unknown", `${mine.chatId}:nothing`]) {
      const refused = await postMessage(mine.chatId, "Hm", mine, { replyTo });
      expect(refused.status, replyTo).toBe(404);
      expect(await refused.json()).toMatchObject({ message: "The message that you reply to was not found" });
    }
    for (const replyTo of [7, {}, ["x"], "x".repeat(201)]) {
      const refused = await postMessage(mine.chatId, "Hm", mine, { replyTo });
      expect(refused.status).toBe(400);
      expect((await problems(refused))[0]).toMatch(/^replyTo: /);
    }
    const files = await postFiles(mine, [pictureFile("opaquePng", "a.png")], { replyTo: other.question.id });
    expect(files.status).toBe(404);
    expect(
      (await env.BUCKET.list({ prefix: "chats/" })).objects.filter(({ key }) => key.includes(mine.chatId)),
    ).toEqual([]);
    expect(await written(mine.chatId, mine)).toHaveLength(1);
    for (const replyTo of ["", null])
      expect((await posted(mine.chatId, "Yes", mine, { replyTo })).replyTo).toBeUndefined();
  });

  it("says that its message is gone, and needs no message in rooms of before", async () => {
    const { chatId, cookie, question } = await talk();
    await posted(chatId, "Oak.", desk, { replyTo: question.id });
    await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) => {
      storage.sql.exec("DELETE FROM messages WHERE id = ?", question.id);
    });
    expect((await read(chatId, { cookie })).at(-1)?.replyTo).toEqual({
      ...{ id: question.id, isFromAdmin: false, senderName: "", text: "This message was deleted" },
    });
    const page = await (await call(`/chat/${chatId}`, { cookie })).text();
    expect(page).toMatch(/<a class="quote"[^>]*>[^<]*(?:<!-- -->)?[^<]*This message was deleted/);
  });

  it("is sent without JavaScript, by visitor and seller, and is kept when it is refused", async () => {
    const { chatId, cookie, question } = await talk();
    const [path, by] = [`/chat/${chatId}`, { cookie }];
    const page = await (await call(path, by)).text();
    expect(page).toContain(`href="${path}?reply=${question.id}#latest"`);
    const replying = await (await call(`${path}?reply=${question.id}`, by)).text();
    const form = formsIn(replying).find(({ fields }) => "replyTo" in fields);
    expect(form?.fields.replyTo).toBe(question.id);
    expect(replying).toContain("Don&#x27;t reply");
    const action = form?.action.replace(/#.*/, "") ?? "";
    const refused = await submit(action, { ...form?.fields, message: " ", intent: "write" }, by);
    expect(refused.status).toBe(400);
    expect(formsIn(await refused.text()).find(({ fields }) => "replyTo" in fields)?.fields.replyTo).toBe(
      question.id,
    );
    const sent = await submit(action, { ...form?.fields, message: "Or elm?", intent: "write" }, by);
    expect([sent.status, sent.headers.get("Location")]).toEqual([303, path]);
    expect((await read(chatId, by)).at(-1)).toMatchObject({
      message: "Or elm?",
      replyTo: { id: question.id },
    });
    const console = await (await call(`/admin/chat?chat=${chatId}&reply=${question.id}`, desk)).text();
    const reply = formsIn(console).find(({ fields }) => fields.replyTo === question.id);
    await submit(reply?.action ?? "", { ...reply?.fields, message: "Oak!", intent: "send" }, desk);
    expect((await read(chatId, desk)).at(-1)).toMatchObject({
      message: "Oak!",
      replyTo: { id: question.id },
    });
    const after = await (await call(path, by)).text();
    expect(after).toContain(`href="#m-${question.id}"`);
    expect(after).toContain(`id="m-${question.id}"`);
    const other = await talk();
    const foreign = await (await call(`${path}?reply=${other.question.id}`, by)).text();
    expect(formsIn(foreign).some(({ fields }) => "replyTo" in fields)).toBe(false);
  });

  it("stands in mails, the download and webhooks' data, and goes with the chat", async () => {
    const { chatId, question } = await talk(VISITOR);
    await postMessage(chatId, "Oak it is.", { token: desk.token }, { replyTo: question.id });
    const mail = (await mailsOf(chatId, desk.sent)).find(({ to }) => to === VISITOR.userEmail);
    expect(mail?.raw).toMatch(/Reply to .*Is it oak\?/);
    const plain = await answer(chatId);
    expect(plain?.raw).not.toContain("Reply to =E2=80=9C");
    const ines = await person();
    const own = await talk();
    await env.CHAT_ROOM.getByName(own.chatId).attach({
      userId: ines.id,
      userName: "Ines",
      userEmail: ines.email,
    });
    await posted(own.chatId, "Ash", desk, { replyTo: own.question.id });
    const to = (await pressWith(ines, /^Download my data$/)).headers.get("Location") ?? "";
    const files = await unzipped(await call(to, ines));
    const chat = Object.entries(files).find(([name]) => name.includes(own.chatId))?.[1] ?? "{}";
    const { messages } = JSON.parse(chat) as { messages: ChatMessage[] };
    expect(messages.at(-1)?.replyTo).toMatchObject({ id: own.question.id, text: "Is it oak?" });
  });
});
