import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readImage } from "~/features/storage/image-formats";
import { removeOrphanFiles } from "../../app/features/chat/operations/files.server";
import { messagesOf, staffToken, startChat } from "../support/chat";
import {
  decoded,
  fileKeysInBucket,
  hugePng,
  PDF,
  pdfFile,
  pictureFile,
  postFiles,
  text,
} from "../support/chat-files";
import { readAnswer } from "../support/people";
import { call } from "../support/shop";

interface FileCard {
  type: string;
  key: string;
  name: string;
  contentType: string;
  size: number;
  width?: number;
  height?: number;
}
interface Posted {
  message: string;
  cards: FileCard[];
  seq: number;
}
type Visitor = Awaited<ReturnType<typeof startChat>>;

let token = "";
let visitor: Visitor;
beforeAll(async () => {
  token = await staffToken();
});
beforeEach(async () => {
  visitor = await startChat({ userName: "Ines" });
});

const posted = async (answer: Response) => {
  expect(answer.status, await answer.clone().text()).toBe(201);
  return (await answer.json()) as Posted;
};
const fileOf = (key: string, by: { cookie?: string; token?: string } = {}, more = "") =>
  call(`/api/chat/file?key=${encodeURIComponent(key)}${more}`, by);
/** Keys of this chat's files in the bucket. */
const stored = async () => (await fileKeysInBucket()).filter((key) => key.includes(visitor.chatId));

