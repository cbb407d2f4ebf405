import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { messagesOf, staffToken, startChat } from "../support/chat";
import {
  decoded,
  fileKeysInBucket,
  hugePng,
  pdfFile,
  pictureFile,
  posted,
  postFiles,
  text,
} from "../support/chat-files";
import { readAnswer } from "../support/people";
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

describe("rejected files leave nothing behind", () => {
  const elevenMegabytes = new Uint8Array(11 * 1024 * 1024);
  elevenMegabytes.set(decoded("wideJpeg"));
  const zip = new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 0, 0]);
  const half = decoded("wideJpeg").slice(0, 400);

  it.each([
    [
      "SVG",
      text('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
      400,
      "it.jpg is no JPEG, PNG, WebP, GIF or PDF",
    ],
    [
      "HTML",
      text("<!doctype html><script>alert(1)</script>"),
      400,
      "it.jpg is no JPEG, PNG, WebP, GIF or PDF",
    ],
    ["a zip", zip, 400, "it.jpg is no JPEG, PNG, WebP, GIF or PDF"],
    ["HTML before a PDF", text("<script></script>%PDF-1.4"), 400, "it.jpg is no JPEG, PNG, WebP, GIF or PDF"],
    ["a text that begins like a GIF", text("GIF89a is a format, said the text"), 400, "it.jpg is damaged"],
    ["nothing", text(""), 400, "it.jpg is no JPEG, PNG, WebP, GIF or PDF"],
    ["half a picture", half, 400, "it.jpg is damaged"],
    ["50,000 × 50,000 pixels", hugePng(), 413, "it.jpg has more than 50 megapixels"],
    ["11 MB", elevenMegabytes, 413, "it.jpg is larger than 10 MB"],
  ])("%s", async (_, content, status, message) => {
    const before = await messagesOf(visitor.chatId, visitor);
    const files = [
      pictureFile("opaquePng", "fine.png"),
      new File([content], "it.jpg", { type: "image/jpeg" }),
    ];
    const answer = await postFiles(visitor, files);
    expect([answer.status, (await readAnswer(answer)).message]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
    expect(await messagesOf(visitor.chatId, visitor)).toEqual(before);
    expect(await stored()).toEqual([]);
  });

  it("a picture with a valid header and broken data", async () => {
    const broken = decoded("alphaPng");
    broken.fill(7, 60, broken.length - 20);
    const answer = await postFiles(visitor, [pdfFile("fine.pdf"), new File([broken], "broken.png")]);
    expect(answer.status).toBe(400);
    expect(await stored()).toEqual([]);
  });

  it("six at once, and a form over 50 MB", async () => {
    const six = await postFiles(
      visitor,
      Array.from({ length: 6 }, (_, at) => pdfFile(`${at}.pdf`)),
    );
    expect([six.status, (await readAnswer(six)).message]).toEqual([
      400,
      "Validation error: files: At most 5 files at a time.",
    ]);
    const large = Array.from({ length: 6 }, () => new File([new Uint8Array(9_000_000)], "a.jpg"));
    expect((await postFiles(visitor, large)).status).toBe(413);
    expect(await stored()).toEqual([]);
  });

  it("an upload that breaks off", async () => {
    const before = await messagesOf(visitor.chatId, visitor);
    const whole = new Response(formOf(visitor.chatId, pictureFile("wideJpeg", "cut.jpg")));
    const headers = { "Content-Type": whole.headers.get("Content-Type") ?? "" };
    const bytes = new Uint8Array(await whole.arrayBuffer());
    const half = bytes.slice(0, bytes.length / 2);
    expect((await call("/api/chat/message", { body: half, headers, ...visitor })).status).toBe(400);
    const breaking = new ReadableStream({
      start(controller) {
        controller.enqueue(half);
        controller.error(new Error("Connection lost."));
      },
    });
    const answer = await call("/api/chat/message", { body: breaking, headers, ...visitor });
    expect([answer.status, (await readAnswer(answer)).message]).toEqual([400, "The request broke off."]);
    expect(await messagesOf(visitor.chatId, visitor)).toEqual(before);
    expect(await stored()).toEqual([]);
  });

  it("forged cards and files in JSON are no files", async () => {
    const cards = [{ type: "file", key: "products/x.jpg", name: "x", contentType: "image/jpeg", size: 1 }];
    const json = { chatId: visitor.chatId, message: "Forged", senderName: "", cards, files: cards };
    expect(await posted(await call("/api/chat/message", { json, ...visitor }))).not.toHaveProperty("cards");
    const card = await call("/api/chat/message", { json: { ...json, card: cards[0] }, ...visitor });
    expect(card.status).toBe(403);
  });

  it("files under another field name are refused, not ignored", async () => {
    const before = await messagesOf(visitor.chatId, visitor);
    const form = new FormData();
    form.append("chatId", visitor.chatId);
    form.append("message", "Look at this");
    form.append("file", pdfFile("a.pdf"));
    for (const path of ["/api/chat/message", "/api/chat/create"]) {
      const answer = await call(path, { body: form, ...visitor });
      expect([answer.status, (await readAnswer(answer)).message]).toEqual([
        400,
        "Validation error: files: Files belong in the field files",
      ]);
    }
    expect(await messagesOf(visitor.chatId, visitor)).toEqual(before);
    expect(await stored()).toEqual([]);
  });
});

