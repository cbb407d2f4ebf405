import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { messagesOf, postMessage, staffToken, startChat } from "../support/chat";
import { decoded, fileKeysInBucket, pdfFile, postFiles } from "../support/chat-files";
import { addProduct, call, cookiesOf } from "../support/shop";

let visitor: Awaited<ReturnType<typeof startChat>>;
beforeEach(async () => {
  visitor = await startChat({ userName: "Ines" });
});

/** Keys of this chat's files in the bucket. */
const stored = async () => (await fileKeysInBucket()).filter((key) => key.includes(visitor.chatId));

describe("files of a message that starts or continues a chat", () => {
  const countChats = async () =>
    (await env.DB.prepare("SELECT count(*) AS n FROM chats").first<{ n: number }>())?.n;
  const create = (files: File[], fields: Record<string, string>, cookie = "") => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    for (const file of files) form.append("files", file);
    return call("/api/chat/create", { body: form, cookie });
  };
  /** A picture whose header is valid and whose pixels are not. */
  const broken = () => {
    const png = decoded("alphaPng");
    png.fill(7, 60, png.length - 20);
    return new File([png], "broken.png");
  };
  const files = () => [pdfFile("fine.pdf"), broken()];

  it("are stored with it in one message, once when it is repeated", async () => {
    const sent = { initialMessage: "See this", continue: "true" };
    for (let times = 0; times < 2; times++)
      expect((await create([pdfFile("a.pdf")], sent, visitor.cookie)).status).toBe(201);
    const messages = (await messagesOf(visitor.chatId, visitor)).filter(({ isFromAdmin }) => !isFromAdmin);
    expect(messages.map(({ message }) => message)).toEqual(["See this\nAttached: a.pdf"]);
    expect(await stored()).toHaveLength(1);
  });

  it("start and continue no chat when one of them is rejected", async () => {
    const [before, chats, keys] = [
      await messagesOf(visitor.chatId, visitor),
      await countChats(),
      await fileKeysInBucket(),
    ];
    expect((await create(files(), { initialMessage: "Lost?" })).status).toBe(400);
    const continued = { initialMessage: "Lost?", continue: "true" };
    expect((await create(files(), continued, visitor.cookie)).status).toBe(400);
    expect(await messagesOf(visitor.chatId, visitor)).toEqual(before);
    expect([await countChats(), await fileKeysInBucket()]).toEqual([chats, keys]);
  });

  it("reject the message above the daily limit, and leave no file", async () => {
    const room = env.CHAT_ROOM.getByName(visitor.chatId);
    const card = (at: number) => ({
      type: "file" as const,
      key: `chats/2026-01-01/${visitor.chatId}/${String(at).padStart(32, "0")}-${"0".repeat(16)}`,
      name: "a.pdf",
      contentType: "application/pdf",
      size: 1,
    });
    const cards = Array.from({ length: 50 }, (_, at) => card(at));
    await room.post({ id: undefined, message: "Files", isFromAdmin: false, senderName: "", cards });
    const before = await messagesOf(visitor.chatId, visitor);
    const answer = await create(
      [pdfFile("51.pdf")],
      { initialMessage: "One more", continue: "true" },
      visitor.cookie,
    );
    expect(answer.status).toBe(429);
    expect(await messagesOf(visitor.chatId, visitor)).toEqual(before);
    expect(await stored()).toEqual([]);
  });

  it("are no animations that cannot be decoded", async () => {
    const gif = decoded("animatedGif");
    // The data of the first frame, after its descriptor.
    const frame = gif.indexOf(0x2c);
    gif.fill(0xff, frame + 12, frame + 14);
    const answer = await postFiles(visitor, [new File([gif], "broken.gif")]);
    expect([answer.status, await stored()]).toEqual([400, []]);
  });
});

