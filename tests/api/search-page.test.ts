import { beforeAll, describe, expect, it } from "vitest";
import { costOf } from "../support/cost";
import { addCatalogue, listed, page } from "../support/demo-catalogue";
import { addProduct, call } from "../support/shop";

beforeAll(addCatalogue);

const categoryNav = (html: string) => /<nav class="category-links"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? "";

describe("the page of a search", () => {
  it("has the search as its heading, and numbers of matches beside the categories", async () => {
    const html = await page("search=mug");
    expect(html).toContain("Results for “mug”</h1>");
    expect(html).not.toContain("Everything in the shop.");
    const nav = categoryNav(html);
    expect(nav).toContain("All <span>1</span>");
    expect(nav).toContain("Others <span>1</span>");
    expect(nav).not.toContain("Jewelry");
  });

  it.each(["the", "an", "of", "that", "for", "with a", "under", "for mum", "for my sister"])(
    "lists all products for %j, which describes no product, with a notice",
    async (search) => {
      const all = await listed("");
      expect(await listed(search)).toEqual(all);
      const html = await page(`search=${encodeURIComponent(search)}`);
      expect(html).toContain("No word of it names a product: here are all.");
      expect(html).toContain(`${all.length} products found`);
      expect(await listed(`${search} under 30`)).toEqual(await listed("under 30"));
    },
  );

  it.each(["watch band", "mug leather", "xyzzy under 30"])(
    "counts the closest matches of %s beside the filters",
    async (search) => {
      const html = await page(`search=${encodeURIComponent(search)}`);
      const sections = html.split('<section class="near">').slice(1);
      const total = sections.reduce((sum, section) => {
        const cards = section.match(/<article/g)?.length ?? 0;
        return sum + Number(/>All (\d+)<\/a>/.exec(section)?.[1] ?? cards);
      }, 0);
      const nav = categoryNav(html);
      const [all, ...categories] = [...nav.matchAll(/<span>(\d+)<\/span>/g)].map(([, count]) =>
        Number(count),
      );
      expect(all, search).toBe(total);
      expect(categories.reduce((sum, count) => sum + count, 0)).toBe(total);
      expect(html).toMatch(/In stock <span>\d/);
    },
  );

  it.each([
    // By name, before what has the word in its description.
    ["key ring holder", /^“key ring”/, "Engraved key tag"],
    // The nearest word of a name that is no typo.
    ["doggy tag", /^“tag”/, "Engraved dog tag"],
  ])("lists products with a word of %s in their name first", async (search, heading, name) => {
    const [first = ""] = (await page(`search=${encodeURIComponent(search)}`))
      .split('<section class="near">')
      .slice(1);
    expect(/<h2>([^<]*)/.exec(first)?.[1]).toMatch(heading);
    expect(/<h3><a[^>]*>([^<]*)/.exec(first)?.[1]).toBe(name);
  });

  it.each([
    ["skateboard", ["board"]],
    ["ringlight", ["ring"]],
    ["sunglasses", ["glass"]],
    ["xyzzy", []],
  ])("offers the parts of %s that product names contain", async (search, words) => {
    const html = await page(`search=${search}`);
    const close = /<h2>Close words<\/h2>([\s\S]*?)<\/section>/.exec(html)?.[1] ?? "";
    expect([...close.matchAll(/>([^<>]+) <span>/g)].map(([, word]) => word)).toEqual(words);
  });

  it("names the missing words when no product has all of them", async () => {
    const html = await page("search=mug+leather");
    expect(html).toContain("No “mug leather”. This comes closest:");
    expect(html).not.toContain("<span>0</span>");
    expect(html).not.toContain("products found");
    const [first, second] = [
      html.indexOf("“mug”, but no “leather”"),
      html.indexOf("“leather”, but no “mug”"),
    ];
    expect(first).toBeGreaterThan(0);
    expect(second).toBeGreaterThan(first);
    expect(html).toContain("Speckled stoneware mug");
    const { products } = (await (await call("/api/product/suggest?q=mug+leather")).json()) as {
      products: { name: string; missing: string[] }[];
    };
    expect(products[0]).toMatchObject({ name: "Speckled stoneware mug", missing: ["leather"] });
    expect(await listed("mug leather")).toEqual([]);
  });

  it.each(["lamp under 150", "jewelry under 60", "jewelry"])(
    "shows for %j the number of products at each price, without empty prices",
    async (search) => {
      const html = await page(`search=${encodeURIComponent(search)}`);
      const panel = /<div[^>]*class="price-filter"[\s\S]*?<\/ul>/.exec(html)?.[0] ?? "";
      const links = [...panel.matchAll(/href="\/shop\?([^"]*)"[^>]*>[^<]* <span>(\d+)</g)];
      expect(links.length).toBeGreaterThan(0);
      for (const [, query = "", count] of links) {
        const found = /(\d+) products? found/.exec(await page(query.replaceAll("&amp;", "&")))?.[1];
        expect(found, query).toBe(count);
        expect(Number(count), query).toBeGreaterThan(0);
      }
    },
  );

  it("shows an only match in full, with close matches below", async () => {
    const html = await page("search=mug+under+30");
    const [match = "", close = ""] = html.split('<section class="near">');
    expect(match).toMatch(/<article class="match">[\s\S]*<h2><a[^>]*>Speckled stoneware mug<\/a><\/h2>/);
    expect(match).toMatch(
      /href="\/products\/([^"]+)">Choose a colour<[\s\S]*href="\/chat\?product=\1">Ask about it</,
    );
    expect(match).toContain("</i>Moss</li>");
    expect(close).toContain("<h2>Close to it</h2>");
    expect(close).toMatch(/href="\/shop\?max=30"[^>]*>All \d+ up to \$30</);
    // A row of cards.
    expect(close.match(/<\/svg> no mug</g)).toHaveLength(4);
    expect(close).not.toContain("Speckled stoneware mug");
  });

  it("shows products that miss one word or the price below an only match", async () => {
    const green = await page("search=green+mug+under+30");
    expect(green).toContain("“green” up to $30, but no “mug”");
    // Key tags cost $16 and $19.
    const [match, close = ""] = (await page("search=tag+under+18")).split('<section class="near">');
    expect(match).toContain('<article class="match">');
    expect(close).toContain("</svg> over $18<");
    expect(close).toContain("</svg> no tag<");
  });

  it("offers a prepared question about a product that is not among the matches", async () => {
    const html = await page("search=lamp");
    expect(html).toContain("Ask us for “lamp”</u>");
    expect(html).toContain("Do you have “lamp”, or could you get it?");
  });

  it("finds no products for a search without words", async () => {
    const html = await page("search=%25");
    expect(html).toContain("0 products found");
    const nav = categoryNav(html);
    expect([...nav.matchAll(/<span>(\d+)</g)].map(([, count]) => count)).toEqual(["0"]);
  });

  it("offers similar words, a question and categories when there are no close matches", async () => {
    const html = await page("search=lomp");
    expect(html).toContain("No products found");
    expect(html).toContain('href="/shop?search=lamp"');
    expect(html).toContain("Ask us for “lomp”");
    expect(html).toContain("Do you have “lomp”, or could you get it?");
    expect(html).toContain('href="/shop?category=JEWELRY"');
  });

  it("offers categories when no product has the price", async () => {
    const html = await page("search=under+3");
    expect(html).toContain("No products found");
    expect(html).toContain('href="/shop?category=JEWELRY"');
  });

  it.each(["keybord unicorn", "lomp", "pwen unicorn", "cushoin unicorn", "wallnut unicorn"])(
    "shows for %s the number of products of each similar word",
    async (search) => {
      const html = await page(`search=${encodeURIComponent(search)}`);
      const links = [...html.matchAll(/href="\/shop\?search=([a-z]+)">\1 <span>(\d+)</g)];
      expect(links.length).toBeGreaterThan(0);
      for (const [, word = "", count] of links) expect((await listed(word)).length, word).toBe(Number(count));
    },
  );

  // The third is for an only match, other prices or a page past the end.
  it.each([
    ["mug leather", 2],
    ["lomp", 2],
    ["leather", 2],
    ["keychians", 3],
    ["wooden mosue pads", 2],
    ["clock under 30", 3],
    ["xyzzy under 30", 2],
    ["mug", 3],
    ["mug under 30", 3],
    ["green mug under 30", 3],
    ["lamp under 3&page=4", 3],
  ])("reads D1 for %s in at most %i round trips", async (search, maxRoundTrips) => {
    const answer = await call(`/shop?search=${search}`, { cookie: "emporia_seen=1" });
    expect(costOf(answer).roundTrips).toBeLessThanOrEqual(maxRoundTrips);
  });
});

