import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { addCatalogue, listed, names, page, textOf } from "../support/demo-catalogue";
import { addProduct, call } from "../support/shop";

beforeAll(addCatalogue);

describe("a shopper's words in the demo catalogue", () => {
  it.each([
    ["leahter wallet", "Leather wallet with initials"],
    [
      "elodie",
      "Engraved oak cheese board «\u00a0La cuisine d’Élodie\u00a0», with your own words in French or English",
    ],
    ["water bottle", "Insulated steel bottle, 750 ml"],
    ["bottle 750ml", "Insulated steel bottle, 750 ml"],
    ["750 ml", "Insulated steel bottle, 750 ml"],
    ["bottle", "Insulated steel bottle, 750 ml"],
    ["hat", "Ribbed wool beanie"],
    ["hats", "Ribbed wool beanie"],
    ["headphone", "Pebble wireless earbuds"],
    ["keyring", "Engraved key tag"],
    ["key rings", "Engraved key tag"],
    ["keychain", "Engraved key tag"],
    ["keyr", "Engraved key tag"],
    ["engraved keych", "Engraved key tag"],
    ["earph", "Pebble wireless earbuds"],
    ["earphones", "Pebble wireless earbuds"],
    ["headphones", "Pebble wireless earbuds"],
    ["laptop holder", "Bent aluminium laptop stand"],
    ["Leather wallet with initials", "Leather wallet with initials"],
    ["lamp under 150", "Mushroom table lamp"],
    // The misspelled word before what it means.
    ["earings", "Tapered hoop earrings"],
    ["0.75l", "Insulated steel bottle, 750 ml"],
    ["keychain name", "Engraved key tag"],
    ["key tag with a name", "Engraved key tag"],
    ["75 cl bottle", "Insulated steel bottle, 750 ml"],
  ])("%s finds %s first", async (search, name) => {
    expect((await names(search))[0]).toBe(name);
  });

  it("finds what has two words as one, in singular and plural", async () => {
    await addProduct({ id: "hoops", name: "Silver hoop earrings" });
    for (const search of ["ear ring", "ear rings", "earring", "earrings"])
      expect(await names(search), search).toContain("Silver hoop earrings");
  });

  it("finds a name whose apostrophe is left out", async () => {
    const searches: Record<string, string[]> = {
      "Ka'ahumanu koa bowl": ["kaahumanu", "Kaahumanu bowl", "ka ahumanu", "Kaʻahumanu"],
      "Hawaiʻi island print": ["hawaii", "hawaii print", "Hawai'i", "hawai"],
      "O’Brien crest plaque": ["obrien", "o brien", "O'Brien", "obriens"],
      "Queen Ka’ahumanu’s lei": ["kaahumanu lei", "kaahumanus"],
      "S’mores skewer": ["smores", "s'mores"],
    };
    for (const name of Object.keys(searches)) await addProduct({ name });
    for (const [name, typed] of Object.entries(searches))
      for (const search of typed) expect(await names(search), search).toContain(name);
  });

  it("finds what a word sounds like or contains, and its two halves", async () => {
    expect((await names("braclet"))[0]).toMatch(/bangle|bracelet/i);
    expect((await names("usbc cable"))[0]).toMatch(/USB-C cable/);
    expect((await listed("usbc")).length).toBeGreaterThan(3);
    expect((await listed("fone case"))[0]?.category).toBe("PHONE_CASE");
    expect((await names("phone holder")).slice(0, 3).join()).toMatch(/stand|mount/i);
  });

  it("finds no two longer words that meet across the sentences of a description", async () => {
    expect(await names("candlestick")).toEqual([]);
    expect(await page("search=candlestick")).toContain('href="/shop?search=candles"');
  });

  it("reads numbers in digits and in words as one", async () => {
    for (const search of ["set of 4", "set of four", "coasters 4"])
      expect((await names(search))[0], search).toBe("Engraved slate coasters, set of four");
  });

  it.each([
    ["what do you have for a car", "car"],
    ["which lamps do you have", "lamps"],
    ["green things", "green"],
    ["colour green", "green"],
    ["color green", "green"],
    ["a mug in green colour", "green mug"],
  ])("asks of %s for no more than of %s", async (search, subject) => {
    const found = await names(search);
    expect(found.length).toBeGreaterThan(0);
    expect(found.toSorted()).toEqual((await names(subject)).toSorted());
  });

  it("lists names with the word before descriptions with it", async () => {
    expect((await names("ring")).slice(0, 3).every((name) => /\bring\b/i.test(name))).toBe(true);
  });

  it.each(["gift", "hat", "purse", "lampe"])("%s matches no word that only resembles it", async (search) => {
    const own =
      {
        gift: /gift|engrav|initials|monogram/,
        hat: /\bhat|beanie/,
        purse: /purse|wallet/,
        lampe: /\blamp/,
      }[search] ?? /$^/;
    for (const { id } of await listed(search)) expect(textOf(id), id).toMatch(own);
  });
});