const formOf = (chatId: string, file: File) => {
  const form = new FormData();
  form.append("chatId", chatId);
  form.append("files", file);
  return form;
};

describe("who may send files", () => {
  it("neither a stranger nor another visitor, and staff as the shop", async () => {
    const other = await startChat();
    for (const by of [{}, { cookie: other.cookie }])
      expect((await postFiles({ ...by, chatId: visitor.chatId }, [pdfFile("a.pdf")])).status).toBe(403);
    const large = new File([decoded("wideJpeg"), new Uint8Array(200_000)], "a.jpg");
    expect((await postFiles({ chatId: visitor.chatId }, [large])).status).toBe(413);
    expect(await stored()).toEqual([]);
    const answer = await postFiles({ chatId: visitor.chatId, token }, [pdfFile("quote.pdf")]);
    expect(await posted(answer)).toMatchObject({ isFromAdmin: true, senderName: "Support Team" });
    expect((await postFiles({ chatId: "nobody", token }, [pdfFile("a.pdf")])).status).toBe(404);
    expect((await fileKeysInBucket()).filter((key) => key.includes("nobody"))).toEqual([]);
  });

  it("50 files a chat and day for each of visitor and sellers", async () => {
    const room = env.CHAT_ROOM.getByName(visitor.chatId);
    const card = (at: number) => ({
      type: "file" as const,
      key: `chats/2026-01-01/${visitor.chatId}/${String(at).padStart(32, "0")}-${"0".repeat(16)}`,
      name: "a.pdf",
      contentType: "application/pdf",
      size: 1,
    });
    for (let at = 0; at < 9; at++) {
      const cards = Array.from({ length: 5 }, (_, n) => card(at * 5 + n));
      await room.post({ id: undefined, message: "Files", isFromAdmin: false, senderName: "", cards });
    }
    const five = () => Array.from({ length: 5 }, (_, at) => pdfFile(`${at}.pdf`));
    expect((await postFiles(visitor, five())).status).toBe(201);
    const refused = await postFiles(visitor, [pdfFile("51.pdf")]);
    expect([refused.status, (await readAnswer(refused)).message]).toEqual([
      429,
      "At most 50 files a day can be sent in a chat.",
    ]);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(23 * 3600);
    expect(await stored()).toHaveLength(5);
    expect((await postFiles({ ...visitor, cookie: "", token }, [pdfFile("a.pdf")])).status).toBe(201);
    expect(
      (await call("/api/chat/message", { json: { chatId: visitor.chatId, message: "Text" }, ...visitor }))
        .status,
    ).toBe(201);
  });
});
