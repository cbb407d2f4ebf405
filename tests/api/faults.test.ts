import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type messagesOf, postMessage, runTasks, staffToken, startChat, written } from "../support/chat";
import {
  decoded,
  fileKeysInBucket,
  fileOf,
  pdfFile,
  pictureFile,
  posted,
  postFiles,
} from "../support/chat-files";
import { failD1 } from "../support/failing-d1";
import { press } from "../support/forms";
import { connect } from "../support/live";
import { person } from "../support/people";
import { sold } from "../support/sales";
import { addProduct, call, cookiesOf, storeImages } from "../support/shop";

// The table in docs/operations.md ("What people see when something fails") names these tests.

const OVERLOADED = "D1_ERROR: D1 DB is overloaded. Requests queued for too long.";
const R2_AWAY = "We encountered an internal error. Please try again. (10001)";
const TRY_AGAIN = /try again/i;

const roomOf = (chatId: string) => env.CHAT_ROOM.getByName(chatId);

const texts = async (...request: Parameters<typeof messagesOf>) =>
  (await written(...request)).map(({ message }) => message);

/** Expects an answer that says to try again, and returns its body. */
async function unavailable(answer: Response): Promise<string> {
  expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "1"]);
  const body = await answer.text();
  expect(body).toMatch(TRY_AGAIN);
  expect(body, "no inner text").not.toMatch(/D1_|overloaded|1000\d|sqlite|stack/i);
  return body;
}

let token: string;

beforeEach(async () => {
  vi.spyOn(env.MAIL, "send").mockResolvedValue({ messageId: "1" });
  vi.spyOn(console, "warn").mockReturnValue();
  token = await staffToken();
});

afterEach(() => vi.restoreAllMocks());

describe("D1", () => {
  it("overloaded for a moment: pages are read again and nobody notices", async () => {
    const id = await addProduct({ name: "Steady lamp" });
    failD1(OVERLOADED, 1);
    const answer = await call(`/products/${id}`, { cookie: "emporia_theme=light" });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("Steady lamp")]);
  });

  it("unavailable: pages and API say to try again, with a reference and without inner text", async () => {
    const id = await addProduct();
    failD1(OVERLOADED);
    const page = await call(`/products/${id}`, { cookie: "emporia_theme=light" });
    expect(page.status).toBe(503);
    const html = await page.text();
    expect(html).toContain(page.headers.get("X-Error-Reference"));
    expect(html).not.toMatch(/D1_|overloaded/i);
    const body = JSON.parse(await unavailable(await call("/api/product/all")));
    expect(body.reference).toMatch(/^\w\w-\w{4}-\w{3}$/);
  });

  it("unavailable: pages in the edge cache are still shown", async () => {
    await call("/terms");
    failD1(OVERLOADED);
    const answer = await call("/terms");
    expect([answer.status, answer.headers.get("X-Edge-Cache")]).toEqual([200, "hit"]);
  });

  it("failing while a form is saved: the page keeps what was typed and says to try again", async () => {
    const ines = await person();
    const html = await (await call("/account?edit=1", ines)).text();
    const away = failD1(OVERLOADED, 1, /^update/i);
    const answer = await press(html, /^Save Changes$/, { firstName: "Typed" }, ines);
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "1"]);
    const page = await answer.text();
    expect(page).toContain('value="Typed"');
    expect(page).toMatch(TRY_AGAIN);
    away.mockRestore();
    expect((await press(page, /^Save Changes$/, {}, ines)).status).toBe(303);
    expect(await (await call("/api/auth/me", ines)).json()).toMatchObject({ firstName: "Typed" });
  });

  it("unavailable: a visitor's message is stored and shown, and the console's list follows", async () => {
    const { chatId, cookie } = await startChat({ userName: "Ines", initialMessage: "One" });
    const visitor = await connect(`?chat=${chatId}`, { Cookie: cookie, Origin: "http://localhost:8787" });
    const away = failD1(OVERLOADED);
    const { seq } = await posted(await postMessage(chatId, "Two", { cookie }));
    await visitor.waitForEvent("new-message", ({ message }) => message === "Two");
    away.mockRestore();
    await runTasks(chatId);
    const last = env.DB.prepare("SELECT last_message FROM chats WHERE id = ?").bind(chatId);
    await expect.poll(() => last.first("last_message")).toBe("Two");
    expect((await written(chatId, { cookie })).at(-1)?.seq).toBe(seq);
  });
});

