import type { Page } from "@playwright/test";
import { expect, test } from "../../support/browser";
import { fetchRoute, OWN_CONNECTION } from "../../support/running-shop";

const BEADS = "/products/stone-bead-bracelet";
const FRAME = /_data=routes%2F_shop$/;
const SUBMIT = "**/cart/submit";
const badge = (page: Page, items: string) => page.getByRole("link", { name: `Cart, ${items}` });
const button = (page: Page) =>
  page.getByRole("button", { name: "Add to Cart" }).filter({ visible: true }).first();

/** Counts the forms that the page sends to the cart. */
function countForms(page: Page) {
  let count = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/cart/submit")) count++;
  });
  return () => count;
}

/** Holds back the answers of a kind from now on; each function lets the next one go. */
async function holdAnswers(page: Page, url: string | RegExp) {
  const held: (() => Promise<void>)[] = [];
  await page.route(url, async (route) => {
    const response = await fetchRoute(route).catch(() => null);
    // A request that Remix has dropped gets no answer.
    held.push(async () => void (response && (await route.fulfill({ response }).catch(() => undefined))));
  });
  return held;
}

for (const width of [390, 1440])
  test.describe(`Add to Cart at ${width} px`, () => {
    const viewport = { width, height: 844 };

    test("takes a double-click as one", async ({ open }) => {
      const page = await open(BEADS, { viewport });
      await button(page).dblclick();
      await page.getByText("Stone bead bracelet added to cart!").waitFor();
      await button(page).click();
      await badge(page, "2 items").waitFor();
      await page.goto("/cart");
      await expect(page.getByRole("spinbutton", { name: "Quantity" })).toHaveValue("2");
    });

    test("takes a held Enter as one", async ({ open }) => {
      const page = await open(BEADS, { viewport });
      await button(page).focus();
      for (const _repeat of [1, 2, 3]) await page.keyboard.down("Enter");
      await page.keyboard.up("Enter");
      await page.getByText("Stone bead bracelet added to cart!").waitFor();
      await page.goto("/cart");
      await expect(page.getByRole("spinbutton", { name: "Quantity" })).toHaveValue("1");
    });
  });

test("a double-click on a stepper counts twice, on the product's page and in the cart", async ({ open }) => {
  const page = await open(BEADS);
  await page.getByRole("button", { name: "One more" }).dblclick();
  await expect(page.getByRole("spinbutton", { name: "Quantity" })).toHaveValue("3");
  await button(page).click();
  await badge(page, "3 items").waitFor();
  await page.goto("/cart");
  await page.getByRole("button", { name: "One more" }).dblclick({ delay: 100 });
  await badge(page, "5 items").waitFor();
});

test.describe("the cart's badge", () => {
  test("counts two quick clicks, whichever is sent first", async ({ open }) => {
    const page = await open(BEADS);
    const forms = countForms(page);
    const held = await holdAnswers(page, SUBMIT);
    await button(page).click();
    await button(page).click();
    await badge(page, "2 items").waitFor();
    await expect.poll(() => held.length).toBe(1);
    await held[0]?.();
    await expect.poll(() => held.length).toBe(2);
    await badge(page, "2 items").waitFor();
    await held[1]?.();
    await page.getByText("Stone bead bracelet added to cart!").waitFor();
    await badge(page, "2 items").waitFor();
    expect(forms()).toBe(2);
  });

  test("is of the newest answer, when an older one comes later", async ({ open }) => {
    const page = await open(BEADS);
    const held = await holdAnswers(page, FRAME);
    await page.evaluate(() => {
      window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    });
    await expect.poll(() => held.length).toBe(1);
    await button(page).click();
    await expect.poll(() => held.length).toBe(2);
    await held[1]?.();
    await page.getByText("Stone bead bracelet added to cart!").waitFor();
    const older = page.waitForResponse(FRAME);
    await held[0]?.();
    await older;
    await page.evaluate(() => new Promise((done) => setTimeout(done)));
    await badge(page, "1 item").waitFor();
  });

  test("is of the cart after a link that is followed before the cart was read", async ({ open }) => {
    const page = await open("/shop");
    await page.goto(BEADS);
    const held = await holdAnswers(page, FRAME);
    await button(page).click();
    await expect.poll(() => held.length).toBe(1);
    await page.getByRole("link", { name: "Shop", exact: true }).first().click();
    await expect.poll(() => held.length).toBe(2);
    await held[1]?.();
    await page.waitForURL("**/shop");
    await held[0]?.();
    await badge(page, "1 item").waitFor();
  });

  test("follows a cart that another tab changes, when its own is seen again", async ({ open }) => {
    const page = await open("/shop");
    const other = await page.context().newPage();
    await other.goto(BEADS);
    await badge(page, "0 items").waitFor();
    let reads = 0;
    page.on("request", (request) => {
      if (FRAME.test(request.url())) reads++;
    });
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await button(other).click();
    await other.getByText("Stone bead bracelet added to cart!").waitFor();
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await badge(page, "1 item").waitFor();
    expect(reads).toBeGreaterThan(0);
  });
});

test("the drawer reads the cart when it opens", async ({ open }) => {
  const page = await open("/shop");
  await badge(page, "0 items").waitFor();
  await page.request.post("/cart", {
    form: { intent: "add", id: "stone-bead-bracelet" },
    headers: { Origin: new URL(page.url()).origin, ...OWN_CONNECTION },
  });
  await badge(page, "0 items").click();
  await page.getByRole("dialog", { name: "Cart 1 item" }).waitFor();
});
