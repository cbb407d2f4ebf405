import { beforeAll, describe, expect, it } from "vitest";
import { addCatalogue, page } from "../support/demo-catalogue";
import { call } from "../support/shop";

beforeAll(addCatalogue);

/** Links of a page that show a number of products, with that number. */
function countedLinks(html: string): [query: string, count: number][] {
  const links = [...html.matchAll(/<a ([^>]*href="\/shop\??([^"]*)"[^>]*)>([\s\S]*?)<\/a>/g)];
  return links.flatMap(([, attributes = "", query = "", content = ""]) => {
    const count = /<span>(\d+)<\/span>/.exec(content) ?? /^(?:All )?(\d+)\b/.exec(content);
    // A filter that is on has the number of the page itself.
    const isOn = attributes.includes('aria-current="true"') && content.includes("In stock");
    return count && !isOn ? [[query.replaceAll("&amp;", "&"), Number(count[1])]] : [];
  });
}

/** Number of products that a page has for its search and filters, or that come close to it at its price. */
function countOf(html: string): number {
  const status = /role="status">([^<]*)/.exec(html)?.[1] ?? "";
  const found = /^(\d+) products? found|(One|\d+) in /.exec(status);
  if (found) return found[2] === "One" ? 1 : Number(found[1] ?? found[2]);
  const sections = html.split('<section class="near">').slice(1);
  const near = sections.filter((section) => !/<h2>[^<]* at other prices</.test(section));
  const countIn = (section: string) =>
    Number(/>All (\d+)</.exec(section)?.[1] ?? section.match(/<article/g)?.length ?? 0);
  return near.reduce((sum, section) => sum + countIn(section), 0);
}

describe("numbers beside links of a search", () => {
  it.each([
    ...["search=mug&max=20", "search=mug under 20", "search=bottle over 100", "search=ring under 10"],
    ...["search=lamp&max=50", "search=lamp&max=50&stock=in", "search=mug&category=JEWELRY"],
    ...["search=mug under 20&category=JEWELRY", "search=case&min=30", "search=jewelry under 60"],
    ...[
      "search=green mug",
      "search=mug leather",
      "search=mug leather under 10",
      "search=mug leather&stock=in",
    ],
    ...["search=watch band", "search=watch band under 20", "search=watch band&category=PHONE_CASE"],
    ...[
      "search=xyzzy under 30",
      "search=walnut xyzzy lamp&max=10",
      "search=keybord unicorn",
      "search=doggy tag",
    ],
    ...["search=under 3", "search=skateboard", "category=JEWELRY&max=20"],
  ])("on %s are those of the pages that they lead to", async (query) => {
    for (const [link, count] of countedLinks(await page(query)))
      expect(`${link} ${countOf(await page(link))}`).toBe(`${link} ${count}`);
  });

  it("are there, also where nothing has the price", async () => {
    const links = countedLinks(await page("search=mug&max=20"));
    expect(links).toEqual([["search=mug&min=25&max=49.99", 1]]);
    expect(countedLinks(await page("search=mug leather")).length).toBeGreaterThan(4);
  });
});

describe("a search without results at its price", () => {
  it.each([
    ["mug under 20", "Speckled stoneware mug", "over $20"],
    ["lamp under 50", "Mushroom table lamp", "over $50"],
    ["mug over 100", "Speckled stoneware mug", "under $100"],
  ])("shows first what it names at another price: %s", async (search, name, lack) => {
    const html = await page(`search=${search}`);
    const [word = ""] = search.split(" ");
    const sections = html.split('<section class="near">').slice(1);
    expect(sections).toHaveLength(1);
    expect(sections[0]).toContain(`<h2>“${word}” at other prices</h2>`);
    expect(/<h3><a[^>]*>([^<]*)/.exec(sections[0] ?? "")?.[1]).toBe(name);
    expect(sections[0]).toContain(`</svg> ${lack}<`);
    const { products } = await (await call(`/api/product/suggest?q=${search}`)).json<{
      products: { name: string; missing: string[] }[];
    }>();
    expect(products[0]).toMatchObject({ name, missing: [expect.stringContaining(`${word} `)] });
  });

  it("leads to what it names without the other filters", async () => {
    expect(await page("search=mug under 20&category=JEWELRY")).toMatch(
      /href="\/shop\?search=mug"[^>]*>1 “mug” without filters</,
    );
  });
});

describe("the question to the shop", () => {
  it.each(["under 3", "under 30", "$3"])("is not written for a price alone: %s", async (search) => {
    const html = await page(`search=${encodeURIComponent(search)}`);
    expect(html).not.toContain("Ask us for a");
    expect(html).not.toContain("Do you have");
  });
});