describe("R2", () => {
  it("unavailable: a picture answers 503 and is not cached, the product's page is whole", async () => {
    await storeImages("products/away.jpg");
    const id = await addProduct({ imageUrls: ["minio:products/away.jpg"] });
    vi.spyOn(env.BUCKET, "get").mockRejectedValue(new Error(R2_AWAY));
    const picture = await call("/api/storage/object?key=products/away.jpg");
    await unavailable(picture);
    expect(picture.headers.get("Cache-Control")).toBe("no-store");
    expect((await call(`/products/${id}`)).status).toBe(200);
  });

  it("unavailable: a message with a file is refused as a whole, and sent again it is stored once", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    const before = await fileKeysInBucket();
    const away = vi.spyOn(env.BUCKET, "put").mockRejectedValue(new Error(R2_AWAY));
    const files = [pdfFile("plan.pdf")];
    await unavailable(await postFiles({ chatId, cookie }, files, { id: "same-id", message: "My plan" }));
    expect(await texts(chatId, { cookie })).toEqual(["Hello"]);
    away.mockRestore();
    await posted(await postFiles({ chatId, cookie }, files, { id: "same-id", message: "My plan" }));
    await posted(await postFiles({ chatId, cookie }, files, { id: "same-id", message: "My plan" }));
    expect(await texts(chatId, { cookie })).toHaveLength(2);
    expect(await fileKeysInBucket()).toHaveLength(before.length + 1);
  });

  it("unavailable: a deleted chat is gone at once, its files with the next attempt", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    await posted(await postFiles({ chatId, cookie }, [pdfFile("plan.pdf")]));
    const before = await fileKeysInBucket();
    const away = vi.spyOn(env.BUCKET, "delete").mockRejectedValue(new Error(R2_AWAY));
    expect((await call(`/api/chat/${chatId}`, { method: "DELETE", token })).status).toBe(200);
    expect((await call(`/api/chat/${chatId}/messages`, { token })).status).toBe(404);
    away.mockRestore();
    await runTasks(chatId);
    await expect.poll(async () => (await fileKeysInBucket()).length).toBe(before.length - 1);
  });
});

describe("Images", () => {
  /** Lets the binding read a picture and fail, as an error of the service does. */
  const failImages = () =>
    vi.spyOn(env.IMAGES, "input").mockImplementation((image) => {
      const output = async () => {
        await image.pipeTo(new WritableStream());
        throw new Error("IMAGES_TRANSFORM_ERROR 9523: internal error");
      };
      const transformer = { transform: () => transformer, output };
      return transformer as unknown as ImageTransformer;
    });
  const listed = (place: string) =>
    expect
      .poll(() => env.DB.prepare("SELECT times FROM incidents WHERE place = ?").bind(place).first("times"))
      .toBe(1);

  it("failing: a product's stored picture is served uncached, and Health counts it", async () => {
    const key = "products/full.png";
    const bytes = decoded("opaquePng");
    await env.BUCKET.put(key, bytes, { httpMetadata: { contentType: "image/png" } });
    const path = `/api/storage/object?key=${key}&w=320`;
    const failing = failImages();
    const answer = await call(path);
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "image/png"]);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
    await listed("Resized image of a product");
    failing.mockRestore();
    const later = await call(path);
    expect([later.headers.get("Content-Type"), later.headers.get("Cache-Control")]).toEqual([
      "image/webp",
      expect.stringContaining("immutable"),
    ]);
  });

  it("failing: a chat's stored picture is served, and Health counts it", async () => {
    const visitor = await startChat({ initialMessage: "Hello" });
    const { cards } = await posted(await postFiles(visitor, [pictureFile("wideJpeg", "wide.jpg")]));
    const [{ key, size } = { key: "", size: 0 }] = cards;
    failImages();
    const answer = await fileOf(key, visitor, "&w=320");
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "image/jpeg"]);
    expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
    expect((await answer.arrayBuffer()).byteLength).toBe(size);
    await listed("Resized picture of a file");
  });

  it("failing: an upload is refused, nothing of it is stored, and Health counts it", async () => {
    const visitor = await startChat({ initialMessage: "Hello" });
    const before = await fileKeysInBucket();
    const failing = failImages();
    const picture = () => pictureFile("wideJpeg", "wide.jpg");
    const refused = await postFiles(visitor, [picture()]);
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("wide.jpg")]);
    expect(await fileKeysInBucket()).toEqual(before);
    await listed("Upload of a picture");
    failing.mockRestore();
    expect((await postFiles(visitor, [picture()])).status).toBe(201);
  });
});

