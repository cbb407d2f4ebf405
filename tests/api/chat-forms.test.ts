import { describe, expect, it } from "vitest";
import { messagesOf, postMessage, startChat } from "../support/chat";
import { addProduct, addUser, call, cookiesOf, openSession } from "../support/shop";

describe("the forms of a chat", () => {
  const form = (fields: Record<string, string>) => ({
    body: new URLSearchParams(fields),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });

  it("report a message's error at its field and keep the text", async () => {
    const { chatId, cookie } = await startChat({});
    const blank = await call(`/chat/${chatId}`, { ...form({ intent: "write", message: "  " }), cookie });
    const html = await blank.text();
    expect(blank.status).toBe(400);
    expect(html).toMatch(/<p class="error" id="write-error">.*Message is required<\/p>/);
    expect(html).not.toContain("Validation error");
    const long = "a".repeat(2001);
    const cut = await call(`/chat/${chatId}`, { ...form({ intent: "write", message: long }), cookie });
    const told = await cut.text();
    expect(told).toContain("Must be at most 2,000 characters");
    expect(told).toContain(long);
  });

  it("greet before the first message, and not after it, whether a chat is continued or another begins", async () => {
    const greeting = "Tell us what you have your eye on";
    const bubble = new RegExp(`bubble-soft">[^<]*${greeting}`);
    expect(await (await call("/chat")).text()).toMatch(bubble);
    const about = await (await call(`/chat?product=${await addProduct()}`)).text();
    expect(about).toContain("Welcome! Please enter your details");
    expect(about).not.toMatch(bubble);
    for (const continues of ["true", "false"]) {
      const started = await call("/chat?index", {
        ...form({ intent: "start", initialMessage: "Do you wrap gifts?", continue: continues }),
        cookie: "theme=none",
      });
      expect(started.status).toBe(303);
      const page = await call(started.headers.get("Location") ?? "", { cookie: cookiesOf(started) });
      const html = await page.text();
      expect(html).toContain("Do you wrap gifts?");
      expect(html).not.toMatch(new RegExp(`chat-bubble">[^<]*${greeting}`));
    }
  });

  it("name staff by who writes, and the shop's own words by the team", async () => {
    const { id } = await addUser({ firstName: "Maren", isManager: true });
    const token = await openSession(id);
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    await postMessage(chatId, "Good morning.", { token });
    const html = await (await call(`/chat/${chatId}`, { cookie })).text();
    expect(html.match(/class="chat-author"><span>[^<]*/g)).toEqual([
      expect.stringMatching(/>Support Team/),
      expect.stringMatching(/>You/),
      expect.stringMatching(/>Maren, Support Team/),
    ]);
    expect((await messagesOf(chatId, { cookie })).map(({ senderName }) => senderName)).toEqual([
      "Support Team",
      "New Customer",
      "Support Team",
    ]);
  });

  it("keep a message whose id is taken, under a new id", async () => {
    const { chatId, cookie } = await startChat({});
    const sent = (message: string, id: string) =>
      call(`/chat/${chatId}`, { ...form({ intent: "write", message, id }), cookie });
    expect((await sent("First", "draft-1")).status).toBe(303);
    expect((await sent("First", "draft-1")).status).toBe(303);
    const refused = await sent("Second", "draft-1");
    const html = await refused.text();
    expect(refused.status).toBe(409);
    expect(html).toContain("This message was not sent. Please send it again.");
    expect(html).toMatch(/<textarea[^>]*>Second<\/textarea>/);
    const [, nextId = ""] = /name="id" value="([^"]+)"/.exec(html) ?? [];
    expect(nextId).not.toBe("draft-1");
    expect((await sent("Second", nextId)).status).toBe(303);
    const messages = await messagesOf(chatId, { cookie });
    expect(messages.slice(1).map(({ message }) => message)).toEqual(["First", "Second"]);
  });

  it("display times in the shop's time zone with its name", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "When?" });
    const html = await (await call(`/chat/${chatId}`, { cookie })).text();
    expect(html).toMatch(/<time dateTime="[^"]+Z">\d\d:\d\d E[SD]T<\/time>/);
    expect(html).not.toMatch(/UTC<\/time>/);
  });

  it("of the console are for staff, also in a visitor's own chat", async () => {
    const customer = await addUser();
    const session = cookiesOf(await call("/api/auth/login", { json: customer }));
    const { chatId, cookie } = await startChat({}, { cookie: session });
    const sent = form({ intent: "send", chatId, message: "By the back door" });
    const own = await call("/admin/chat", { ...sent, cookie });
    expect([own.status, own.headers.get("Location")]).toEqual([303, "/login?redirectTo=%2Fadmin%2Fchat"]);
    const signedIn = await call("/admin/chat", { ...sent, cookie: `${cookie}; ${session}` });
    expect([signedIn.status, signedIn.headers.get("Location")]).toEqual([303, "/unauthorized"]);
    expect(await messagesOf(chatId, { cookie: `${cookie}; ${session}` })).toHaveLength(1);
  });

  it("ask visitors for name and address, but nobody whose account has them", async () => {
    const session = cookiesOf(await call("/api/auth/login", { json: await addUser() }));
    const fields = /Your (?:name|email) \(optional\)/;
    expect(await (await call("/chat?new")).text()).toMatch(fields);
    expect(await (await call("/chat?new", { cookie: session })).text()).not.toMatch(fields);
  });

  it("redirect customers, but not staff, to the account's latest chat", async () => {
    const roles = [{}, { isManager: true }, { isAdmin: true }];
    const statuses = [];
    for (const role of roles) {
      const session = cookiesOf(await call("/api/auth/login", { json: await addUser(role) }));
      await startChat({}, { cookie: session });
      statuses.push((await call("/chat?ask", { cookie: session })).status);
    }
    expect(statuses).toEqual([302, 200, 200]);
  });
});
