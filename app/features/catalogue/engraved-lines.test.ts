import { describe, expect, it } from "vitest";
import { cutWords, engravedLines, engravingNote, FRAME, roomOf } from "./engraved-lines";

const plate = { width: 0.4, height: 0.2, lines: [12, 20] };

describe("words on a plate", () => {
  it("stay on one line while they are short, at the size of its greatest length", () => {
    expect(engravedLines("Noor", plate).lines).toEqual(["Noor"]);
    expect(engravedLines("Noor", plate).size).toBe(engravedLines("Noor & Théo", plate).size);
  });

  it("break into the lines that give the largest letters", () => {
    const { lines } = engravedLines("Noor & Théo 12th June 2027", plate);
    expect(lines).toEqual(["Noor & Théo", "12th June 2027"]);
  });

  it.each([
    "x".repeat(60),
    "La cuisine d’Élodie et de Théo, depuis le douze juin 2027",
    "永".repeat(30),
    "👩‍👩‍👧".repeat(7),
  ])("never leave the plate: %s", (text) => {
    const { lines, size } = engravedLines(text, plate);
    expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
    expect(lines.length * size).toBeLessThanOrEqual(plate.height * FRAME.height);
  });
});

it.each([
  ["A", 0.7],
  ["W", 0.99],
  ["m", 0.95],
  ["8", 0.66],
])("a line of %s, which is %f font sizes wide, stays on the plate", (character, width) => {
  const { lines, size } = engravedLines(character.repeat(60), plate);
  for (const line of lines) expect(line.length * width * size).toBeLessThanOrEqual(320);
});

describe("words that exceed a plate", () => {
  it.each<[string, number[], string]>([
    ["Noor & Théo", [12], "Noor & Théo"],
    ["Happy birthday to Anna Maria", [10, 10], "Happy birthday…"],
    ["Bartholomew", [3], "Ba…"],
    ["永".repeat(8), [12], "永永永永永…"],
    ["Noor 👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", [8], "Noor 👩‍👩‍👧…"],
  ])("are drawn up to their end: %s on %j", (text, lines, drawn) =>
    expect(cutWords(text, { lines })).toBe(drawn),
  );

  const note = (text: string, lines: number[]) => engravingNote(text, { lines });

  it.each<[string, number[]]>([
    ["Noor", [12, 12]],
    ["please ring  0123 456789", [12, 12]],
    ["Biscuit 01234 56789", [9, 12]],
    ["Bartholomew", [9, 12]],
    ["永永永永永永", [12]],
  ])("are none: %s on %j", (text, lines) => expect(note(text, lines)).toBeNull());

  it.each<[string, number[]]>([
    ["A".repeat(60), [12, 12]],
    ["If found, please ring Noor", [12, 12]],
    ["Bartholomew Biscuit", [9, 12]],
    ["永永永永永永永", [12]],
  ])("are told with what it holds: %s on %j", (text, lines) =>
    expect(note(text, lines)).toBe(`Too long for this piece: ${roomOf({ lines })}. We'll ask in the chat.`),
  );

  it("names equal lines by their number", () => {
    expect([[12, 12], [18], [9, 12]].map((lines) => roomOf({ lines }))).toEqual([
      "2 lines of 12 letters",
      "1 line of 18 letters",
      "lines of 9 and 12 letters",
    ]);
  });
});
