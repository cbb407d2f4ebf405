import { describe, expect, it } from "vitest";
import { beginningsOf, groupTerms, searchPlan, type Vocabulary } from "./search";
import { MAX_LETTERS, MAX_WORDS, readQuery, searchTerms } from "./search-query";
import {
  alikeSpellings,
  candidateMatches,
  isSimilar,
  lookup,
  numberForms,
  otherNumeral,
  similarWords,
  singulars,
  typoKeys,
  typosBetween,
} from "./search-words";

const WORDS = "ring mug case lamp bracelet bracelets necklace engraving personalised silicone żółw чехол"
  .split(" ")
  .map((word) => searchTerms(word)[0] ?? "");
const known = { isKnown: true, inside: [], alike: [], near: [], splits: [], verbs: [] };
const none = {
  ...{ synonyms: new Map<string, string[]>(), resembling: new Map<string, string[]>() },
  joined: new Set<string>(),
};

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

  it("splits scripts without spaces into words, and folds compatible forms", () => {
    expect(searchTerms("国际运费 Ｔシャツ ﬁne กระเป๋าหนังแท้")).toEqual([
      ...["国际", "运费", "t", "シャツ", "fine", "กระเป๋า", "หนัง", "แท้"],
    ]);
  });

  it("keeps marks that form another letter, like the index", () => {
    expect(searchTerms("Чехол й 한국어 ø")).toEqual(["чехол", "й", "한국어", "o"]);
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
    const many = Array.from({ length: 2000 }, (_, at) => `w${at}`).join(" ");
    expect(readQuery(many).words).toHaveLength(MAX_WORDS);
    expect(searchTerms("x".repeat(10_000))).toEqual(["x".repeat(MAX_LETTERS)]);
    expect(searchTerms("𐐨".repeat(100))).toEqual(["𐐨".repeat(MAX_LETTERS)]);
  });
});

