import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readImage } from "~/features/storage/image-formats";
import { removeOrphanFiles } from "../../app/features/chat/operations/stored-files.server";
import { staffToken, startChat, written } from "../support/chat";
import {
  fileKeysInBucket,
  fileOf,
  PDF,
  pdfFile,
  pictureFile,
  posted,
  postFiles,
  text,
} from "../support/chat-files";
import { allSteps } from "../support/nightly";
import { call } from "../support/shop";

type Visitor = Awaited<ReturnType<typeof startChat>>;

let token = "";
let visitor: Visitor;
beforeAll(async () => {
  token = await staffToken();
});
beforeEach(async () => {
  visitor = await startChat({ userName: "Ines" });
});

/** Keys of this chat's files in the bucket. */
const stored = async () => (await fileKeysInBucket()).filter((key) => key.includes(visitor.chatId));

describe("GET chat/file", () => {
  async function sent(file: File) {
    const { cards } = await posted(await postFiles(visitor, [file]));
    return cards[0]?.key ?? "";
  }

  it("sends a picture inline and everything else as a download, never to a cache", async () => {
    const picture = await fileOf(await sent(pictureFile("wideJpeg", 'Über "uns"\u202e.jpg')), visitor);
    expect(picture.status).toBe(200);
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      "content-type": "image/jpeg",
      "content-disposition": "inline; filename=\"_ber uns .jpg\"; filename*=UTF-8''%C3%9Cber%20uns%20.jpg",
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      "cross-origin-resource-policy": "same-origin",
    });
    const pdf = await fileOf(await sent(pdfFile("../../invoice.exe")), visitor);
    expect(Object.fromEntries(pdf.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": "attachment; filename=\"invoice.exe.pdf\"; filename*=UTF-8''invoice.exe.pdf",
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    expect(new Uint8Array(await pdf.arrayBuffer())).toEqual(PDF);
  });

  it("resizes pictures", async () => {
    const key = await sent(pictureFile("wideJpeg", "a.jpg"));
    const small = await fileOf(key, visitor, "&w=300");
    expect(small.headers.get("Content-Type")).toBe("image/webp");
    expect(readImage(new Uint8Array(await small.arrayBuffer()))).toMatchObject({ width: 320 });
    expect((await fileOf(await sent(pdfFile("a.pdf")), visitor, "&w=300")).headers.get("Content-Type")).toBe(
      "application/pdf",
    );
  });

  it("is a 404 for everybody but the chat's visitor and staff", async () => {
    const key = await sent(pdfFile("private.pdf"));
    const other = await startChat();
    expect((await fileOf(key, { token })).status).toBe(200);
    for (const by of [{}, { cookie: other.cookie }]) expect((await fileOf(key, by)).status).toBe(404);
    const forged = key.replace(visitor.chatId, other.chatId);
    expect((await fileOf(forged, { cookie: other.cookie })).status).toBe(404);
  });

  it.each(["", "products/x.jpg", "imports/x", "chats/2026-01-01/x/../../products/x", "\0"])(
    "is a 404 for the key %j, to staff too",
    async (key) => {
      await env.BUCKET.put("products/x.jpg", "x", { httpMetadata: { contentType: "image/jpeg" } });
      expect((await fileOf(key, { token })).status).toBe(404);
      expect((await call("/api/chat/file", { token })).status).toBe(404);
    },
  );

  it("is no image of the shop", async () => {
    const key = await sent(pictureFile("wideJpeg", "a.jpg"));
    expect((await call(`/api/storage/object?key=${encodeURIComponent(key)}`)).status).toBe(404);
  });
});