const OAK_BOARD =
  "Engraved oak cheese board «\u00a0La cuisine d’Élodie\u00a0», with your own words in French or English";

describe("words for what the catalogue calls otherwise", () => {
  it.each([
    ["wooden board", [OAK_BOARD, "Engraved walnut serving board"]],
    ["wooden boards", [OAK_BOARD, "Engraved walnut serving board"]],
    ["wood bord", [OAK_BOARD, "Engraved walnut serving board"]],
    ["cutting board", [OAK_BOARD, "Engraved walnut serving board"]],
    ["chopping boards", [OAK_BOARD, "Engraved walnut serving board"]],
    ["wooden clock", ["Walnut table clock"]],
    ["mousepad", ["Wool felt desk mat"]],
    ["cardholder", ["Leather wallet with initials"]],
    ["travel mug", ["Engraved steel tumbler"]],
    ["tote bag", ["Canvas market tote"]],
    ["photo frame", ["Solid wood picture frame with a cut mat, for prints of 20 by 25 centimetres"]],
    ["pillow", ["Striped wool cushion"]],
    ["hard drive", ["Pocket solid-state drive"]],
    ["toque", ["Ribbed wool beanie"]],
    ["windshield shade", ["Folding windscreen shade"]],
    ["hand cream", ["Oat hand balm"]],
    ["screen protector", ["Screen glass, pack of two"]],
    ["notepad", ["Linen cover notebook"]],
  ])("%s finds %j among the first", async (search, expected) => {
    const found = (await names(search)).slice(0, Math.max(3, expected.length));
    expect(found).toEqual(expect.arrayContaining(expected));
    if (search !== "cardholder") expect(expected).toContain(found[0]);
  });

  it("are found with the typos that words of the catalogue may have", async () => {
    const mat = "Wool felt desk mat";
    for (const [search, name] of [
      ["keychians", "Engraved key tag"],
      ["keychan", "Engraved key tag"],
      ["key chian", "Engraved key tag"],
      ["hedphones", "Pebble wireless earbuds"],
      ["haedphonse", "Pebble wireless earbuds"],
      ["headphoens", "Pebble wireless earbuds"],
      ["earfones", "Pebble wireless earbuds"],
      ["purze", "Leather wallet with initials"],
      ["mosue pad", mat],
      ["moues pads", mat],
      ["water botle", "Insulated steel bottle, 750 ml"],
      ["cuting board", OAK_BOARD],
      ["woden bord", OAK_BOARD],
      ["choping bord", OAK_BOARD],
    ] as const)
      expect((await names(search))[0], search).toBe(name);
  });

  it("are found with typos in the suggestions, and named on the page", async () => {
    const answer = await call("/api/product/suggest?q=keychians");
    const { products } = (await answer.json()) as { products: { name: string }[] };
    expect(products.map(({ name }) => name)).toEqual(["Engraved key tag"]);
    expect(await page("search=keychians")).toContain("<b>keychians</b><small> or key tag</small>");
  });

  it.each(["hta", "pusre for xy", "kezchqin", "pruze"])(
    "are not found with more typos: %s",
    async (search) => {
      expect(await listed(search)).toEqual([]);
    },
  );

  it("name a kind of goods, and not the reverse", async () => {
    await addProduct({ id: "light", name: "Bicycle light", category: "OTHERS" });
    await addProduct({ id: "spoon", name: "Wooden spoon", category: "OTHERS" });
    expect(await names("light")).toEqual(expect.arrayContaining(["Bicycle light", "Mushroom table lamp"]));
    expect(await names("lamp")).not.toContain("Bicycle light");
    expect(await names("walnut")).not.toContain("Wooden spoon");
    expect(await names("wood")).toContain("Wooden spoon");
    await env.DB.prepare("DELETE FROM products WHERE id IN ('light', 'spoon')").run();
  });

  it("name a kind of goods also by their beginning, and not the reverse", async () => {
    const meanings = env.DB.prepare(
      "INSERT INTO search_synonyms (word, meaning, both_ways) VALUES ('lamp', 'xylolite', 0), ('lamp', 'zarfite', 1)",
    );
    await meanings.run();
    expect(await names("zarfi")).toContain("Mushroom table lamp");
    expect(await names("xylol")).toEqual([]);
    await env.DB.prepare("DELETE FROM search_synonyms WHERE meaning IN ('xylolite', 'zarfite')").run();
  });

  it("are no word of the shop where no product is what they mean", async () => {
    await env.DB.prepare("INSERT INTO search_synonyms (word, meaning) VALUES ('zeppelin', 'airship')").run();
    expect(await page("search=zeppelin")).toContain("<b>zeppelin</b><small> in no product</small>");
    await addProduct({ id: "airship", name: "Airship", category: "OTHERS" });
    expect(await names("zepelins")).toEqual(["Airship"]);
    await env.DB.prepare("DELETE FROM products WHERE id = 'airship'").run();
  });
});

