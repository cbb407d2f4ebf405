import { describe, expect, it } from "vitest";
import { formatSize, joinPictures, textBesideFiles, textWithFiles } from "../files";
import { cleanFileName, contentDisposition } from "./stored-files.server";

describe("names of files", () => {
  it.each([
    ["C:\\fakepath\\photo.jpg", "photo.jpg"],
    ["../../etc/passwd", "passwd"],
    ["a\u0000b\r\n\u202egpj.exe", "a b gpj.exe"],
    ["%22quoted%22.pdf", "quoted .pdf"],
    ["..hidden", "hidden"],
    ["", "file"],
    ["\ud800", "\ufffd"],
    ["Ünïcode 👩.png", "Ünïcode 👩.png"],
  ])("%j becomes %j", (name, cleaned) => {
    expect(cleanFileName(name)).toBe(cleaned);
  });

  it("keep their end at 100 characters", () => {
    const name = cleanFileName(`${"a".repeat(300)}.pdf`);
    expect([...name]).toHaveLength(100);
    expect(name).toMatch(/^a+…a+\.pdf$/);
  });

  it.each([
    ["photo.JPG", "image/jpeg", "photo.JPG"],
    ["photo.webp", "image/jpeg", "photo.webp.jpg"],
    ["page.html", "application/pdf", "page.html.pdf"],
  ])("%s of %s is saved as %s", (name, type, saved) => {
    expect(contentDisposition("attachment", name, type)).toBe(
      `attachment; filename="${saved}"; filename*=UTF-8''${saved}`,
    );
  });
});

describe("text of a message with files", () => {
  const file = (name: string) => ({ type: "file" as const, key: name, name, contentType: "", size: 1 });

  it.each(["", "For you", "Attached: a.pdf"])("%j is found again beside the cards", (text) => {
    const message = textWithFiles(text, ["a.pdf", "b.png"]);
    expect(message).toContain("Attached: a.pdf, b.png");
    expect(textBesideFiles(message, [file("a.pdf"), file("b.png")])).toBe(text);
    expect(textBesideFiles(message, [])).toBe(message);
  });
});

describe("pictures sent one after the other", () => {
  let seq = 0;
  const sent = (seconds: number, name: string, text = "", isFromAdmin = false) => {
    const contentType = name.endsWith("pdf") ? "application/pdf" : "image/png";
    const card = { type: "file" as const, key: name, name, contentType, size: 1 };
    const timestamp = { seconds, nanoseconds: 0 };
    const message = textWithFiles(text, [name]);
    const common = { chatId: "chat", senderName: "Ines", timestamp };
    return { ...common, id: name, seq: ++seq, message, isFromAdmin, cards: [card] };
  };
  const shown = (...messages: ReturnType<typeof sent>[]) =>
    joinPictures(messages).map(({ id, message, cards }) => `${id} (${cards.length}) ${message}`);

  it("are one message", () => {
    const messages = [sent(0, "a.png"), sent(40, "b.png"), sent(60, "c.png")];
    expect(joinPictures(messages)).toEqual([
      {
        ...messages[0],
        seq: messages[2]?.seq,
        message: "Attached: a.png, b.png, c.png",
        cards: messages.flatMap(({ cards }) => cards),
      },
    ]);
  });

  it("stay apart from later ones, from other files and texts, and from the other side's", () => {
    expect(shown(sent(0, "a.png"), sent(61, "b.png"))).toHaveLength(2);
    expect(shown(sent(0, "a.png"), sent(1, "b.pdf"), sent(2, "c.png"))).toHaveLength(3);
    expect(shown(sent(0, "a.png", "Look"), sent(1, "b.png"))).toHaveLength(2);
    expect(shown(sent(0, "a.png"), sent(1, "b.png", "", true))).toHaveLength(2);
  });

  it("are five at most", () => {
    const six = ["a", "b", "c", "d", "e", "f"].map((name, i) => sent(i, `${name}.png`));
    expect(shown(...six)).toEqual([
      "a.png (5) Attached: a.png, b.png, c.png, d.png, e.png",
      "f.png (1) Attached: f.png",
    ]);
  });
});

it("sizes of files are in kB below 1 MB", () => {
  expect([1, 300_000, 1_048_000, 1_258_291].map(formatSize)).toEqual(["1 kB", "293 kB", "1023 kB", "1.2 MB"]);
});
