import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import catalogue from "../../data/catalogue.json";
import { addCatalogue, listed, names, page, textOf } from "../support/demo-catalogue";
import { addProduct, call } from "../support/shop";

beforeAll(addCatalogue);

describe("words that shoppers write beside what they look for", () => {
  it.each(["cheap", "cheapest", "affordable", "inexpensive", "budget"])(
    "%s lists what costs least first",
    async (word) => {
      const all = (await listed("")).length;
      for (const [search, hits] of [
        [word, all],
        [`${word} earrings`, (await listed("earrings")).length],
      ] as const) {
        const prices = (await listed(search)).map(({ price }) => price);
        expect(prices, search).toHaveLength(hits);
        expect(prices, search).toEqual(prices.toSorted((a, b) => a - b));
      }
    },
  );

  it("list what has the word in its name before what only mentions it", async () => {
    for (const search of ["cheap ring", "cheap mug", "cheap case"]) {
      const word = new RegExp(`\\b${search.split(" ").at(-1)}`, "i");
      const found = await listed(search);
      const named = found.map(({ name, category }) => word.test(`${name} ${category.replace("_", " ")}`));
      expect(named.lastIndexOf(true), search).toBe(named.filter(Boolean).length - 1);
      for (const group of [true, false]) {
        const prices = found.filter((_, at) => named[at] === group).map(({ price }) => price);
        expect(prices, search).toEqual(prices.toSorted((a, b) => a - b));
      }
    }
  });

  it("show the order that they ask for", async () => {
    expect(await page("search=cheap+case")).toMatch(/<option value="price-asc" selected="">/);
    expect(await page("search=cheap+case&sort=name-asc")).toMatch(/<option value="name-asc" selected="">/);
  });

  it.each(["best mug", "a nice mug", "good mug for my dad", "mug for her", "mug for my best friend"])(
    "%s finds the mug alone",
    async (search) => {
      expect(await names(search)).toEqual(["Speckled stoneware mug"]);
    },
  );

  it.each(["shirt", "shirts", "t-shirt"])("%s is no misspelling of another word", async (search) => {
    expect(await listed(search)).toEqual([]);
    expect(await page(`search=${search}`)).not.toContain("product-card");
  });

  it.each([
    ...["gift", "gifts", "present", "birthday gift", "wedding", "christmas presents", "anniversary"],
    ...[
      "gift for mum",
      "gift for dad under 50",
      "gift for her",
      "gift under $30",
      "gift idea for my sister",
      "gift under 30 with a name",
    ],
  ])("%s finds what can be engraved", async (search) => {
    const found = await listed(search);
    expect(found.length).toBeGreaterThan(1);
    expect(found[0]?.category).toBe("ENGRAVING");
    for (const { id, price } of found) {
      expect(textOf(id), id).toMatch(/gift|present|wedding|engrav|initials|monogram/);
      if (search.includes("under")) expect(price).toBeLessThanOrEqual(50);
    }
  });
});

describe("an occasion beside what is looked for", () => {
  it.each([
    ["wedding ring", /\bring\b/i, 3],
    ["wedding rings", /\bring\b/i, 3],
    ["engagement ring", /\bring\b/i, 3],
    ["birthdy ring", /\bring\b/i, 3],
    ["silver wedding ring", /\bring\b/i, 3],
    ["birthday mug", /mug/, 1],
    ["christmas candle", /candles/, 1],
    ["anniversary watch", /watch/, 1],
    ["valentines necklace", /necklace/, 2],
    ["valentine’s day necklace", /necklace/, 2],
    ["mother's day necklace", /necklace/, 2],
    ["graduation pen", /pen/, 1],
    ["birthday case", /case/, 10],
  ])("%s lists what is named %s first", async (search, thing, count) => {
    const found = await names(search);
    for (const name of found.slice(0, count)) expect(name).toMatch(thing);
    expect(found.length).toBeGreaterThanOrEqual(count);
  });

  it("lists what is made for it first, and counts alone or beside a gift as before", async () => {
    expect((await names("wedding ring"))[0]).toBe("Oval signet ring, engraved with a letter");
    await addProduct({ id: "band", name: "Wedding ring of beech", category: "OTHERS", stock: 0 });
    expect((await names("wedding ring"))[0]).toBe("Wedding ring of beech");
    expect((await names("birthday ring"))[0]).not.toBe("Wedding ring of beech");
    await env.DB.prepare("DELETE FROM products WHERE id = 'band'").run();
    expect(await names("wedding gift")).toEqual(await names("wedding"));
  });

  it("is understood in the suggestions", async () => {
    const answer = await call("/api/product/suggest?q=birthday+mug");
    const { products } = (await answer.json()) as { products: { name: string }[] };
    expect(products.map(({ name }) => name)).toEqual(["Speckled stoneware mug"]);
  });
});