describe("a price in a search", () => {
  it.each([
    ["under 30", 0, 30],
    ["jewelry under 60", 0, 60],
    ["below $60", 0, 60],
    ["30-50", 30, 50],
    ["between 30 and 50", 30, 50],
    ["case over $30", 30, Number.POSITIVE_INFINITY],
    ["$25", 0, 25],
    ["25 dollars", 0, 25],
    ["25$", 0, 25],
    ["around $25", 20, 30],
    ["from 30", 30, Number.POSITIVE_INFINITY],
    ["30+", 30, Number.POSITIVE_INFINITY],
    ["£20", 0, 20],
    ["20€", 0, 20],
    ["dollar 25", 0, 25],
  ])("%s lists prices from %d to %d", async (search, min, max) => {
    const found = await listed(search);
    expect(found.length).toBeGreaterThan(0);
    for (const { price, name } of found) {
      expect(price, name).toBeGreaterThanOrEqual(min);
      expect(price, name).toBeLessThanOrEqual(max);
    }
    if (search.startsWith("jewelry"))
      expect(new Set(found.map((one) => one.category))).toEqual(new Set(["JEWELRY"]));
  });

  it("is a filter with a link that removes it, and keeps the words", async () => {
    const html = await page("search=lamp+under+150");
    expect(html).toMatch(
      /<a[^>]+aria-label="Remove: Up to \$150"[^>]+href="\/shop\?search=lamp"|href="\/shop\?search=lamp"[^>]+aria-label="Remove: Up to \$150"/,
    );
    expect(html).toContain('name="max"');
    expect(html).toMatch(/name="max"[^>]*value="150"/);
  });

  it("of an amount of money alone is the most that it may cost, with a link that removes it", async () => {
    expect(await page("search=%2425")).toMatch(/aria-label="Remove: Up to \$25"/);
    expect(await listed("25")).not.toEqual(await listed("$25"));
    expect((await listed("25")).some(({ price }) => price > 25)).toBe(true);
  });

  it("is no price where a unit follows", async () => {
    expect((await listed("under 30 cm")).length).not.toBe((await listed("under 30")).length);
  });

  it("is offered alone where the words match nothing at all", async () => {
    const cheap = await listed("under 30");
    for (const [search, words] of [
      ["xyzzy under 30", "xyzzy"],
      ["% under 30", "%"],
    ] as const) {
      expect(await listed(search), search).toEqual([]);
      const html = await page(`search=${encodeURIComponent(search)}`);
      expect(html, search).toContain(`No “${words}” up to $30. This comes closest:`);
      expect(html, search).toContain("Everything up to $30");
      expect(html, search).toMatch(new RegExp(`href="/shop\\?max=30"[^>]*>All ${cheap.length}<`));
      expect(html.match(/<article class="product-card/g), search).toHaveLength(4);
    }
    const { products, price } = (await (await call("/api/product/suggest?q=xyzzy+under+30")).json()) as {
      products: { price: number; missing: string[] }[];
      price: object;
    };
    expect(price).toEqual({ label: "Up to $30", without: "xyzzy" });
    expect(products).toHaveLength(4);
    for (const { price, missing } of products) expect([price <= 30, missing]).toEqual([true, ["xyzzy"]]);
  });

  it("keeps the way to the matches at other prices", async () => {
    const html = await page("search=case+under+10");
    expect(html).toContain("“case” at other prices");
    expect(html).toMatch(/href="\/shop\?search=case"[^>]*>All \d+</);
  });

  it("stays with what lacks a word", async () => {
    const html = await page("search=mug+leather+under+100");
    expect(html).toContain("No “mug leather” up to $100. This comes closest:");
    expect(html).toMatch(/href="\/shop\?search=leather(?:&amp;|&)max=100"/);
  });
});
