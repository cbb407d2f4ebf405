import { describe, expect, it } from "vitest";
import { chosenPicture } from "./options";
import { foldText, offeredOptions } from "./product-views.server";
import { swatchOf } from "./swatches";

const picturesOf = (colors: string[], imageAlts: string[]) =>
  offeredOptions({
    name: "",
    colors,
    hasEngraving: false,
    imageUrls: imageAlts.map((_, i) => `minio:${i}`),
    imageAlts,
    optionLabel: "",
    options: [],
    units: [],
    priceCents: 1000,
    plates: {},
  }).colors.map(({ picture }) => picture);

describe("swatches", () => {
  it("are known for names, shades of them and pairs; other words have none", () => {
    expect(swatchOf("Moss")).toBe("#33503f");
    expect(swatchOf("Dark green")).toBe("color-mix(in oklab,#3f7a54,black 35%)");
    expect(swatchOf("Gold and green")).toBe("linear-gradient(135deg,#cfa64c 50%,#3f7a54 50%)");
    for (const color of ["Clay band", "Tube", "Gold and then some", "", "constructor", "dark toString", null])
      expect(swatchOf(color)).toBeNull();
  });

  it("belong to the first picture whose alternative text names the colour as a word", () => {
    const alts = ["A drinking case in sandstone", "The clay case, and the INK one", "sand, rose and ink"];
    expect(picturesOf(["Ink", "Sand", "Rose"], alts)).toEqual([1, 2, 2]);
  });

  it("belong rather to a picture that names the colour before the others", () => {
    const alts = ["Three tags: walnut, steel and leather", "The steel tag", "The leather tag"];
    expect(picturesOf(["Walnut", "Steel", "Leather"], alts)).toEqual([0, 1, 2]);
  });

  it("of two words belong to the picture that names both, else to one that names neither of the others", () => {
    const rings = [
      "A gold ring with an oval green stone, a plain silver band lying beside it",
      "The ring in silver with a blue stone",
      "The ring in rose gold with a red stone",
    ];
    expect(picturesOf(["Gold and green", "Silver and blue", "Rose gold and red"], rings)).toEqual([0, 1, 2]);
    const watches = ["A watch with a brown leather strap", "standing", "The silver watch with a black strap"];
    expect(picturesOf(["Gold and brown", "Silver and black"], watches)).toEqual([0, 2]);
    expect(picturesOf(["Dark green", "Pale blue"], ["A dark room", "A green case"])).toEqual([1, null]);
  });
});

describe("plates", () => {
  const plate = { x: 0.3, y: 0.5, width: 0.4, height: 0.2, angle: 3, tone: "burnt", lines: [12] } as const;
  const tag = (changes: Partial<Parameters<typeof offeredOptions>[0]> = {}) =>
    offeredOptions({
      name: "Key tag",
      colors: ["Walnut", "Steel", "Moss"],
      hasEngraving: true,
      imageUrls: ["minio:a", "minio:b"],
      imageAlts: ["Three tags", "The walnut tag before engraving"],
      ...{ options: [], units: [], priceCents: 1000 },
      optionLabel: "Material",
      plates: { "minio:b": { ...plate, lines: [12] } },
      ...changes,
    });

  it("belong to the colour that their picture names", () => {
    expect(tag()).toMatchObject({
      label: "Material",
      plates: [{ picture: 1, image: "minio:b", color: "Walnut", tone: "burnt" }],
    });
    expect(tag({ hasEngraving: false }).plates).toBeUndefined();
  });

  it("say how much they have room for; without one the field takes 60 letters", () => {
    expect(tag().room).toBe("1 line of 12 letters");
    expect(tag({ plates: {} }).room).toBe("up to 60 letters");
    expect(tag({ hasEngraving: false })).not.toHaveProperty("room");
  });

  it("give their tone to colours that name no material", () => {
    const tones = (changes: Parameters<typeof tag>[0]) => tag(changes).colors.map(({ tone }) => tone);
    expect(tones({ colors: ["Oak", "Steel", "Sand"] })).toEqual(["burnt", "cut", "burnt"]);
    expect(tones({ colors: ["Oak", "Steel", "Sand"], plates: {} })).toEqual(["burnt", "cut", null]);
  });

  it("give a light tone to dark colours, and no light one to light or unknown colours", () => {
    const tones = (tone: "burnt" | "light", ...colors: string[]) =>
      tag({ colors, plates: { "minio:b": { ...plate, tone, lines: [12] } } }).colors.map((one) => one.tone);
    expect(tones("burnt", "Black", "Walnut", "Dark oak")).toEqual(["light", "light", "light"]);
    expect(tones("burnt", "Tan", "Pale blue", "Brass on walnut")).toEqual(["burnt", "burnt", "burnt"]);
    expect(tones("light", "Sand", "Sunset", "Ink")).toEqual(["dark", "dark", "light"]);
  });

  it("give the picture of a card with words; without any it is the colour's", () => {
    const picture = (color: string | null, engraving: string | null) =>
      chosenPicture("minio:a", tag(), { color, engraving });
    expect(picture("Walnut", "Ada")).toMatchObject({ image: "minio:b", plate: { picture: 1 } });
    expect(picture(null, "Ada")).toMatchObject({ image: "minio:b" });
    expect(picture("Steel", "Ada")).toEqual({ image: "minio:a" });
    expect(picture("Walnut", null)).toEqual({ image: "minio:b" });
  });
});

describe("a description", () => {
  const long = "word ".repeat(80);

  it("stays whole while it is short", () => {
    expect(foldText("<p>Short</p><p>and sweet</p>")).toMatchObject({ rest: "" });
  });

  it("folds after its first paragraph, with a label in words of its own", () => {
    const rest = `<ul><li><strong>Fits:</strong> all</li><li><strong>Care:</strong> ${long}</li></ul>`;
    expect(foldText(`<p>First</p>${rest}`)).toEqual({
      lead: "<p>First</p>",
      rest,
      label: "More about it",
    });
  });

  it("without a paragraph begins with its words, escaped", () => {
    const html = `1 &lt; 2<br />${long}`;
    const { lead, rest } = foldText(html);
    expect(lead).toMatch(/^<p>1 &lt; 2 word .*word…<\/p>$/s);
    expect(rest).toBe(html);
  });
});