describe("a colour's word that is also a thing", () => {
  it("is the thing beside what it is for", async () => {
    const [first] = await listed("skin cream");
    expect(first?.category).toBe("HEALTH_AND_BEAUTY");
    for (const { category } of await listed("body cream")) expect(category).toBe("HEALTH_AND_BEAUTY");
    expect((await names("cream case"))[0]).toMatch(/phone case in cream/);
  });

  it("comes first where a text has both words side by side", async () => {
    await addProduct({
      ...{ id: "sleeve", name: "Passport sleeve", category: "OTHERS", colors: ["Olive"] },
      searchText: "Wipe it with a drop of oil.",
    });
    await addProduct({
      ...{ id: "bar", name: "Kitchen bar", category: "OTHERS", colors: [], stock: 0 },
      searchText: "Made of olive oil.",
    });
    const found = await names("olive oil");
    expect(found.indexOf("Kitchen bar")).toBeLessThan(found.indexOf("Passport sleeve"));
    expect(found).toContain("Passport sleeve");
    await env.DB.prepare("DELETE FROM products WHERE id IN ('sleeve', 'bar')").run();
  });

  it("says less than the other words where nothing has them all", async () => {
    const html = await page("search=cream+for+my+skin");
    const groups = [...html.matchAll(/“(skin|cream)”, but no/g)].map(([, word]) => word);
    expect(groups).toEqual(["skin", "cream"]);
  });
});

