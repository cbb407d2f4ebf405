import Papa from "papaparse";
import { beforeAll, describe, expect, it } from "vitest";
import file from "../fixtures/searches.csv?raw";
import { addCatalogue, listed, page, textOf } from "../support/demo-catalogue";
import { admin } from "../support/people";
import { call } from "../support/shop";

type Found = Awaited<ReturnType<typeof listed>>;
/** Check of the hits, best first. */
type Check = (found: Found) => void | Promise<void>;

const [, ...CASES] = Papa.parse<[query: string, rule: string]>(file.trim()).data;

const first =
  (name: RegExp): Check =>
  ([hit]) =>
    expect(hit?.name).toMatch(name);
const atMost = (dollars: number, found: Found) => {
  expect(found.length).toBeGreaterThan(0);
  for (const { name, price } of found) expect(price, name).toBeLessThanOrEqual(dollars);
};
/** Each hit has one of the words, as a whole word or its beginning, so that none is found by a word that resembles it. */
const only =
  (words: RegExp): Check =>
  (found) => {
    expect(found.length).toBeGreaterThan(0);
    for (const { id } of found) expect(textOf(id), id).toMatch(words);
  };

/** The rules of the file, by query. */
const CHECKS: Record<string, Check> = {
  "leahter wallet": (found) =>
    expect(found.slice(0, 3).map(({ name }) => name)).toContain("Leather wallet with initials"),
  braclet: (found) =>
    expect(found.some(({ name, category }) => category === "JEWELRY" && /bangle|bracelet/i.test(name))).toBe(
      true,
    ),
  elodie: first(/oak cheese board/),
  usbc: first(/USB-C cable/),
  "under 30": async (found) => {
    atMost(30, found);
    expect(await page("search=under+30")).toContain('aria-label="Remove: Up to $30"');
  },
  "jewelry under 60": (found) => {
    atMost(60, found);
    expect(new Set(found.map(({ category }) => category))).toEqual(new Set(["JEWELRY"]));
  },
  "lamp under 150": (found) => {
    atMost(150, found);
    expect(found[0]?.name).toMatch(/lamp/);
  },
  "water bottle": first(/^Insulated steel bottle/),
  "bottle 750ml": first(/^Insulated steel bottle/),
  bottle: first(/bottle/),
  gift: only(/\bgift|engrav|initials|monogram/),
  hat: (found) => {
    only(/\bhat|beanie/)(found);
    expect(found[0]?.name).toMatch(/beanie/);
  },
  purse: only(/\bpurse|wallet/),
  keyring: first(/^Engraved key tag$/),
  keychain: first(/^Engraved key tag$/),
  earphones: first(/earbuds/),
  headphones: first(/earbuds/),
  "phone holder": first(/stand|mount/i),
  "laptop holder": first(/^Bent aluminium laptop stand$/),
  // The mug is to be had in moss, a green.
  "mug green": async (found) => {
    expect(found.length).toBeGreaterThan(0);
    for (const { id } of found) expect(textOf(id), id).toMatch(/mug[\s\S]*moss/);
    expect(await page("search=mug+green")).toContain(
      `No green mug. ${found.length > 1 ? found.length : "One"} in moss:`,
    );
    expect(await page("search=mug+purple")).toContain("“mug”, but no “purple”");
  },
  ring: (found) => {
    const named = found.map(({ name }) => /\bring\b/i.test(name));
    expect(named[0]).toBe(true);
    expect(named.lastIndexOf(true)).toBe(named.filter(Boolean).length - 1);
  },
  "fone case": ([hit]) => expect(hit?.category).toBe("PHONE_CASE"),
};

beforeAll(addCatalogue);

describe("searches of the demo shop", () => {
  it.each(CASES)("%s: %s", async (query) => {
    const check = CHECKS[query];
    if (!check) throw new Error(`No check for “${query}”`);
    await check(await listed(query));
  });

  it("have no check without a query", () => {
    expect(Object.keys(CHECKS).filter((query) => !CASES.some(([one]) => one === query))).toEqual([]);
    expect(CASES.length).toBeGreaterThan(20);
  });
});

describe("search in the back office", () => {
  it("finds parts of names, but no part of a word of the description", async () => {
    const { token } = await admin();
    const html = await (await call("/admin/products-management?q=oaster", { token })).text();
    expect(html).toContain("Engraved slate coasters");
    expect(await (await call("/admin/inventory-management?q=hat", { token })).text()).not.toContain(
      "Speckled stoneware mug",
    );
  });
});
