import { expect, test } from "../../support/browser";
import { fetchShop } from "../../support/running-shop";

/** Texts that only the code of zod, and of the records of the back office, contains. */
const FOREIGN = ["ZodString", "Label of the choice"];

for (const path of ["/", "/shop", "/products/{id}"])
  test(`the first view of ${path} loads neither zod nor a record`, async ({ page, shop }) => {
    const [product] = (await (await fetchShop("/api/product/all?limit=1")).json()) as { id: string }[];
    const scripts: Promise<[string, string]>[] = [];
    page.on("response", (response) => {
      if (response.request().resourceType() === "script")
        scripts.push(response.text().then((text) => [response.url(), text]));
    });
    await page.goto(shop.url + path.replace("{id}", product?.id ?? ""), { waitUntil: "networkidle" });
    const loaded = await Promise.all(scripts);
    expect(loaded.length).toBeGreaterThan(3);
    for (const text of FOREIGN)
      expect(
        loaded.filter(([, script]) => script.includes(text)).map(([url]) => url),
        text,
      ).toEqual([]);
  });