describe("mail", () => {
  it("failing: an answer is stored and shown, and its mail is sent later, once", async () => {
    const address = "ines-waits@mail.example";
    const mailsTo = () =>
      vi.mocked(env.MAIL.send).mock.calls.filter(([message]) => (message as { to: string }).to === address);
    vi.mocked(env.MAIL.send).mockImplementation(async () => {
      if (mailsTo().length === 1) throw new Error("421 try later");
      return { messageId: "1" };
    });
    const { chatId, cookie } = await startChat({
      userName: "Ines",
      userEmail: address,
      initialMessage: "Hi",
    });
    await posted(await postMessage(chatId, "Yes", { token }, { isFromAdmin: true }));
    await runTasks(chatId);
    await expect.poll(() => mailsTo()).toHaveLength(1);
    await runTasks(chatId);
    await expect.poll(() => mailsTo()).toHaveLength(2);
    await runTasks(chatId);
    expect(mailsTo()).toHaveLength(2);
    expect(await texts(chatId, { cookie })).toEqual(["Hi", "Yes"]);
  });
});

describe("mail of the shop", () => {
  it("refused for a receipt: staff see that it waits, and it is sent later", async () => {
    const [sale] = await sold(token, { lines: [{ description: "Engraving", quantity: 1, amount: 5 }] });
    vi.mocked(env.MAIL.send).mockRejectedValueOnce(new Error("421 try later"));
    const to = "receipt-waits@mail.example";
    const mailed = await call(`/api/sale/${sale?.id}/mail`, { token, json: { to } });
    expect(await mailed.json()).toMatchObject({ to, isSent: false });
    await env.DB.prepare("UPDATE sale_outbox SET due_at = 0 WHERE recipient = ?").bind(to).run();
    await runDurableObjectAlarm(env.ADMIN_ROOM.getByName("admin"));
    const done = env.DB.prepare("SELECT done_at IS NOT NULL AS sent FROM sale_outbox WHERE recipient = ?");
    await expect.poll(() => done.bind(to).first("sent")).toBe(1);
  });

  it("refused for a password's link: the answer tells nothing, and Health lists it", async () => {
    const { email } = await person();
    vi.mocked(env.MAIL.send).mockRejectedValueOnce(new Error("421 try later"));
    const answer = await call("/api/auth/forgot-password", { json: { email } });
    expect(await answer.json()).toEqual({ message: "Password reset email sent! Check your inbox." });
    const failed = env.DB.prepare(
      "SELECT count(*) AS n FROM incidents WHERE place = 'Link to reset a password'",
    );
    await expect.poll(() => failed.first("n")).toBe(1);
  });
});

describe("an object", () => {
  it("evicted during a chat: its sockets go on, and messages keep their order", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "One" });
    const visitor = await connect(`?chat=${chatId}`, { Cookie: cookie, Origin: "http://localhost:8787" });
    await evictDurableObject(roomOf(chatId));
    await posted(await postMessage(chatId, "Two", { token }, { isFromAdmin: true }));
    await visitor.waitForEvent("new-message", ({ message }) => message === "Two");
    await evictDurableObject(roomOf(chatId));
    await posted(await postMessage(chatId, "Three", { cookie }));
    expect(await texts(chatId, { cookie })).toEqual(["One", "Two", "Three"]);
  });

  it("restarted by a deploy: a message that is sent again is stored once, and a reconnect receives what was missed", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "One" });
    const headers = { Cookie: cookie, Origin: "http://localhost:8787" };
    await connect(`?chat=${chatId}`, headers);
    const { seq } = await posted(await postMessage(chatId, "Two", { cookie }, { id: "sent-twice" }));
    await abortAllDurableObjects();
    await posted(await postMessage(chatId, "Two", { cookie }, { id: "sent-twice" }));
    await posted(await postMessage(chatId, "Three", { token }, { isFromAdmin: true }));
    const again = await connect(`?chat=${chatId}&after=${seq}`, headers);
    await again.waitForEvent("new-message", ({ message }) => message === "Three");
    expect(await texts(chatId, { cookie })).toEqual(["One", "Two", "Three"]);
  });
});

describe("a clock that is 5 minutes off", () => {
  it("on a visitor's device changes neither times nor order, and no cookie ends by it", async () => {
    const now = Math.floor(Date.now() / 1000);
    const { chatId, cookie, answer } = await startChat({ initialMessage: "One" });
    for (const line of answer.headers.getSetCookie()) expect(line).not.toMatch(/expires=/i);
    expect(cookiesOf(answer)).toContain("chats");
    for (const [text, off] of [
      ["Ahead", 300],
      ["Behind", -300],
    ] as const)
      await posted(
        await postMessage(chatId, text, { cookie }, { timestamp: { seconds: now + off, nanoseconds: 0 } }),
      );
    const messages = await written(chatId, { cookie });
    expect(messages.map(({ message }) => message)).toEqual(["One", "Ahead", "Behind"]);
    for (const { timestamp } of messages) expect(Math.abs(timestamp.seconds - now)).toBeLessThan(60);
  });
});
