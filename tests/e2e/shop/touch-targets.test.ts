import type { Page } from "@playwright/test";
import { expect, test } from "../../support/browser";
import { chatIdOf, panelOf } from "../../support/conversation";
import { CATALOGUE_PAGES, OTHER_PAGES } from "../../support/public-pages";
import { signedInAs } from "../../support/signed-in";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
const BRACELET = "/products/stone-bead-bracelet";

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
    !part.closest("[inert], .skip-link, .toasts") &&
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
      for (const path of [...paths, "/products/engraved-key-tag"]) {
        await page.goto(path);
        await expectReached(page, path);
      }
    });

  test("of menus, suggestions, cart and favourites", async ({ open }) => {
    const page = await open(BRACELET, PHONE);
    await page.getByRole("button", { name: "Menu" }).tap();
    await expectReached(page, "menu");
    await page.getByRole("button", { name: "Close menu" }).tap();
    await page.getByRole("group", { name: "Buy" }).getByRole("button", { name: "Add to Cart" }).tap();
    await page.getByText("added to cart!").waitFor();
    await page
      .getByRole("button", { name: /^Favourite:/ })
      .first()
      .tap();
    await page.goto("/products/engraved-key-tag");
    await page.getByRole("group", { name: "Buy" }).getByRole("button", { name: "Add to Cart" }).tap();
    await page.getByRole("link", { name: "Cart, 2 items" }).tap();
    const drawer = page.getByRole("dialog", { name: /^Cart/ });
    await drawer.getByText("Change").or(drawer.getByText("Choose")).first().tap();
    await expectReached(page, "drawer");
    await drawer
      .getByRole("button", { name: /^Remove/ })
      .first()
      .tap();
    await drawer.getByRole("button", { name: "Undo" }).waitFor();
    await expectReached(page, "removed line");
    await page.goto("/cart");
    await expectReached(page, "cart");
    await page.goto("/favourites");
    await expectReached(page, "favourites");
    await page.goto("/");
    await page.getByRole("link", { name: "Search" }).tap();
    await page.getByRole("combobox").pressSequentially("mug");
    await page.getByRole("listbox", { name: "Suggestions" }).waitFor();
    await expectReached(page, "suggestions");
  });

  test("of the chat and its pages", async ({ open }) => {
    const page = await open(BRACELET, PHONE);
    await page.getByRole("group", { name: "Buy" }).getByRole("button", { name: "Ask about this" }).tap();
    await panelOf(page).getByPlaceholder("Your message...").waitFor();
    await expectReached(page, "start");
    await panelOf(page).getByPlaceholder("Your message...").fill("Is it there? https://example.com");
    await page.getByRole("button", { name: "Send", exact: true }).tap();
    const chatId = await chatIdOf(page);
    await panelOf(page).getByRole("form").first().waitFor();
    await expectReached(page, "conversation");
    await page.goto(`/chat/${chatId}`);
    await expectReached(page, "page of the conversation");
    await page.goto("/chat");
    await expectReached(page, "My conversations");
  });

  test("of the account", async ({ open }) => {
    const { browser } = await signedInAs("customer");
    const page = await open("/account", { ...PHONE, ...browser });
    await expectReached(page, "profile");
    await page
      .getByRole("link", { name: "Edit" })
      .or(page.getByRole("button", { name: "Edit" }))
      .first()
      .tap();
    await expectReached(page, "profile form");
    await page
      .getByRole("link", { name: "Change Password" })
      .or(page.getByRole("tab", { name: "Change Password" }))
      .first()
      .tap();
    await expectReached(page, "password");
  });
});
