import { describe, expect, it } from "vitest";
import {
  candidateMatches,
  lookup,
  MAX_LETTERS,
  MAX_WORDS,
  searchPlan,
  searchTerms,
  similarWords,
  singulars,
  typoKeys,
  withinOneTypo,
} from "./search";

const WORDS = "ring mug case lamp bracelet bracelets necklace engraving personalised silicone żółw чехол"
  .split(" ")
  .map((word) => searchTerms(word)[0] ?? "");
const nothing = { inside: [], near: [] };

/** All misspellings of one kind. */
const typos: Record<string, (word: string[]) => string[][]> = {
  "a letter missing": (word) => word.map((_, at) => word.toSpliced(at, 1)),
  "a letter extra": (word) => [...word, ""].map((_, at) => word.toSpliced(at, 0, "q")),
  "a letter wrong": (word) => word.map((_, at) => word.with(at, "q")),
  "two letters swapped": (word) =>
    word.slice(1).map((letter, at) => word.toSpliced(at, 2, letter, word[at] ?? "")),
};

/** The keys that the migration's trigger stores for a word. */
const storedKeys = (word: string) =>
  new Set(
    [3, 4, 5, 6, 7]
      .filter((length) => length <= word.length)
      .flatMap((length) => typoKeys(word.slice(0, length))),
  );

describe("searchTerms", () => {
  it("splits at everything but letters and digits, ignoring case, diacritics and repetitions", () => {
    expect(searchTerms("  Café-Crème, CAFE\tphone_case 6.1″")).toEqual([
      "cafe",
      "creme",
      "phone",
      "case",
      "6",
      "1",
    ]);
  });

  it("keeps marks that form another letter, like the index", () => {
    expect(searchTerms("Чехол й 한국어 ø")).toEqual(["чехол", "й", "한국어", "ø"]);
  });

  it("finds no word in blanks, punctuation, emoji, control characters and lone surrogates", () => {
    for (const text of [
      "",
      "   ",
      "!?*\"'():^-+",
      "🎁💍",
      "\u0000\u0007\u001b",
      "\ud83d",
      "\udc00\ud800",
      "%_\\",
    ]) {
      expect(searchTerms(text), JSON.stringify(text)).toEqual([]);
    }
  });

  it("uses at most 8 words of 40 characters", () => {
    expect(searchTerms(Array.from({ length: 2000 }, (_, at) => `w${at}`).join(" "))).toHaveLength(MAX_WORDS);
    expect(searchTerms("x".repeat(10_000))).toEqual(["x".repeat(MAX_LETTERS)]);
    expect(searchTerms("𝒜".repeat(100))).toEqual(["𝒜".repeat(MAX_LETTERS)]);
  });
});

describe.each(Object.entries(typos))("%s", (_, misspell) => {
  it.each(WORDS)("is within one typo of %s and shares a key with it", (word) => {
    for (const wrong of misspell(Array.from(word)).map((letters) => letters.join(""))) {
      expect(withinOneTypo(wrong, word), wrong).toBe(true);
      expect(withinOneTypo(word, wrong), wrong).toBe(true);
      if (wrong.length < 3) continue;
      const keys = storedKeys(word);
      expect(
        lookup(wrong).keys.some((key) => keys.has(key)),
        wrong,
      ).toBe(true);
      expect(
        wrong.startsWith(word) || word.startsWith(wrong) || similarWords(wrong, [word]).length === 1,
        wrong,
      ).toBe(true);
    }
  });

  it("matches in the prefix of a longer word, before its last letter", () => {
    const beginning = Array.from("bracel");
    for (const letters of misspell(beginning).filter((wrong) => wrong.at(-1) === "l")) {
      const typed = letters.join("");
      expect(candidateMatches(typed, "bracelets"), typed).toBe(true);
      expect(
        lookup(typed).keys.some((key) => storedKeys("bracelets").has(key)),
        typed,
      ).toBe(true);
    }
  });
});

describe("typos", () => {
  it("match braclet and barcelet to bracelets, and braclets to bracelet", () => {
    expect(similarWords("braclet", ["bracelets", "bracket", "brace"])).toContain("bracelets");
    expect(similarWords("barcelet", ["bracelets"])).toEqual(["bracelets"]);
    expect(similarWords("braclets", ["bracelet"])).toEqual(["bracelet"]);
  });

  it("do not match when a word has two", () => {
    for (const wrong of ["brcalte", "xracelex", "bacelt", "tecelarb"])
      expect(withinOneTypo(wrong, "bracelet")).toBe(false);
  });

  it("do not match a short word to longer words of a similar beginning", () => {
    expect(candidateMatches("case", "cashmere")).toBe(false);
    expect(candidateMatches("mug", "muffler")).toBe(false);
  });

  it("are not searched in numbers and words under 3 letters", () => {
    expect(lookup("4821").keys).toEqual([]);
    expect(lookup("ab")).toEqual({ word: "ab", inside: false, keys: [] });
  });

  it("are sorted nearest first, at most 30", () => {
    expect(similarWords("xase", ["cased", "cases", "vase", "case"])).toEqual([
      "case",
      "vase",
      "cased",
      "cases",
    ]);
    const many = Array.from({ length: 60 }, (_, at) => `ca${String.fromCodePoint(0x430 + at)}e`);
    expect(similarWords("case", many)).toHaveLength(30);
  });
});

describe("singulars", () => {
  it("removes plural endings only", () => {
    expect(singulars("cases")).toEqual(["case", "cas"]);
    expect(singulars("boxes")).toContain("box");
    expect(singulars("batteries")).toContain("battery");
    for (const word of ["glass", "gas", "ring"]) expect(singulars(word)).toEqual([]);
  });
});

describe("searchPlan", () => {
  it("requires all words, each in any of its forms", () => {
    const plan = searchPlan(["silver", "ring"], [nothing, { inside: ["earring"], near: ["rink"] }]);
    expect(plan.typed).toBe('("silver"*) AND ("ring"*)');
    expect(plan.wide).toBe('("silver"*) AND ("ring"* OR "earring" OR "rink")');
    expect(plan.tiers[0]).toBe('{name category} : (("silver") AND ("ring"))');
  });

  it("treats infixes as regular matches for the back office", () => {
    const vocabulary = [{ inside: ["earring"], near: [] }];
    expect(searchPlan(["ring"], vocabulary).typed).not.toContain("earring");
    expect(searchPlan(["ring"], vocabulary, { insideWords: true }).typed).toContain("earring");
  });

  it("quotes every word, so that operators have no effect", () => {
    const words = searchTerms('AND OR not near(*) "x');
    expect(
      searchPlan(
        words,
        words.map(() => nothing),
      ).typed,
    ).toBe('("and"*) AND ("or"*) AND ("not"*) AND ("near"*) AND ("x"*)');
  });
});
