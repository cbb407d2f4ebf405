import { beforeAll, describe, expect, it } from "vitest";
import { admin } from "../support/people";
import { PARAMETER } from "../support/route-paths";
import { PUBLIC_PATHS } from "../support/routes";
import { addProduct, call } from "../support/shop";

const PRODUCT = "walnut-serving-board";

const PAGES = PUBLIC_PATHS.map((path) => path.replace(`/${PARAMETER}`, `/${PRODUCT}`));

beforeAll(async () => {
  const description = "A serving board of solid walnut, with a name or a date engraved on its rim.";
  await addProduct({ id: PRODUCT, name: "Engraved walnut serving board", description, priceCents: 7800 });
  await addProduct({ category: "JEWELRY" });
});

/** Reads the parts of a page that are for search engines. */
async function read(path: string) {
  const [title, json, links]: [string[], string[], string[]] = [[], [], []];
  const metas = new Map<string, string>();
  let headings = 0;
  const parser = new HTMLRewriter()
    .on("head > title", { text: ({ text }) => void title.push(text) })
    .on("head > link[rel=canonical]", { element: (link) => void links.push(link.getAttribute("href") ?? "") })
    .on("head > meta", {
      element(meta) {
        const name = meta.getAttribute("name") ?? meta.getAttribute("property") ?? "";
        metas.set(name, meta.getAttribute("content") ?? "");
      },
    })
    .on("h1", {
      element() {
        headings++;
      },
    })
    .on('script[type="application/ld+json"]', {
      text: ({ text, lastInTextNode }) => void json.push(text, lastInTextNode ? "\n" : ""),
    });
  await parser.transform(await call(path)).arrayBuffer();
  const blocks = json.join("").split("\n").filter(Boolean);
  const things = blocks.flatMap((block) => JSON.parse(block)) as Record<string, unknown>[];
  return { title: title.join(""), canonical: links.join(" "), headings, metas, things };
}

describe("search engine metadata", () => {
  it("is that of the pages whose routes are public", () => {
    expect(PAGES).toEqual(expect.arrayContaining(["/", "/shop", `/products/${PRODUCT}`, "/terms"]));
  });

  it.each([...PAGES, "/shop?category=JEWELRY"])(
    "%s has a title, a description, a canonical link and Open Graph tags",
    async (path) => {
      const { title, canonical, headings, metas } = await read(path);
      expect(title).toMatch(/Emporia/);
      expect(metas.get("description")?.length).toBeGreaterThan(40);
      const { pathname, search } = new URL(canonical);
      expect(pathname + search).toBe(path);
      for (const property of ["og:title", "og:description", "og:url", "og:type"])
        expect(metas.get(property), property).toMatch(/./);
      expect(headings).toBe(1);
    },
  );

  it("a product has Product and BreadcrumbList JSON-LD", async () => {
    const { things } = await read(`/products/${PRODUCT}`);
    expect(things.find((thing) => thing["@type"] === "Product")).toMatchObject({
      name: "Engraved walnut serving board",
      offers: { price: "78.00", priceCurrency: "CAD", availability: "https://schema.org/InStock" },
    });
    expect(things.map((thing) => thing["@type"])).toContain("BreadcrumbList");
  });

  it("home has JSON-LD of the store, which is an Organization with hours", async () => {
    expect((await read("/")).things.map((thing) => thing["@type"])).toContain("Store");
  });

  it("home has the owner's headline and text, in one line", async () => {
    const { token } = await admin();
    const texts = { headline: "We sew buttons.", introduction: "By hand.\nSince 1998, on Queen Street" };
    expect((await call("/api/settings", { method: "PATCH", json: texts, token })).status).toBe(200);
    const { title, metas } = await read("/?fresh");
    expect(title).toMatch(/^We sew buttons · /);
    expect(metas.get("og:title")).toBe("We sew buttons");
    expect(metas.get("description")).toBe("By hand. Since 1998, on Queen Street");
    expect(metas.get("og:description")).toBe("By hand. Since 1998, on Queen Street");
  });

  it("the sitemap lists every product, and robots.txt links to it", async () => {
    expect(await (await call("/robots.txt")).text()).toMatch(/Sitemap: http\S+\/sitemap\.xml/);
    const sitemap = await (await call("/sitemap.xml")).text();
    const count = (await call("/api/product/all?limit=1")).headers.get("X-Total-Count");
    expect(count).toBe("2");
    expect(sitemap.match(/<loc>[^<]*\/products\/[^<]+<\/loc>/g)).toHaveLength(Number(count));
  });
});
