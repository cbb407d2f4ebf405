import { describe, expect, it } from "vitest";
import { staffToken, startChat } from "../support/chat";
import { connect } from "../support/live";
import { addUser, call, cookiesOf, openSession } from "../support/shop";

const asked = (cookie?: string) =>
  startChat({ initialMessage: "Is it there today?", continue: true }, cookie ? { cookie } : {});

const introduce = (chatId: string, json: object, by: { cookie?: string; token?: string }) =>
  call(`/chat/${chatId}/details`, { method: "PATCH", json, ...by });

const post = (chatId: string, fields: Record<string, string>, cookie: string) =>
  call(`/chat/${chatId}`, {
    body: new URLSearchParams(fields),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    cookie,
  });

/** Reads the chat in the console's list. */
async function listed(chatId: string) {
  const chats = (await (await call("/api/chat", { token: await staffToken() })).json()) as { id: string }[];
  return chats.find(({ id }) => id === chatId);
}

describe("what a visitor tells of themselves after the first message", () => {
  it("names the chat in the console, at once and in the list, and lets mails reach them", async () => {
    const { chatId, cookie } = await asked();
    const console = await connect("?room=admin", { Authorization: `Bearer ${await staffToken()}` });
    const address = await introduce(chatId, { userEmail: " ines@mail.example " }, { cookie });
    expect(await address.json()).toMatchObject({ userEmail: "ines@mail.example", userName: "New Customer" });
    const name = await introduce(chatId, { userName: "Ines" }, { cookie });
    expect(await name.json()).toMatchObject({ userEmail: "ines@mail.example", userName: "Ines" });
    await console.waitForEvent(
      "chat-updated",
      ({ chat }) => (chat as { userName: string }).userName === "Ines",
    );
    expect(await listed(chatId)).toMatchObject({
      userName: "Ines",
      userEmail: "ines@mail.example",
      isAnonymous: false,
    });
  });

  it("is stored once: the same again changes nothing, another value is refused", async () => {
    const { chatId, cookie } = await asked();
    const ines = { userName: "Ines", userEmail: "ines@mail.example" };
    expect((await introduce(chatId, ines, { cookie })).status).toBe(200);
    expect((await introduce(chatId, { ...ines, userEmail: "INES@mail.example" }, { cookie })).status).toBe(
      200,
    );
    const renamed = await introduce(chatId, { userName: "Support" }, { cookie });
    expect([renamed.status, await renamed.json()]).toMatchObject([
      409,
      { message: "This conversation has a name already." },
    ]);
    const moved = await introduce(chatId, { userEmail: "eve@mail.example" }, { cookie });
    expect([moved.status, await moved.json()]).toMatchObject([
      409,
      { message: "This conversation has an email address already." },
    ]);
    expect(await listed(chatId)).toMatchObject(ines);
  });

  it("is refused with a reason when it is empty, malformed or the shop's own name", async () => {
    const { chatId, cookie } = await asked();
    const reason = async (json: object) => {
      const answer = await introduce(chatId, json, { cookie });
      const { details } = (await answer.json()) as { details: { path: string; message: string }[] };
      return [answer.status, details[0]?.path, details[0]?.message];
    };
    expect(await reason({})).toEqual([400, "userEmail", "Enter an email address, or skip"]);
    expect(await reason({ question: "userName", userName: "  " })).toEqual([
      400,
      "userName",
      "Enter a name, or skip",
    ]);
    for (const userEmail of ["ines", "a@b", "a@b.example\nBcc: c@d.example"])
      expect(await reason({ userEmail })).toEqual([
        400,
        "userEmail",
        expect.stringMatching(/valid|not allowed/),
      ]);
    for (const userName of ["Support Team", "Suррort Tеam", "Emporia"])
      expect(await reason({ userName })).toEqual([400, "userName", "Please choose another name"]);
    expect((await reason({ userName: "see https://a.example" }))[0]).toBe(400);
    expect((await reason({ userName: "a".repeat(101) }))[0]).toBe(400);
    expect(await listed(chatId)).toMatchObject({ userName: "New Customer", userEmail: "" });
  });

  it("is accepted from the chat's own visitor only, also for an unknown chat", async () => {
    const { chatId, cookie } = await asked();
    const other = await asked();
    const { id } = await addUser();
    const callers = [
      {},
      { cookie: other.cookie },
      { token: await openSession(id) },
      { token: await staffToken() },
    ];
    for (const caller of callers)
      expect((await introduce(chatId, { userName: "Eve" }, caller)).status).toBe(403);
    expect((await introduce("no-such-chat", { userName: "Eve" }, { cookie })).status).toBe(403);
    expect(await listed(chatId)).toMatchObject({ userName: "New Customer" });
  });
});

describe("the questions on a chat's page without JavaScript", () => {
  const pageOf = async (chatId: string, cookie: string) => (await call(`/chat/${chatId}`, { cookie })).text();

  it("stand after the first message, one at a time, until they are answered", async () => {
    const { chatId, cookie } = await asked();
    expect(await pageOf(chatId, cookie)).toContain("Where shall we reach you?");
    const refused = await post(
      chatId,
      { intent: "introduce", question: "userEmail", userEmail: "ines" },
      cookie,
    );
    const html = await refused.text();
    expect(refused.status).toBe(400);
    expect(html).toMatch(/id="introduction-error">.*Please enter a valid email address/);
    expect(html).toMatch(/name="userEmail"[^>]*value="ines"/);
    const saved = await post(chatId, { intent: "introduce", userEmail: "ines@mail.example" }, cookie);
    expect(saved.status).toBe(303);
    const next = await pageOf(chatId, cookie);
    expect(next).not.toContain("Where shall we reach you?");
    expect(next).toContain("What name shall we put on it?");
    await post(chatId, { intent: "introduce", question: "userName", userName: "Ines" }, cookie);
    expect(await pageOf(chatId, cookie)).not.toContain("What name shall we put on it?");
  });

  it("can be skipped, in this chat alone", async () => {
    const { chatId, cookie } = await asked();
    const skip = async (question: string, cookies: string) => {
      const answer = await post(chatId, { intent: "skip", question }, cookies);
      expect(answer.status).toBe(303);
      expect(answer.headers.get("Set-Cookie")).toContain(`Path=/chat/${chatId};`);
      return `${cookie}; ${cookiesOf(answer)}`;
    };
    const once = await skip("userEmail", cookie);
    expect(await pageOf(chatId, once)).toContain("What name shall we put on it?");
    const twice = await pageOf(chatId, await skip("userName", once));
    expect(twice).not.toMatch(/Where shall we reach you\?|What name shall we put on it\?/);
    expect((await post(chatId, { intent: "skip", question: "phone" }, cookie)).status).toBe(400);
  });

  it("do not stand before a message, and not for staff", async () => {
    const empty = await startChat({});
    expect(await pageOf(empty.chatId, empty.cookie)).not.toContain("Where shall we reach you?");
    const { chatId } = await asked();
    const html = await (await call(`/chat/${chatId}`, { token: await staffToken() })).text();
    expect(html).not.toContain("Where shall we reach you?");
  });
});
