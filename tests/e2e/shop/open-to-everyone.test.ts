import { describe, expect, it } from "vitest";
import { accessibilityProblems, browserJourneys } from "../../support/browser";

const { open } = browserJourneys();

const PAGES = [
  "/",
  "/shop",
  "/shop?search=zzzzqq",
  "/products/walnut-serving-board",
  "/products/nope",
  "/cart",
  "/chat",
  "/login",
  "/signup",
  "/resetPassword",
  "/account",
  "/terms",
  "/privacy",
  "/unauthorized",
  "/serverError",
  "/nowhere",
];
const VIEWS = [
  { width: 390, height: 844, colorScheme: "light" },
  { width: 390, height: 844, colorScheme: "dark" },
  { width: 1440, height: 900, colorScheme: "light" },
  { width: 1440, height: 900, colorScheme: "dark" },
] as const;

describe.each(VIEWS)("at $width px in the $colorScheme", ({ width, height, colorScheme }) => {
  it("axe finds nothing and nothing is wider than the screen, on every page", async () => {
    const page = await open("/", { viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
    const problems: Record<string, string[]> = {};
    for (const path of PAGES) {
      await page.goto(path);
      const found = await accessibilityProblems(page);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (overflow > 0) found.push(`${overflow} px wider than the screen`);
      if (found.length) problems[path] = found;
    }
    expect(problems).toEqual({});
  });
});

describe("by keyboard alone", () => {
  it("a product is found, put into the cart and taken out, with the focus always in sight", async () => {
    const page = await open("/shop");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the shop");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
    await page.keyboard.press("Tab");
    await page.keyboard.type("bracelet");
    await page.getByText("1 products found").waitFor();
    await page.getByRole("link", { name: "Stone bead bracelet" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Stone bead bracelet", level: 1 }).waitFor();
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
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(/^Cart,/);
  });

  it.each(["/", "/products/walnut-serving-board", "/login"])(
    "every stop of Tab on %s has a visible focus",
    async (path) => {
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
    },
  );
});