describe("a row of what has the price of a search", () => {
  const row = async (search: string) => {
    const [, near = ""] = (await page(`search=${search}`)).split('<section class="near">');
    return {
      names: [...near.matchAll(/<h3><a[^>]*>([^<]*)/g)].map(([, name]) => name),
      all: /<a[^>]*href="\/shop\?max=4"[^>]*>([^<]*)/.exec(near)?.[1],
    };
  };
  const add = (name: string, stock: number) => addProduct({ name, stock, priceCents: 300 });

  it("is filled with what is sold out, so that no number stands above fewer cards", async () => {
    await add("Zyxel pin", 2);
    for (const name of ["Tin pin", "Lead pin", "Iron pin"]) await add(name, 0);
    const sparse = await row("xyzzy+under+4");
    expect(sparse.names).toHaveLength(4);
    expect([sparse.names[0], sparse.all]).toEqual(["Zyxel pin", undefined]);
    const match = await row("zyxel+under+4");
    expect([match.names.length, match.all]).toEqual([3, undefined]);
    await add("Gold pin", 0);
    await add("Nickel pin", 0);
    // The page of the search above is cached.
    const full = await row("qwxyz+under+4");
    expect([full.names.length, full.names[0], full.all]).toEqual([4, "Zyxel pin", "All 6"]);
  });
});
