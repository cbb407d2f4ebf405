import { test } from "../../support/browser";

const PAGES: [string, string][] = [
  ["home", "/"],
  ["list", "/shop?category=ENGRAVING&min=18&stock=in"],
  ["shop", "/shop"],
  ["product", "/products/walnut-serving-board"],
];
for (const [w, h] of [
  [390, 844],
  [820, 1100],
  [1440, 900],
] as const)
  for (const scheme of ["light", "dark"] as const)
    test(`shots ${w} ${scheme}`, async ({ open }) => {
      const page = await open("/", { viewport: { width: w, height: h }, colorScheme: scheme });
      for (const [name, path] of PAGES) {
        await page.goto(path);
        await page.waitForLoadState("networkidle");
        await page.screenshot({ path: `/tmp/shots/${name}-${w}-${scheme}.png`, fullPage: name !== "shop" });
        if (name === "list" && w === 390) {
          await page.getByRole("button", { name: /From/ }).click();
          await page.screenshot({ path: `/tmp/shots/price-${w}-${scheme}.png` });
          await page.keyboard.press("Escape");
        }
        if (name === "shop") {
          const f = page.getByLabel("Search products");
          await f.focus();
          await f.pressSequentially("wal");
          await page.getByRole("option").first().waitFor();
          await page.waitForTimeout(700);
          await page.screenshot({ path: `/tmp/shots/suggest-${w}-${scheme}.png` });
        }
      }
      for (const id of ["walnut-serving-board", "cork-back-case", "oval-green-stone-ring"]) {
        await page.goto(`/products/${id}`);
        await page
          .getByRole("button", { name: /^Favourite:/ })
          .click()
          .catch(() => null);
        await page.waitForTimeout(500);
      }
      await page.goto("/favourites");
      await page.waitForLoadState("networkidle");
      await page.screenshot({ path: `/tmp/shots/favourites-${w}-${scheme}.png`, fullPage: true });
    });