describe("the forms of /cart and /chat, submitted twice without a chat", () => {
  const submit = (path: string, fields: Record<string, string>, cookie: string) =>
    call(path, {
      body: new URLSearchParams(fields),
      headers: { "Content-Type": "application/x-www-form-urlencoded", "CF-Connecting-IP": "2001:db8:3::1" },
      cookie,
    });
  const keysIn = async (path: string, cookie: string) =>
    [...(await (await call(path, { cookie })).text()).matchAll(/name="key" value="([\da-f]{32})"/g)].map(
      ([, key = ""]) => key,
    );

  it("start one chat", async () => {
    const added = await submit("/cart", { intent: "add", id: await addProduct(), quantity: "1" }, "");
    const cookie = cookiesOf(added);
    const forms: { path: string; action: string; fields: Record<string, string> }[] = [
      { path: "/cart", action: "/cart", fields: { intent: "chat" } },
      { path: "/chat", action: "/chat?index", fields: { intent: "start", initialMessage: "Hello" } },
    ];
    for (const { path, action, fields } of forms) {
      const [key = ""] = await keysIn(path, cookie);
      expect(key).toHaveLength(32);
      const press = () => submit(action, { ...fields, key }, cookie);
      const answers = await Promise.all([press(), press()]);
      const chats = answers.map(({ headers }) => headers.get("Location"));
      expect(chats[0]).toMatch(/^\/chat\/[\w-]+$/);
      expect(chats[1]).toBe(chats[0]);
    }
  });
});