describe("the forms without JavaScript", () => {
  const submit = (path: string, fields: Record<string, string>, files: File[], by: object) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    for (const file of files) form.append("files", file);
    return call(path, { body: form, ...by });
  };

  it("send files from the chat's page, and show them there", async () => {
    const path = `/chat/${visitor.chatId}`;
    const page = await (await call(path, visitor)).text();
    expect(page).toMatch(/<form[^>]*enctype="multipart\/form-data"[^>]*>/i);
    expect(page).toMatch(/<input[^>]*type="file" name="files"/);
    const fields = { intent: "write", id: "plain", message: "", senderName: "Ines" };
    const files = [pictureFile("turnedJpeg", "slate.jpg"), pdfFile("flowers.pdf")];
    for (let sent = 0; sent < 2; sent++)
      expect((await submit(path, fields, files, visitor)).status).toBe(303);
    const html = await (await call(path, visitor)).text();
    expect(html.match(/<a class="file-picture"/g)).toHaveLength(1);
    expect(html).toMatch(/<img[^>]*width="20" height="40" alt="slate.jpg"/);
    expect(html).toMatch(/<a class="file-download"[^>]*download="flowers.pdf"/);
    expect(html).not.toMatch(/class="chat-bubble">Attached/);
  });

  it("send files from the console", async () => {
    const path = `/admin/chat?chat=${visitor.chatId}`;
    const fields = { intent: "send", chatId: visitor.chatId, id: "reply", message: "Here" };
    expect((await submit(path, fields, [pdfFile("quote.pdf")], { token })).status).toBe(303);
    const html = await (await call(path, { token })).text();
    expect(html).toMatch(/<a class="file-download"[^>]*download="quote.pdf"/);
    expect(html).toContain("<p>Here</p>");
  });

  it.each([
    ["a wrong type", [new File([text("<svg/>")], "it.svg")], 400, "it.svg is no JPEG, PNG, WebP, GIF or PDF"],
    ["six files", Array.from({ length: 6 }, () => pdfFile("a.pdf")), 400, "At most 5 files at a time."],
    [
      "more than 50 MB",
      Array.from({ length: 6 }, () => new File([new Uint8Array(9_000_000)], "a.jpg")),
      413,
      "The files are larger than 50 MB together.",
    ],
  ])("explain %s", async (_, files, status, message) => {
    const fields = { intent: "write", id: "wrong", message: "Typed", senderName: "Ines" };
    const answer = await submit(`/chat/${visitor.chatId}`, fields, files, visitor);
    expect(answer.status).toBe(status);
    const [, note = ""] = (await answer.text()).split('id="write-error"');
    expect(note.split("</p>")[0]).toContain(message);
    const reply = { intent: "send", chatId: visitor.chatId, id: "wrong", message: "Typed" };
    const refused = await submit(`/admin/chat?chat=${visitor.chatId}`, reply, files, { token });
    expect(refused.status).toBe(status);
    expect(await refused.text()).toContain(message);
    expect(await stored()).toEqual([]);
  });

  it("start a chat with files, and none with a rejected one", async () => {
    const fields = { intent: "start", initialMessage: "Like this one", userName: "Ines" };
    const started = await submit("/chat?index", fields, [pictureFile("opaquePng", "b.png")], {});
    expect(started.status).toBe(303);
    const [, chatId = ""] = /^\/chat\/([\w-]+)$/.exec(started.headers.get("Location") ?? "") ?? [];
    const messages = await written(chatId, { token });
    expect(messages).toMatchObject([
      { message: "Like this one\nAttached: b.png", cards: [{ type: "file", name: "b.png" }] },
    ]);
    const before = (await stored()).length;
    const rejected = await submit("/chat?index", fields, [new File(["<svg/>"], "a.svg")], {});
    expect([
      rejected.status,
      (await rejected.text()).includes("a.svg is no JPEG, PNG, WebP, GIF or PDF"),
    ]).toEqual([400, true]);
    expect([await stored(), rejected.headers.getSetCookie().join()]).toEqual([
      expect.objectContaining({ length: before }),
      expect.not.stringContaining("chats"),
    ]);
  });

  it("keep the limit of the other forms", async () => {
    const large = { message: "x".repeat(70_000), intent: "start" };
    expect((await submit("/cart", large, [], visitor)).status).toBe(413);
    const json = { chatId: visitor.chatId, message: "x".repeat(70_000) };
    expect((await call("/api/chat/message", { json, ...visitor })).status).toBe(413);
  });
});

describe("removal of files", () => {
  const DAY = 86_400_000;
  const swept = (now: number) =>
    allSteps(
      (bindings, cursor) => removeOrphanFiles(bindings, cursor, now),
      () => env,
    );

  it("a deleted chat deletes its files", async () => {
    const { cards } = await posted(
      await postFiles(visitor, [pdfFile("a.pdf"), pictureFile("opaquePng", "b.png")]),
    );
    expect(await stored()).toHaveLength(2);
    await call(`/api/chat/${visitor.chatId}`, { method: "DELETE", token });
    expect(await stored()).toEqual([]);
    expect((await fileOf(cards[0]?.key ?? "", { token })).status).toBe(404);
  });

  it("the nightly sweep removes files that no message names, a day after their upload", async () => {
    const { cards } = await posted(await postFiles(visitor, [pdfFile("a.pdf")]));
    const used = cards[0]?.key ?? "";
    const orphan = used.replace(/[\da-f]{16}$/, "0".repeat(16));
    const ofNobody = orphan.replace(visitor.chatId, "nobody");
    for (const key of [orphan, ofNobody]) await env.BUCKET.put(key, "x");
    await swept(Date.now() + DAY - 60_000);
    expect(await stored()).toEqual([orphan, used].sort());
    expect(await swept(Date.now() + DAY + 60_000)).toBe(2);
    expect(await stored()).toEqual([used]);
  });
});
