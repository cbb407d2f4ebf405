import type { Page } from "@playwright/test";
import { expect, test } from "../../support/browser";
import { CATALOGUE_PAGES, OTHER_PAGES, STAFF_PAGES } from "../../support/pages";
import { signedInAs } from "../../support/signed-in";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

/**
 * Runs in the page: finds the controls that a finger misses, apart from links inside running text and controls that are
 * disabled.
 *
 * @returns name and size of each
 */
function missedTargets(): string[] {
  const SIZE = 44;
  const controls =
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=option], [tabindex='0']";
  const front = [...document.querySelectorAll("dialog[open], :popover-open")].at(-1) ?? document;
  const isDrawn = (part: Element) =>
    part.checkVisibility({ visibilityProperty: true, opacityProperty: false }) &&
    part.getBoundingClientRect().width > 1 &&
    // The heads of a table are off the screen on phones, where a menu sorts.
    !part.closest("[inert], .skip-link, .toasts, .data-grid thead") &&
    !part.matches(":disabled, [role=log]");
  const isInText = (part: Element) =>
    part.matches("a, button") &&
    getComputedStyle(part).display.startsWith("inline") &&
    [...(part.parentElement?.childNodes ?? [])].some(
      (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? "").trim().length > 1,
    );
  const isHit = (part: Element, x: number, y: number) => {
    const hit = document.elementFromPoint(x, y);
    return part.contains(hit) || hit?.closest("label")?.control === part;
  };
  const misses: string[] = [];
  for (const part of front.querySelectorAll(controls)) {
    if (!isDrawn(part) || isInText(part)) continue;
    part.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const { left, top, width, height } = part.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    // Pixels in a direction that press the control, as a link does that covers its card.
    const reach = (dx: number, dy: number) => {
      let pixels = 0;
      while (pixels < SIZE && isHit(part, x + dx * (pixels + 1), y + dy * (pixels + 1))) pixels++;
      return pixels;
    };
    const across = Math.max(width, reach(-1, 0) + reach(1, 0));
    const down = Math.max(height, reach(0, -1) + reach(0, 1));
    if (across >= SIZE - 1 && down >= SIZE - 1) continue;
    const name = part.ariaLabel ?? (part.textContent?.trim() || part.getAttribute("name") || part.className);
    misses.push(`${part.tagName.toLowerCase()} ${name} ${Math.round(width)} × ${Math.round(height)}`);
  }
  return misses;
}

const expectReached = async (page: Page, state: string) =>
  expect.soft(await page.evaluate(missedTargets), state).toEqual([]);

test.describe("on a phone every control is 44 px", () => {
  for (const [name, paths] of Object.entries({ catalogue: CATALOGUE_PAGES, other: OTHER_PAGES }))
    test(`of the ${name} pages`, async ({ open }) => {
      const page = await open("about:blank", PHONE);
      for (const path of [
        ...paths,
        "/products/engraved-key-tag",
        "/shop?search=mug",
        "/shop?search=green+mug",
      ]) {
        await page.goto(path);
        await expectReached(page, path);
      }
    });

  test("and no key is named that a phone or a tablet lacks", async ({ open }) => {
    const shop = await open("/shop", PHONE);
    const field = shop.getByLabel("Search products");
    await field.focus();
    await expect(field).toHaveAttribute("role", "combobox");
    await field.fill("lamp");
    await expect(shop.getByText("All results for “lamp”")).toBeVisible();
    await expect(shop.locator(".suggestions kbd")).toBeHidden();
    const tablet = { viewport: { width: 820, height: 1180 }, hasTouch: true, isMobile: true } as const;
    const staff = (await signedInAs("admin")).browser;
    for (const [device, count] of [
      [tablet, 0],
      [{ viewport: tablet.viewport }, 1],
    ] as const) {
      const page = await open("/admin/products-management", { ...device, ...staff });
      await expect(page.locator("kbd:visible").filter({ hasText: "/" })).toHaveCount(count);
      await page.goto("/admin/expenses-management?dialog=new");
      await expect(page.getByRole("dialog").locator("kbd:visible")).toHaveCount(2 * count);
    }
  });

  test("of the back office", async ({ open }) => {
    const page = await open("about:blank", { ...PHONE, ...(await signedInAs("admin")).browser });
    for (const path of STAFF_PAGES) {
      await page.goto(path);
      await expectReached(page, path);
    }
  });
});
