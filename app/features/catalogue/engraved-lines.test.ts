import { describe, expect, it } from "vitest";
import { engravedLines, FRAME } from "./engraved-lines";

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
