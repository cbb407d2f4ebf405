import type { Page } from "@playwright/test";
import { expect, test } from "../../support/browser";
import { beforeHydration } from "../../support/late-scripts";
import { fetchRoute, OWN_CONNECTION } from "../../support/running-shop";

const BEADS = "/products/stone-bead-bracelet";
const VASE = "/products/speckled-stoneware-vase";
const SUBMIT = "**/cart/submit";
const badge = (page: Page, items: string) => page.getByRole("link", { name: `Cart, ${items}` });

/** Adds the page's product once scripts run. */
async function add(page: Page) {
  const [button] = await page.getByRole("button", { name: "Add to Cart" }).filter({ visible: true }).all();
  await button?.click();
}

/** Holds back the page's forms, or what scripts read of their answers, until they are let go. */
async function holdForms(page: Page, url: string, part: "request" | "answer" = "request") {
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrived = 0;
  await page.route(url, async (route) => {
    if (route.request().method() === "GET") return route.fallback();
    const answer = part === "answer" ? await fetchRoute(route) : null;
    arrived++;
    await held;
    // The page that sent it may be gone.
    await (answer ? route.fulfill({ response: answer }) : route.continue()).catch(() => undefined);
  });
  return { release, arrived: () => arrived };
}

for (const width of [390, 1440])
  test.describe(`a page left at ${width} px before the cart has answered`, () => {
    const viewport = { width, height: 844 };

    test("adds the product on the next page, once", async ({ open }) => {
      const page = await open(BEADS, { viewport });
      const { release, arrived } = await holdForms(page, SUBMIT);
      await add(page);
      await badge(page, "1 item").waitFor();
      await expect.poll(arrived).toBe(1);
      const empty = page.getByText("Your cart is empty").filter({ visible: true });
      const adding = page.getByText("Adding to your cart…");
      await badge(page, "1 item").click();
      await adding.waitFor();
      await expect(empty).toHaveCount(0);
      await page.goto(VASE);
      await badge(page, "1 item").waitFor();
      await beforeHydration(page, "/cart", async () => {
        await page.getByRole("heading", { level: 1, name: "Cart" }).waitFor();
        await page.getByRole("heading", { name: "Your cart is empty" }).waitFor({ state: "hidden" });
      });
      await adding.waitFor();
      await expect(empty).toHaveCount(0);
      release();
      await page.getByText("Stone bead bracelet added to cart").waitFor();
      await expect(page.getByRole("spinbutton", { name: "Quantity" })).toHaveValue("1");
    });

    test("adds nothing again that has arrived", async ({ open }) => {
      const page = await open(BEADS, { viewport });
      const { release, arrived } = await holdForms(page, SUBMIT, "answer");
      await add(page);
      await badge(page, "1 item").waitFor();
      await expect
        .poll(async () => (await page.context().cookies()).some(({ name }) => name.endsWith("cart")))
        .toBe(true);
      await expect.poll(arrived).toBe(1);
      await page.goto(VASE);
      await badge(page, "1 item").waitFor();
      release();
      await page.getByText("Stone bead bracelet added to cart").waitFor();
      await badge(page, "1 item").waitFor();
      await page.goto("/cart");
      await expect(page.getByRole("spinbutton", { name: "Quantity" })).toHaveValue("1");
      await page.reload();
      await badge(page, "1 item").waitFor();
      await expect(page.locator(".toast")).toHaveCount(0);
    });
  });

test.describe("a page left before its heart has arrived", () => {
  const heart = (page: Page) => page.getByRole("button", { name: "Favourite: Stone bead bracelet" }).first();
  const favourites = async (page: Page) =>
    (
      (await (await page.request.get("/api/favourite", { headers: OWN_CONNECTION })).json()) as {
        id: string;
      }[]
    ).map(({ id }) => id);

  test("adds the favourite on the next page, and removes it alike", async ({ open }) => {
    const page = await open(BEADS);
    for (const [isFavourite, ids] of [
      [true, ["stone-bead-bracelet"]],
      [false, []],
    ] as const) {
      const { release, arrived } = await holdForms(page, "**/favourites?*");
      await heart(page).click();
      await expect(heart(page)).toHaveAttribute("aria-pressed", String(isFavourite));
      await expect.poll(arrived).toBe(1);
      await page.goto(VASE);
      await expect.poll(arrived).toBe(2);
      release();
      await expect.poll(() => favourites(page)).toEqual(ids);
      await page.goto(BEADS);
      await expect(heart(page)).toHaveAttribute("aria-pressed", String(isFavourite));
      await page.unroute("**/favourites?*");
    }
  });

  test("shows it among the favourites at once, and after a reload too", async ({ open }) => {
    const page = await open(BEADS);
    const next = page.getByRole("heading", { name: "Favourites", exact: true });
    await heart(page).click();
    await page.goto("/favourites");
    await next.waitFor();
    await page.goto(BEADS);
    // The page is the same for everybody; a moment later it knows its reader's favourites.
    await expect(heart(page)).toHaveAttribute("aria-pressed", "true");
    const { release } = await holdForms(page, "**/favourites?*");
    await heart(page).click();
    await page.reload();
    await expect.poll(() => favourites(page)).toEqual([]);
    release();
  });
});

test("a page from the back/forward cache shows the cart of now", async ({ open }) => {
  const page = await open("/shop");
  await badge(page, "0 items").waitFor();
  await page.evaluate(() => {
    window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: false }));
  });
  await page.request.post("/cart", {
    form: { intent: "add", id: "stone-bead-bracelet" },
    headers: { Origin: new URL(page.url()).origin, ...OWN_CONNECTION },
  });
  await page.evaluate(() => {
    window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  });
  await badge(page, "1 item").waitFor();
});

test("a page that the browser took from its cache shows the cart of now", async ({ open }) => {
  const page = await open("/shop");
  await badge(page, "0 items").waitFor();
  await page.goto(BEADS);
  await add(page);
  await page.getByText("Stone bead bracelet added to cart").waitFor();
  await page.goBack();
  await badge(page, "1 item").waitFor();
});