describe("the key of a form", () => {
  const key = () => crypto.randomUUID().replaceAll("-", "");
  const createdAgo = (chatId: string, seconds: number) =>
    runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) => {
      storage.sql.exec("UPDATE chat SET created_at = created_at - ?", seconds);
    });

  it("starts one chat again after the first was closed", async () => {
    const start = { initialMessage: "Hello", key: key() };
    const { chatId } = await startChat(start);
    const token = await staffToken();
    await call(`/api/chat/${chatId}`, { method: "PATCH", json: { state: "closed" }, token });
    const again = await Promise.all([startChat(start), startChat(start), startChat(start)]);
    const ids = new Set(again.map((one) => one.chatId));
    expect([ids.size, ids.has(chatId)]).toEqual([1, false]);
  });

  it("finds the chat of a message that is sent again within a day", async () => {
    const start = { initialMessage: "Hello", key: key() };
    const { chatId, cookie } = await startChat(start);
    await evictAfter(chatId, 3600);
    expect((await startChat(start)).chatId).toBe(chatId);
    const asked = (await messagesOf(chatId, { cookie })).filter(({ isFromAdmin }) => !isFromAdmin);
    expect(asked.map(({ message }) => message)).toEqual(["Hello"]);
    await evictAfter(chatId, 24 * 3600);
    expect((await startChat(start)).chatId).not.toBe(chatId);
  });

  it("belongs to one start: other content is refused, and opens nothing", async () => {
    const productId = await addProduct();
    const start = { initialMessage: "Hello", key: key() };
    const { chatId, cookie } = await startChat(start);
    const others = [
      { ...start, initialMessage: "Another" },
      { ...start, initialMessage: "Another", continue: true },
      { ...start, productId },
      { ...start, userName: "Ines" },
      { ...start, userEmail: "ines@mail.example" },
      { key: start.key },
    ];
    for (const other of others) {
      const { answer } = await startChat(other);
      expect([answer.status, cookiesOf(answer)]).toEqual([409, ""]);
    }
    await postMessage(chatId, "An answer", { token: await staffToken() });
    const again = await startChat(start);
    expect([again.answer.status, again.chatId]).toEqual([201, chatId]);
    const said = (await messagesOf(chatId, { cookie })).filter(({ isFromAdmin }) => !isFromAdmin);
    expect(said.map(({ message }) => message)).toEqual(["Hello"]);
  });

  it("belongs to one start also without a message", async () => {
    const [lamp, mug] = [await addProduct(), await addProduct()];
    for (const continued of [{}, { continue: true }]) {
      const start = { productId: lamp, key: key(), ...continued };
      const { chatId } = await startChat(start, visitor);
      const [again, other] = [
        await startChat(start, visitor),
        await startChat({ ...start, productId: mug }, visitor),
      ];
      expect([again.chatId, other.answer.status]).toEqual([chatId, 409]);
    }
  });

  it("gets the same answer after the product is deleted", async () => {
    const start = { productId: await addProduct({ stock: 0 }), initialMessage: "Is it oiled?", key: key() };
    const { chatId } = await startChat(start);
    await env.DB.prepare("DELETE FROM products WHERE id = ?").bind(start.productId).run();
    expect((await startChat(start)).chatId).toBe(chatId);
  });

  it("belongs to one start also where it continues a chat", async () => {
    const start = { initialMessage: "Is it waterproof?", key: key(), continue: true };
    const sent = () => startChat(start, visitor);
    expect((await sent()).chatId).toBe(visitor.chatId);
    await postMessage(visitor.chatId, "It is.", { token: await staffToken() });
    const newer = await startChat({ initialMessage: "Hello" }, visitor);
    const cookie = `${newer.cookie}`;
    const [again, other] = [
      await startChat(start, { cookie }),
      await startChat({ ...start, initialMessage: "Is it red?" }, { cookie }),
    ];
    const named = await startChat({ ...start, userEmail: "ines@mail.example" }, { cookie });
    expect(named.answer.status).toBe(409);
    expect([again.chatId, other.answer.status]).toEqual([visitor.chatId, 409]);
    const said = (await messagesOf(visitor.chatId, visitor)).filter(({ isFromAdmin }) => !isFromAdmin);
    expect(said.map(({ message }) => message)).toEqual([start.initialMessage]);
    expect((await messagesOf(newer.chatId, newer)).some(({ message }) => message === "Is it red?")).toBe(
      false,
    );
  });

  it("is known in the chat that it continued, however many the visitor has opened since", async () => {
    const start = { initialMessage: "Is it oak?", key: key(), continue: true };
    expect((await startChat(start, visitor)).chatId).toBe(visitor.chatId);
    let { cookie } = visitor;
    for (const initialMessage of ["Hello", "And this?", "One more", "The last"])
      cookie = (await startChat({ initialMessage }, { cookie })).cookie ?? cookie;
    const again = await startChat(start, { cookie });
    expect(again.chatId).toBe(visitor.chatId);
    const said = await messagesOf(visitor.chatId, visitor);
    expect(said.filter(({ message }) => message === start.initialMessage)).toHaveLength(1);
  });

  it("belongs to the chat that it opened when it is sent again to continue", async () => {
    const start = { initialMessage: "Hello", key: key(), continue: true };
    const { chatId, cookie } = await startChat(start);
    await postMessage(chatId, "An answer", { token: await staffToken() });
    const [again, other] = [
      await startChat(start, { cookie }),
      await startChat({ ...start, initialMessage: "Another" }, { cookie }),
    ];
    expect([again.chatId, other.answer.status]).toEqual([chatId, 409]);
    const said = (await messagesOf(chatId, { cookie })).filter(({ isFromAdmin }) => !isFromAdmin);
    expect(said.map(({ message }) => message)).toEqual(["Hello"]);
  });

  it("is refused by forms as well, with the way on; a blank one counts as missing", async () => {
    const forms: { path: string; fields: Record<string, string> }[] = [
      { path: "/chat?index", fields: { intent: "start", initialMessage: "Hello" } },
      { path: "/chat?index", fields: { intent: "product", id: await addProduct(), quantity: "1" } },
    ];
    for (const [at, { path, fields }] of forms.entries()) {
      const submit = (invalid: string) =>
        call(path, {
          body: new URLSearchParams({ ...fields, key: invalid }),
          headers: {
            "Content-Type": "application/x-www-form-urlencoded",
            "CF-Connecting-IP": `2001:db8:5::${at}`,
          },
        });
      const refused = await submit("short");
      expect([refused.status, await refused.text()]).toEqual([
        400,
        expect.stringContaining("This page is out of date. Please reload it and send the form again."),
      ]);
      expect((await submit("")).headers.get("Location")).toMatch(/^\/chat\/[\w-]+$/);
    }
  });

  it.each(["short", "", 5, {}, "0".repeat(33)])("is refused where it is %j", async (invalid) => {
    const answer = await call("/api/chat/create", {
      json: { initialMessage: "Hello", key: invalid },
      headers: { "CF-Connecting-IP": "2001:db8:4::2" },
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ details: [{ path: "key" }] });
  });

  it("of a form that is filled anew starts another chat", async () => {
    const fields = { intent: "start", key: key() };
    const submit = async (initialMessage: string) => {
      const answer = await call("/chat?index", {
        body: new URLSearchParams({ ...fields, initialMessage }),
        headers: { "Content-Type": "application/x-www-form-urlencoded", "CF-Connecting-IP": "2001:db8:4::1" },
      });
      return answer.headers.get("Location");
    };
    const first = await submit("Hello");
    expect(await submit("Hello")).toBe(first);
    expect(await submit("Another")).toMatch(/^\/chat\/[\w-]+$/);
    expect(await submit("Another")).not.toBe(first);
  });

  async function evictAfter(chatId: string, seconds: number): Promise<void> {
    await createdAgo(chatId, seconds);
    await evictDurableObject(env.CHAT_ROOM.getByName(chatId));
  }
});

