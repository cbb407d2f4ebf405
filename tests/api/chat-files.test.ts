import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readImage } from "~/features/storage/image-formats";
import { messagesOf, staffToken, startChat } from "../support/chat";
import {
  decoded,
  fileKeysInBucket,
  fileOf,
  PDF,
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

/** Extension of a GIF with its parts. */
const block = (label: number, ...parts: string[]) =>
  Uint8Array.from([0x21, label, ...parts.flatMap((part) => [part.length, ...text(part)]), 0]);

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
    ["opaqueGif", "image/jpeg"],
    ["animatedGif", "image/gif"],
  ] as const)("takes %s and stores %s, whatever its name and declared type", async (name, type) => {
    const file = new File([decoded(name)], "page.html", { type: "text/html" });
    const { cards } = await posted(await postFiles(visitor, [file]));
    expect(cards[0]).toMatchObject({ contentType: type, name: "page.html" });
    const answer = await fileOf(cards[0]?.key ?? "", visitor);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(readImage(bytes)).toMatchObject({ type, width: cards[0]?.width, height: cards[0]?.height });
    expect(bytes).toHaveLength(cards[0]?.size ?? 0);
    expect(answer.headers.get("Content-Disposition")).toMatch(
      /^inline; filename="page\.html\.(jpg|png|gif)"/,
    );
  });

  it("turns pictures upright and removes their location", async () => {
    const { cards } = await posted(await postFiles(visitor, [pictureFile("turnedJpeg", "t.jpg")]));
    expect(cards[0]).toMatchObject({ width: 20, height: 40 });
    const bytes = await (await fileOf(cards[0]?.key ?? "", visitor)).arrayBuffer();
    expect(new TextDecoder("latin1").decode(decoded("turnedJpeg"))).toContain("Camera of note");
    expect(new TextDecoder("latin1").decode(bytes)).not.toMatch(/Exif|Camera of note|Somebody/);
  });

  it("keeps the animation of a GIF, without its metadata", async () => {
    const gif = decoded("animatedGif");
    // The first block follows the header, the screen's fields and two colors.
    const [fields, blocks] = [gif.slice(0, 19), gif.slice(19)];
    const metadata = [
      block(0xfe, "Camera of note"),
      block(0xff, "XMP DataXMP", "Exif"),
      block(0x01, "Somebody"),
    ];
    const file = new File([fields, ...metadata, blocks, text("after the end")], "a.gif");
    const { cards } = await posted(await postFiles(visitor, [file]));
    expect(cards[0]).toMatchObject({ contentType: "image/gif", width: 16, height: 8, size: gif.length });
    const key = cards[0]?.key ?? "";
    expect(new Uint8Array(await (await fileOf(key, visitor)).arrayBuffer())).toEqual(gif);
    const still = await fileOf(key, visitor, "&w=320");
    expect(readImage(new Uint8Array(await still.arrayBuffer()))).toMatchObject({
      type: "image/webp",
      width: 16,
    });
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