describe.each(Object.entries(typos))("%s", (_, misspell) => {
  it.each(WORDS)("is within one typo of %s and shares a key with it", (word) => {
    for (const wrong of misspell(Array.from(word)).map((letters) => letters.join(""))) {
      expect(typosBetween(wrong, word, 1), wrong).toBeLessThanOrEqual(1);
      expect(typosBetween(word, wrong, 1), wrong).toBeLessThanOrEqual(1);
      // Short words and those of four letters have no typos.
      if (Math.min(wrong.length, word.length) < 5) continue;
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

  it("stand for a phrase with a synonym as a whole word: a lampe is no hamper", () => {
    expect(isSimilar("hampre", "hamper")).toBe(true);
    expect(isSimilar("earphne", "earphones")).toBe(true);
    expect(isSimilar("earphnes", "earphone")).toBe(true);
    expect(isSimilar("lampe", "hamper")).toBe(false);
  });

  it("match a wrong last letter of a beginning that two letters follow, and not three", () => {
    expect(candidateMatches("bracelx", "bracelets")).toBe(true);
    expect(candidateMatches("bracex", "bracelets")).toBe(false);
  });

  it("do not match when a word has two", () => {
    for (const wrong of ["brcalte", "xracelex", "bacelt", "tecelarb"])
      expect(typosBetween(wrong, "bracelet", 1)).toBe(2);
  });

  it("do not match a short word to longer words of a similar beginning", () => {
    expect(candidateMatches("case", "cashmere")).toBe(false);
    expect(candidateMatches("mug", "muffler")).toBe(false);
  });

  it("are not searched in numbers and words under 3 letters", () => {
    expect(lookup("4821").keys).toEqual([]);
    expect(lookup("ab")).toMatchObject({ word: "ab", keys: [], ending: null, alike: [], splits: [] });
  });

  it("are no typos in words of four letters, and two from nine on", () => {
    expect(similarWords("gift", ["lift", "gifts"])).toEqual([]);
    expect(similarWords("gifts", ["lifts", "lift"])).toEqual([]);
    expect(similarWords("candels", ["candles"])).toEqual(["candles"]);
    expect(similarWords("purse", ["pure"])).toEqual([]);
    expect(similarWords("alumnium", ["aluminium"])).toEqual(["aluminium"]);
    expect(similarWords("alumnnium", ["aluminium"])).toEqual(["aluminium"]);
    expect(similarWords("waterprufe", ["waterproof"])).toEqual([]);
  });

  it("share a key or an ending with the word, also two of them", () => {
    const word = "waterproof";
    for (const wrong of ["wtaerproff", "awterpr oof".replace(" ", ""), "waxerpxoof", "waterprf"]) {
      const { keys, ending } = lookup(wrong);
      const isFound =
        keys.some((key) => storedKeys(word).has(key)) || (ending !== null && word.endsWith(ending));
      expect(isFound, wrong).toBe(true);
    }
  });

  it("are no common words", () => {
    expect(similarWords("cheap", ["chap"])).toEqual([]);
    expect(similarWords("shirts", ["short", "shorts"])).toEqual([]);
    expect(similarWords("shrit", ["shirt"])).toEqual(["shirt"]);
  });

  it("are sorted nearest first, at most 30", () => {
    expect(similarWords("cables", ["tables", "cable", "fabels"])).toEqual(["cable", "tables"]);
    const many = Array.from({ length: 60 }, (_, at) => `cabl${String.fromCodePoint(0x430 + at)}s`);
    expect(similarWords("cables", many)).toHaveLength(30);
  });
});

describe("spellings", () => {
  it("of the same sound", () => {
    expect(alikeSpellings("fone")).toContain("phone");
    expect(alikeSpellings("gray")).toContain("grey");
    expect(alikeSpellings("gift")).not.toContain("lift");
  });

  it("of numbers: singular and plural", () => {
    expect(numberForms("mug")).toEqual(["mug", "mugs"]);
    expect(numberForms("brush")).toEqual(["brush", "brushs", "brushes"]);
    expect(numberForms("batteries")).toContain("battery");
  });
});

describe("readQuery", () => {
  it.each([
    ["mug under 30", "mug", null, 3000],
    ["lamp below $60", "lamp", null, 6000],
    ["30-50", "", 3000, 5000],
    ["ring $1,200.50 - $900", "ring", 90_000, 120_050],
    ["between 20 and 40 dollars case", "case", 2000, 4000],
    ["over 99 lamp", "lamp", 9900, null],
    ["$25", "", null, 2500],
    ["25 dollars", "", null, 2500],
    ["25$", "", null, 2500],
    ["CA$25.50 mug", "mug", null, 2550],
    ["gift card 1,200 cad", "gift card", null, 120_000],
    ["ring for 30 bucks", "ring for", null, 3000],
    ["around $25", "", 2000, 3000],
    ["lamp about 100", "lamp", 8000, 12_000],
    ["30 or less", "", null, 3000],
    ["$50 and up", "", 5000, null],
    ["$50+ lamp", "lamp", 5000, null],
    ["from 30", "", 3000, null],
    ["mugs from 30", "mugs", 3000, null],
    ["30+", "", 3000, null],
    ["£20", "", null, 2000],
    ["20€ mug", "mug", null, 2000],
    ["under €20", "", null, 2000],
    ["dollar 25", "", null, 2500],
    ["US$25", "", null, 2500],
    ["15.50", "", null, 1550],
    ["mug 1,019.50", "mug", null, 101_950],
    ["15.50+", "", 1550, null],
    ["under thirty", "", null, 3000],
    ["mug under twenty-five", "mug", null, 2500],
    ["Under a hundred and fifty lamp", "lamp", null, 15_000],
    ["fifty dollars", "", null, 5000],
    ["between twenty and forty", "", 2000, 4000],
    ["ring over two hundred", "ring", 20_000, null],
    ["ｕｎｄｅｒ ３０", "", null, 3000],
    ["over 50 under 60", "", 5000, 6000],
    ["above 20 below 40 mug", "mug", 2000, 4000],
    ["more than 20 less than 30", "", 2000, 3000],
    ["mug under 60 and over 50", "mug", 5000, 6000],
    ["over $20 mug under $30", "mug", 2000, 3000],
    ["no more than 30 but no less than 20", "", 2000, 3000],
    ["not over 30, not under 20", "", 2000, 3000],
    ["at most 30 at least 20", "", 2000, 3000],
    ["from 20 up to 30", "", 2000, 3000],
    [">20 <30", "", 2000, 3000],
    ["min 20 max 30 mug", "mug", 2000, 3000],
    ["20 and up under 30", "", 2000, 3000],
    ["20 or more, 30 or less", "", 2000, 3000],
    ["20 and over 30 and under", "", 2000, 3000],
    ["30 or less over 20", "", 2000, 3000],
    ["$20+ under 30", "", 2000, 3000],
    ["over twenty under thirty", "", 2000, 3000],
    ["not more than 30", "", null, 3000],
    ["under 30,50", "", null, 3050],
    ["mug under 30,5", "mug", null, 3050],
    ["under 1,200", "", null, 120_000],
    ["under 1.200,50", "", null, 120_050],
    ["30,50 €", "", null, 3050],
    ["between 20,50 and 30,50", "", 2050, 3050],
    ["no less than 20", "", 2000, null],
  ])("reads the price of %s", (query, text, min, max) => {
    expect(readQuery(query)).toMatchObject({ text, price: { min, max } });
  });

  it.each([
    ...["under 30 cm", "11-16 inches", "usb 3", "750ml", "18/8 steel", "wonder 30", "6.1-inch"],
    ...["25", "iphone 15", "iphone 15+", "15 pro max", "2 m cable", "set of 4", "size 30 ring"],
    ...["about 30 cm", "25 or so", "4 and a half", "dollars", "$", "61 keys"],
    ...["15.50 cm", "usb 3.1", "1.2.50", "2.505"],
    ...["usb 3.20", "USB-C 3.20 hub", "bluetooth 5.30", "hdmi 2.10", "set of two", "twenty one pilots"],
  ])("reads no price in %s", (query) => expect(readQuery(query).price).toBeNull());

  it("reads a number with its unit as one word, with and without a space", () => {
    const [glued, spaced] = [readQuery("bottle 750ml").words, readQuery("bottle 750 ml").words];
    expect(glued).toEqual(spaced);
    expect(glued[1]?.spellings).toEqual(expect.arrayContaining(["750 ml", "750ml"]));
    expect(readQuery("6.1″ case").words[0]?.spellings).toContain("6 1 inch");
  });

  it.each(["moss case in stock", "in-stock moss case", "available moss case", "moss case available now"])(
    "reads no words about the stock in %s",
    (query) => expect(readQuery(query).words.map(({ text }) => text)).toEqual(["moss", "case"]),
  );

  it("leaves out stop words, in the back office unless there is nothing else", () => {
    expect(readQuery("a mug for my desk").words.map(({ text }) => text)).toEqual(["mug", "desk"]);
    expect(readQuery("with the")).toEqual({ text: "", price: null, words: [], isCheapestFirst: false });
    expect(readQuery("the", false).words.map(({ text }) => text)).toEqual(["the"]);
  });
});

describe("words that name nothing", () => {
  it.each([
    ["what do you have for a car", ["car"]],
    ["which mugs do you have?", ["mugs"]],
    ["how much would a lamp be", ["lamp"]],
    ["green things", ["green"]],
    ["stuff for the desk", ["desk"]],
    ["leather items", ["leather"]],
    ["lamp not table", ["lamp", "table"]],
    ["kitchen products", ["kitchen"]],
    ["colour green", ["green"]],
    ["mug in green color", ["mug", "green"]],
    ["navy coloured case", ["navy", "case"]],
    ["colour pencil", ["colour", "pencil"]],
  ])("are left out of %j", (query, words) => {
    expect(readQuery(query).words.map(({ text }) => text)).toEqual(words);
  });

  it("count in a price", () => {
    const price = { min: null, max: 3000 };
    expect(readQuery("lamp not more than 30")).toMatchObject({ price, words: [{ text: "lamp" }] });
  });
});

describe("numbers", () => {
  it("in digits and in words are one, up to twelve", () => {
    expect(otherNumeral("4")).toEqual(["four"]);
    expect(otherNumeral("twelve")).toEqual(["12"]);
    for (const word of ["13", "0", "mug", "thirteen"]) expect(otherNumeral(word)).toEqual([]);
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

/** Terms of a text whose words products have. */
const termsOf = (text: string, vocabulary: Vocabulary = known, found = none) => {
  const { words } = readQuery(text);
  return groupTerms(
    words,
    words.map(() => vocabulary),
    found,
  );
};

describe("searchPlan", () => {
  it("requires all words, each in any of its forms", () => {
    const plan = searchPlan(termsOf("silver ring", { ...known, near: ["rink"] }), "silver ring");
    expect(plan.typed).toBe('("silver"*) AND ("ring"*)');
    expect(plan.wide).toBe('("silver"* OR "rink") AND ("ring"* OR "rink")');
    expect(plan.tiers[0]).toMatch(/^\{name\} : \(\("silver" OR/);
  });

  it("finds synonyms in names and categories, also of several words", () => {
    const synonyms = new Map([["phone holder", ["stand"]]]);
    const terms = termsOf("black phone holder", known, { ...none, synonyms });
    expect(terms.map(({ label }) => label)).toEqual(["black", "phone holder"]);
    expect(searchPlan(terms, "").typed).toContain('{name category} : ("stand" OR "stands")');
  });

  it("finds what a phrase with typos means, only in words that no product has and only where typos count", () => {
    const resembling = new Map([["phone holder", ["stand"]]]);
    const unknown = { ...known, isKnown: false };
    const [term] = termsOf("phone hodler", unknown, { ...none, resembling });
    expect(term).toMatchObject({ label: "phone hodler", synonyms: [], misspelled: ["stand"] });
    const { typed, wide } = searchPlan(term ? [term] : [], "");
    expect([typed.includes("stand"), wide.includes("stand")]).toEqual([false, true]);
    expect(termsOf("phone hodler", known, { ...none, resembling })).toHaveLength(2);
    expect(termsOf("phone xolder", unknown, { ...none, resembling })[0]?.misspelled).toEqual(["stand"]);
    expect(termsOf("phone xoldre", unknown, { ...none, resembling })).toHaveLength(2);
  });

  it("takes the ends of a query from three letters on for the beginning of a synonym", () => {
    expect(beginningsOf(readQuery("black phone hol").words)).toEqual([
      ...["hol", "phone hol", "phonehol", "black phone hol", "blackphonehol"],
    ]);
    expect(beginningsOf(readQuery("ke").words)).toEqual([]);
  });

  it("finds two words as one", () => {
    const terms = termsOf("key ring", known, { ...none, joined: new Set(["keyring"]) });
    expect(terms).toHaveLength(1);
    expect(searchPlan(terms, "").typed).toContain('"keyring"*');
  });

  it("finds parts of words of a name in the back office alone", () => {
    const terms = termsOf("ring", { ...known, inside: ["earring"] });
    expect(searchPlan(terms, "").typed).not.toContain("earring");
    expect(searchPlan(terms, "", { insideWords: true }).typed).toContain('{name} : ("earring")');
  });

  it("quotes every word, so that operators have no effect", () => {
    const { typed } = searchPlan(termsOf('AND OR not near(*) "x'), "");
    expect(typed).toContain('"near"*');
    expect(typed.replace(/"[^"]*"/g, "w")).not.toMatch(/[("]x|near|not/i);
  });
});