describe("Ask us", () => {
  it("leads to the chat that is continued, else to the start form", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    const asked = async () => ({
      page: (await call("/chat?ask", { cookie })).headers.get("Location"),
      panel: await (await call("/chat/latest", { cookie })).json(),
    });
    expect(await asked()).toEqual({ page: `/chat/${chatId}`, panel: { chatId } });
    await env.DB.prepare("UPDATE chats SET last_message_at = last_message_at - ?")
      .bind(31 * 24 * 3600 * 1000)
      .run();
    expect(await asked()).toEqual({ page: null, panel: { chatId: null } });
    await postMessage(chatId, "Still there?", { cookie });
    await expect.poll(asked).toEqual({ page: `/chat/${chatId}`, panel: { chatId } });
    await env.CHAT_ROOM.getByName(chatId).update({ state: "closed", by: "Theo" });
    expect(await asked()).toEqual({ page: null, panel: { chatId: null } });
    await env.DB.prepare("UPDATE chats SET state = 'open'").run();
    expect(await asked()).toEqual({ page: null, panel: { chatId: null } });
    await postMessage(chatId, "A last answer", { token: await staffToken() });
    await expect.poll(asked).toEqual({ page: `/chat/${chatId}`, panel: { chatId } });
    await call(`/chat/${chatId}`, { cookie });
    await expect.poll(asked).toEqual({ page: null, panel: { chatId: null } });
  });
});

describe("requests without a reader", () => {
  it("mark nothing as read: HEAD, a prefetch, an image", async () => {
    const token = await staffToken();
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    await postMessage(chatId, "An answer", { token });
    const room = env.CHAT_ROOM.getByName(chatId);
    const marks = async () => (await room.history(0, "staff"))?.reads;
    const before = await marks();
    const mailed = () =>
      runInDurableObject(room, (_, { storage }) =>
        storage.sql.exec<{ seq: number }>("SELECT mailed_seq AS seq FROM chat").one(),
      ).then(({ seq }) => seq);
    const unseen: { method?: string; headers?: Record<string, string> }[] = [
      { method: "HEAD" },
      { headers: { "Sec-Purpose": "prefetch" } },
      { headers: { "Sec-Fetch-Dest": "image" } },
    ];
    for (const request of unseen) {
      expect((await call(`/chat/${chatId}`, { ...request, cookie })).status).toBe(200);
      expect((await call(`/admin/chat?chat=${chatId}`, { ...request, token })).status).toBe(200);
    }
    expect(await marks()).toEqual(before);
    expect(await mailed()).toBe(0);
    await call(`/chat/${chatId}`, { cookie });
    await call(`/admin/chat?chat=${chatId}`, { token });
    const after = await marks();
    expect(await mailed()).toBeGreaterThan(0);
    expect(after?.visitor).not.toEqual(before?.visitor);
    expect(after?.staff).not.toEqual(before?.staff);
  });
});

describe("messages that continue a chat", () => {
  it("keep the limit of 30 messages in 10 seconds", async () => {
    const { chatId, cookie } = visitor;
    for (let at = 0; at < 30; at++) await postMessage(chatId, `${at}`, { cookie });
    const before = await messagesOf(chatId, visitor);
    const { answer } = await startChat({ initialMessage: "One more", continue: true }, { cookie });
    expect([answer.status, answer.headers.has("Retry-After")]).toEqual([429, true]);
    expect(await messagesOf(chatId, visitor)).toEqual(before);
  });
});
