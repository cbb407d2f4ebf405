import { describe, expect, it } from "vitest";
import { choicesOf, foldText, swatchOf } from "./product-views.server";

describe("swatches", () => {
  it("are known for names, shades of them and pairs; other words have none", () => {
    expect(swatchOf("Moss")).toBe("#33503f");
    expect(swatchOf("Dark green")).toBe("color-mix(in oklab,#3f7a54,black 35%)");
    expect(swatchOf("Gold and green")).toBe("linear-gradient(135deg,#cfa64c 50%,#3f7a54 50%)");
    for (const color of ["Clay band", "Tube", "Gold and then some", "", "constructor", "dark toString", null])
      expect(swatchOf(color)).toBeNull();
  });

  it("belong to the first picture whose alternative text names the colour as a word", () => {
    const product = { name: "", colors: ["Ink", "Sand", "Rose"], hasEngraving: false };
    const alts = ["A drinking case in sandstone", "The clay case, and the INK one", "sand, rose and ink"];
    expect(choicesOf(product, alts).colors.map(({ picture }) => picture)).toEqual([1, 2, 2]);
  });
});

describe("a description", () => {
  const long = "word ".repeat(80);

  it("stays whole while it is short", () => {
    expect(foldText("<p>Short</p><p>and sweet</p>")).toMatchObject({ rest: "" });
  });

  it("folds after its first paragraph, with its bold words as the label", () => {
    const rest = `<ul><li><strong>Fits:</strong> all</li><li><strong>Care:</strong> ${long}</li></ul>`;
    expect(foldText(`<p>First</p>${rest}`)).toEqual({
      lead: "<p>First</p>",
      rest,
      label: "More: fits, care",
    });
  });

  it("without a paragraph begins with its words, escaped", () => {
    const html = `1 &lt; 2<br />${long}`;
    const { lead, rest } = foldText(html);
    expect(lead).toMatch(/^<p>1 &lt; 2 word .*word…<\/p>$/s);
    expect(rest).toBe(html);
  });
});