describe("POST chat/message with files", () => {
  it("answers 201 with a card for each file, in order", async () => {
    const answer = await postFiles(visitor, [pictureFile("wideJpeg", "wide.jpg"), pdfFile("flowers.pdf")], {
      message: "Like these",
      id: "first",
    });
    const { cards } = await posted(answer);
    expect(cards).toEqual([
      {
        type: "file",
        key: expect.stringMatching(new RegExp(`^chats/\\d{4}-\\d\\d-\\d\\d/${visitor.chatId}/`)),
        name: "wide.jpg",
        contentType: "image/jpeg",
        size: expect.any(Number),
        width: 2048,
        height: 16,
      },
      {
        type: "file",
        key: expect.stringMatching(/^chats\//),
        name: "flowers.pdf",
        contentType: "application/pdf",
        size: PDF.length,
      },
    ]);
    expect(await stored()).toEqual(cards.map(({ key }) => key).sort());
    expect((await messagesOf(visitor.chatId, visitor)).at(-1)).toMatchObject({ cards });
  });

  it("names the files in the text, for clients and mails without cards", async () => {
    const alone = await posted(
      await postFiles(visitor, [pictureFile("opaquePng", "a.png"), pdfFile("b.pdf")]),
    );
    expect(alone.message).toBe("Attached: a.png, b.pdf");
    const beside = await posted(await postFiles(visitor, [pdfFile("c.pdf")], { message: " For you " }));
    expect(beside.message).toBe("For you\nAttached: c.pdf");
  });

  it("still requires a text without files, and takes an empty file field", async () => {
    for (const message of ["", "  "]) {
      const answer = await postFiles(visitor, [], { message });
      expect([answer.status, (await readAnswer(answer)).details]).toEqual([
        400,
        [{ path: "message", message: "Message is required" }],
      ]);
    }
    const emptyField = await postFiles(visitor, [new File([], "")], { message: "Only text" });
    expect(await posted(emptyField)).not.toHaveProperty("cards");
  });

  it.each([
    ["wideJpeg", "image/jpeg"],
    ["alphaPng", "image/png"],
    ["alphaWebp", "image/jpeg"],
    ["animatedGif", "image/jpeg"],
  ] as const)("takes %s and stores %s, whatever its name and declared type", async (name, type) => {
    const file = new File([decoded(name)], "page.html", { type: "text/html" });
    const { cards } = await posted(await postFiles(visitor, [file]));
    expect(cards[0]).toMatchObject({ contentType: type, name: "page.html" });
    const answer = await fileOf(cards[0]?.key ?? "", visitor);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(readImage(bytes)).toMatchObject({ type, width: cards[0]?.width, height: cards[0]?.height });
    expect(bytes).toHaveLength(cards[0]?.size ?? 0);
    expect(answer.headers.get("Content-Disposition")).toMatch(/^inline; filename="page\.html\.(jpg|png)"/);
  });

  it("turns pictures upright and removes their location", async () => {
    const { cards } = await posted(await postFiles(visitor, [pictureFile("turnedJpeg", "t.jpg")]));
    expect(cards[0]).toMatchObject({ width: 20, height: 40 });
    const bytes = await (await fileOf(cards[0]?.key ?? "", visitor)).arrayBuffer();
    expect(new TextDecoder("latin1").decode(decoded("turnedJpeg"))).toContain("Camera of note");
    expect(new TextDecoder("latin1").decode(bytes)).not.toMatch(/Exif|Camera of note|Somebody/);
  });

  it("reaches the console's search and list by its text", async () => {
    await posted(await postFiles(visitor, [pdfFile("unmistakable.pdf")]));
    await expect
      .poll(async () => (await call("/api/chat?q=unmistakable", { token })).json())
      .toEqual([expect.objectContaining({ id: visitor.chatId, lastMessage: "Attached: unmistakable.pdf" })]);
  });
});

describe("a repeated message with files", () => {
  it("is stored once under its client id and leaves one object", async () => {
    const send = () => postFiles(visitor, [pictureFile("opaquePng", "a.png")], { id: "same" });
    const first = await posted(await send());
    const [second, third] = await Promise.all([send(), send()]);
    expect([await posted(second), await posted(third)]).toEqual([first, first]);
    expect(await stored()).toEqual(first.cards.map(({ key }) => key));
  });

  it("sent twice at once is stored once", async () => {
    const send = () => postFiles(visitor, [pictureFile("alphaPng", "a.png")], { id: "twins" });
    const [one, other] = await Promise.all([send(), send()]);
    expect(await posted(one)).toEqual(await posted(other));
    expect(await stored()).toHaveLength(1);
  });

  it.each([
    ["another file", [pictureFile("alphaPng", "a.png")], ""],
    ["another name", [pictureFile("opaquePng", "b.png")], ""],
    ["two files", [pictureFile("opaquePng", "a.png"), pdfFile("b.pdf")], ""],
    ["another text", [pictureFile("opaquePng", "a.png")], "Hello"],
    ["no file", [], "Attached: a.png"],
  ])("with %s under the id is a 409", async (_, files, message) => {
    const first = await posted(await postFiles(visitor, [pictureFile("opaquePng", "a.png")], { id: "used" }));
    expect((await postFiles(visitor, files, { id: "used", message })).status).toBe(409);
    expect(await stored()).toEqual(first.cards.map(({ key }) => key));
    expect((await messagesOf(visitor.chatId, visitor)).at(-1)?.seq).toBe(first.seq);
  });
});

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
    expect(card.status).toBe(400);
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

  it("50 files a chat and day, of which the seller's own count for the seller", async () => {
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
      "content-security-policy": "default-src 'none'; sandbox",
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
    expect(html).not.toContain("Attached:");
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
    expect(await answer.text()).toContain(message);
    const reply = { intent: "send", chatId: visitor.chatId, id: "wrong", message: "Typed" };
    const refused = await submit(`/admin/chat?chat=${visitor.chatId}`, reply, files, { token });
    expect(refused.status).toBe(status);
    expect(await refused.text()).toContain(message);
    expect(await stored()).toEqual([]);
  });

  it("keep the limit of the other forms", async () => {
    const large = { message: "x".repeat(70_000), intent: "start" };
    for (const path of ["/chat?index", "/cart"])
      expect((await submit(path, large, [], visitor)).status, path).toBe(413);
    const json = { chatId: visitor.chatId, message: "x".repeat(70_000) };
    expect((await call("/api/chat/message", { json, ...visitor })).status).toBe(413);
  });
});

describe("removal of files", () => {
  const DAY = 86_400_000;

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
    await removeOrphanFiles(env, Date.now() + DAY - 60_000);
    expect(await stored()).toEqual([orphan, used].sort());
    expect(await removeOrphanFiles(env, Date.now() + DAY + 60_000)).toBe(2);
    expect(await stored()).toEqual([used]);
  });
});