describe("names of phones, colours and holders", () => {
  it("lists the cases first, also beside the number of a model", async () => {
    for (const search of ["iphone case", "iphone 15 case"]) {
      const found = await listed(search);
      const cases = found.filter(({ category }) => category === "PHONE_CASE").length;
      expect(cases, search).toBeGreaterThan(1);
      for (const { category } of found.slice(0, cases)) expect(category, search).toBe("PHONE_CASE");
    }
    expect((await listed("iphone case")).length).toBe((await listed("phone case")).length);
  });

  it("finds phones and what can be engraved by words that mean one kind of them, and not the reverse", async () => {
    await addProduct({ id: "wrap", name: "Gift wrap", category: "OTHERS" });
    await addProduct({ id: "print", name: "Pixel art print", category: "OTHERS" });
    expect(await names("gift")).toEqual(expect.arrayContaining(["Gift wrap", "Engraved key tag"]));
    expect(await names("engraving")).not.toContain("Gift wrap");
    expect(await names("pixel")).toEqual(
      expect.arrayContaining(["Pixel art print", "Soft silicone phone case"]),
    );
    expect(await names("phone")).not.toContain("Pixel art print");
    await env.DB.prepare("DELETE FROM products WHERE id IN ('wrap', 'print')").run();
  });

  it("finds the same by synonyms in either order", async () => {
    const found = (await names("phone stand")).sort();
    expect((await names("phone holder")).sort()).toEqual(found);
    expect(found).toContain("Magnetic charging stand");
    expect(found).not.toContain("Bent aluminium laptop stand");
  });

  it("finds the shades of a colour, and no other shade by one", async () => {
    expect((await names("green mug"))[0]).toBe("Speckled stoneware mug");
    expect(await names("moss mug")).toEqual(["Speckled stoneware mug"]);
    expect(await names("sage mug")).toEqual([]);
  });

  it.each([
    ["green case", /green|moss|sage/, 5],
    ["case green", /green|moss|sage/, 5],
    ["black phone case", /black|ink/, 3],
    ["silver necklace", /silver/, 2],
  ])(
    "lists for %s what is to be had in the colour before what only mentions it",
    async (search, colour, had) => {
      const found = await listed(search);
      const isHad = found.map(({ id, name }) => {
        const product = catalogue.find(({ slug }) => slug === id);
        return colour.test(`${name} ${product?.colors.join(" ")}`.toLowerCase());
      });
      expect(isHad.slice(0, had)).not.toContain(false);
      const isNamed = found.map(({ name, category }) =>
        new RegExp(/case|necklace/.exec(search)?.[0] ?? "", "i").test(`${name} ${category}`),
      );
      expect(isNamed.lastIndexOf(true)).toBe(isNamed.filter(Boolean).length - 1);
      expect(isHad.filter((one, at) => one && isNamed[at])).toHaveLength(had);
    },
  );

  it("suggests cases that mention a colour before other products", async () => {
    const { products } = await (await call("/api/product/suggest?q=green+case")).json<{
      products: { name: string }[];
    }>();
    expect(products.map(({ name }) => name).filter((name) => !/case/i.test(name))).toEqual([]);
  });

  it.each([
    ["green mug", "No green mug. One in moss:"],
    ["mug green under 100", "No green mug. One in moss:"],
    ["green ring", "1 product found</p>"],
  ])("tells of %s whether a hit has the colour by its own name", async (search, line) => {
    expect(await page(`search=${search.replaceAll(" ", "+")}`)).toContain(line);
  });

  it("reads gray as grey, also where a product has gray", async () => {
    await addProduct({ id: "pad", name: "Gray pad" });
    expect(await page("search=gray+sleeve")).toContain("1 product found</p>");
    await env.DB.prepare("DELETE FROM products WHERE id = 'pad'").run();
  });

  it("names a colour that no suggestion has as missing", async () => {
    const missing = async (q: string) => {
      const { products } = await (await call(`/api/product/suggest?q=${q}`)).json<{
        products: { missing?: string[] }[];
      }>();
      return products[0]?.missing;
    };
    expect(await missing("mug+green")).toEqual(["green"]);
    expect(await missing("ring+green")).toBeUndefined();
  });

  it("reads neckless as necklace", async () => {
    expect((await names("neckless"))[0]).toMatch(/necklace/);
  });
});

describe("other forms of the verb in a thing's name", () => {
  const CHARGERS = ["Compact two-port wall charger", "Magnetic charging stand", "Twin-port car charger"];

  it.each(["charger", "chargers", "charge", "charging", "recharger"])(
    "%s finds all chargers first",
    async (search) => {
      expect((await names(search)).slice(0, 3).sort()).toEqual(CHARGERS);
    },
  );

  it("lists the charging stand before cases that mention charging", async () => {
    expect((await names("wireless charger"))[0]).toBe("Magnetic charging stand");
    expect((await names("phone charger")).slice(0, 2)).toEqual([
      "Compact two-port wall charger",
      "Magnetic charging stand",
    ]);
  });

  it("counts in names alone, and does not join words that differ in meaning", async () => {
    const text = "Hanging on the wall, it is flowing, showing, towing, and holding things.";
    await addProduct({ id: "rail", name: "Hanging rail" });
    await addProduct({ id: "film", name: "Flowing, showing, towing, folding, ringing, reading and cutting" });
    await addProduct({ id: "print", name: "Print", searchText: text });
    expect(await names("hanger")).toContain("Hanging rail");
    expect(await names("hangers")).toContain("Hanging rail");
    expect(await names("hanger")).not.toContain("Print");
    for (const search of ["flower", "shower", "tower", "folder", "ringer", "reader", "cutter", "changer"])
      for (const name of ["Print", "Flowing, showing, towing, folding, ringing, reading and cutting"])
        expect(await names(search), search).not.toContain(name);
    await env.DB.prepare("DELETE FROM products WHERE id IN ('rail', 'film', 'print')").run();
  });
});
