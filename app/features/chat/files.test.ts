import { describe, expect, it } from "vitest";
import { joinPictures, textBesideFiles, textWithFiles } from "./files";

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
