import { expect, expectAccessible, test } from "../../support/browser";
import { CATALOGUE_PAGES, OTHER_PAGES } from "../../support/pages";

/** Checked elsewhere: with the errors of their forms in account.test.ts, with its examples in api.test.ts. */
const CHECKED_PAGES = ["/login", "/signup", "/resetPassword", "/account", "/api"];
/** Pages of a template that another page has too. */
const REPEATED_TEMPLATES = ["/products/nope", "/privacy"];

for (const [name, paths] of Object.entries({ catalogue: CATALOGUE_PAGES, other: OTHER_PAGES }))
  test(`${name} pages fit the screen and have no axe violations`, async ({ open }) => {
    const page = await open("about:blank");
    for (const path of paths) {
      if ([...CHECKED_PAGES, ...REPEATED_TEMPLATES].includes(path)) continue;
      await page.goto(path);
      await expectAccessible(page, path);
    }
  });

test.describe("by keyboard alone", () => {
  test("a product is found, added to the cart and removed by keyboard", async ({ open }) => {
    const page = await open("/shop");
    await page.keyboard.press("Tab");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe("Skip to the shop");
    await page.keyboard.press("Enter");
    await expect(page.locator("#main")).toBeFocused();
    await page.keyboard.press("Tab");
    await page.keyboard.type("bracelet");
    await page.waitForURL(/search=bracelet$/);
    await page.getByText("2 products found", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Stone bead bracelet" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Stone bead bracelet", level: 1 }).waitFor();
    await page.getByRole("group", { name: "Colour optional, we'll ask in the chat" }).waitFor();
    await page.getByRole("button", { name: "Add to Cart" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Stone bead bracelet added to cart!").waitFor();
    const cart = page.getByRole("link", { name: "Cart, 1 item" });
    await cart.focus();
    await page.keyboard.press("Enter");
    const drawer = page.getByRole("dialog", { name: /^Cart/ });
    await drawer.getByRole("button", { name: /^Remove/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Item removed from cart").waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "hidden" });
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toMatch(/^Cart,/);
  });

  for (const path of ["/", "/products/walnut-serving-board", "/login"])
    test(`every tab stop on ${path} has a visible focus`, async ({ open }) => {
      const page = await open(path);
      for (let stop = 0; stop < 60; stop++) {
        await page.keyboard.press("Tab");
        const unseen = await page.evaluate(() => {
          const element = document.activeElement;
          if (!element || element === document.body) return null;
          const styles = [getComputedStyle(element), getComputedStyle(element, "::after")];
          const visible = styles.some(
            (style) => style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) > 0,
          );
          return visible ? null : element.outerHTML.slice(0, 120);
        });
        expect(unseen).toBeNull();
      }
    });
});
