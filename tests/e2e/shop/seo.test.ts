import { expect, test } from "../../support/browser";
import { OWN_CONNECTION } from "../../support/running-shop";

test.describe("search engine metadata", () => {
  for (const path of [
    "/",
    "/shop",
    "/shop?category=JEWELRY",
    "/products/walnut-serving-board",
    "/terms",
    "/privacy",
  ])
    test(`${path} has a title, a description, a canonical link and Open Graph tags`, async ({ open }) => {
      const page = await open(path, { javaScriptEnabled: false });
      expect(await page.title()).toMatch(/Emporia/);
      expect(
        (await page.locator('meta[name="description"]').getAttribute("content"))?.length,
      ).toBeGreaterThan(40);
      const canonical = await page.locator('link[rel="canonical"]').getAttribute("href");
      expect(new URL(canonical ?? "").pathname + new URL(canonical ?? "").search).toBe(path);
      for (const property of ["og:title", "og:description", "og:url", "og:type"]) {
        expect(await page.locator(`meta[property="${property}"]`).getAttribute("content")).not.toBe("");
      }
      await expect(page.locator("h1")).toHaveCount(1);
    });

  test("a product has Product and BreadcrumbList JSON-LD", async ({ open }) => {
    const page = await open("/products/walnut-serving-board", { javaScriptEnabled: false });
    const blocks = await page.locator('script[type="application/ld+json"]').allTextContents();
    const things = blocks.flatMap((text) => JSON.parse(text)) as Record<string, unknown>[];
    const product = things.find((thing) => thing["@type"] === "Product");
    expect(product).toMatchObject({
      name: "Engraved walnut serving board",
      offers: { price: "78.00", priceCurrency: "CAD", availability: "https://schema.org/InStock" },
    });
    expect(things.some((thing) => thing["@type"] === "BreadcrumbList")).toBe(true);
  });

  test("home has Organization JSON-LD", async ({ open }) => {
    const page = await open("/", { javaScriptEnabled: false });
    const blocks = await page.locator('script[type="application/ld+json"]').allTextContents();
    const things = blocks.flatMap((text) => JSON.parse(text)) as Record<string, unknown>[];
    expect(things.some((thing) => thing["@type"] === "Organization")).toBe(true);
  });

  test("the sitemap lists every product, and robots.txt links to it", async ({ open }) => {
    const page = await open("/robots.txt");
    expect(await page.textContent("body")).toMatch(/Sitemap: http\S+\/sitemap\.xml/);
    const sitemap = await (await page.request.get("/sitemap.xml", { headers: OWN_CONNECTION })).text();
    const products = (
      await page.request.get("/api/product/all?limit=1", { headers: OWN_CONNECTION })
    ).headers()["x-total-count"];
    expect(sitemap.match(/<loc>[^<]*\/products\/[^<]+<\/loc>/g)).toHaveLength(Number(products));
  });
});
