import type { Page } from "@playwright/test";
import { expect, type Open, SCRIPTING, test } from "../../support/browser";
import { withhold } from "../../support/late-scripts";
import { OWN_CONNECTION, runningShop } from "../../support/running-shop";

const BOARD = "Engraved walnut serving board";
const BEADS = "Stone bead bracelet";
const focused = (page: Page) =>
  page.evaluate(() => {
    const { ariaLabel, textContent } = document.activeElement ?? {};
    return ariaLabel ?? textContent;
  });

/** Adds products to the visitor's cart, in this order. */
async function fill(page: Page, ...ids: string[]) {
  for (const id of ids) {
    const headers = { Origin: runningShop().url, ...OWN_CONNECTION };
    const answer = await page.request.post("/cart", { form: { intent: "add", id }, headers });
    expect(answer.ok()).toBe(true);
  }
}

async function stockOf(page: Page, id: string): Promise<number> {
  const answer = await page.request.get(`/api/product/id/${id}`, { headers: OWN_CONNECTION });
  return ((await answer.json()) as { stock: number }).stock;
}

const lineOf = (page: Page, name: string) => page.locator("main .cart-line").filter({ hasText: name });
const quantityOf = (page: Page, name: string) =>
  lineOf(page, name).getByRole("spinbutton", { name: "Quantity" });

for (const [name, javaScriptEnabled] of SCRIPTING)
  test.describe(`a quantity typed in the cart ${name}`, () => {
    const cart = async (open: Open) => {
      const page = await open("about:blank", { javaScriptEnabled });
      await fill(page, "walnut-serving-board", "stone-bead-bracelet");
      await page.goto("/cart");
      return page;
    };
    const type = async (page: Page, text: string) => {
      await quantityOf(page, BOARD).fill(text);
      await page.keyboard.press("Enter");
    };

    test("above the stock is reduced to the stock, with a message", async ({ open }) => {
      const page = await cart(open);
      const stock = await stockOf(page, "walnut-serving-board");
      for (const _again of [1, 2]) {
        await type(page, "9999");
        await page.getByRole("status").getByText(`Only ${stock} left`).first().waitFor();
        await expect(quantityOf(page, BOARD)).toHaveValue(String(stock));
      }
    });

    test("below 1 removes the line", async ({ open }) => {
      const page = await cart(open);
      await type(page, "-1");
      await page.getByRole("status").getByText("Item removed from cart").waitFor();
      await lineOf(page, BOARD).waitFor({ state: "detached" });
      await expect(lineOf(page, BEADS)).toHaveCount(1);
    });

    test("left empty keeps the previous quantity", async ({ open }) => {
      const page = await cart(open);
      await type(page, "2");
      await page.getByRole("link", { name: "Cart, 3 items" }).waitFor();
      await type(page, "");
      await expect(quantityOf(page, BOARD)).toHaveValue("2");
    });
  });

test("a quantity typed while the lines still load is kept", async ({ open }) => {
  const page = await open("about:blank");
  await fill(page, "walnut-serving-board");
  const deliver = await withhold(page, "**/CartLines-*.js");
  const opened = page.goto("/cart", { waitUntil: "commit" });
  await quantityOf(page, BOARD).fill("2");
  deliver();
  await opened;
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Cart, 2 items" }).waitFor();
});

test.describe("the focus in the cart", () => {
  test("moves to the next line, and to the heading after the last one", async ({ open }) => {
    const page = await open("about:blank");
    await fill(page, "walnut-serving-board", "stone-bead-bracelet");
    await page.goto("/cart");
    await page.getByRole("button", { name: `Remove ${BOARD}` }).press("Enter");
    await expect.poll(() => focused(page)).toBe(`Remove ${BEADS}`);
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page)).toBe("Cart");
  });

  test("stays in the drawer when the cart is cleared, and in an edited field", async ({ open }) => {
    const page = await open("about:blank");
    await fill(page, "walnut-serving-board", "stone-bead-bracelet");
    await page.goto("/terms");
    await page.getByRole("link", { name: "Cart, 2 items" }).click();
    const drawer = page.getByRole("dialog", { name: /^Cart/ });
    await drawer.getByRole("spinbutton", { name: "Quantity" }).first().fill("2");
    await page.keyboard.press("Enter");
    await page.getByText("Cart, 3 items").or(drawer.getByText("3 items")).first().waitFor();
    await expect.poll(() => focused(page)).toBe("Quantity");
    await drawer.getByRole("button", { name: "Clear cart" }).press("Enter");
    await page.getByText("Cart cleared").waitFor();
    await expect.poll(() => focused(page)).toMatch(/^Cart/);
  });
});

test.describe("the cart", () => {
  test("adds up what the arrow keys change, before the field is left", async ({ open }) => {
    const page = await open("about:blank");
    await fill(page, "walnut-serving-board");
    await page.goto("/cart");
    await quantityOf(page, BOARD).focus();
    for (let i = 0; i < 2; i++) await page.keyboard.press("ArrowUp");
    await page.getByText("3 items").first().waitFor();
    await page.reload();
    await expect(quantityOf(page, BOARD)).toHaveValue("3");
    await quantityOf(page, BOARD).fill("");
    await page.waitForTimeout(1200);
    await page.keyboard.type("12");
    await expect(quantityOf(page, BOARD)).toHaveValue("12");
  });

  test("is shared between two tabs", async ({ open }) => {
    const one = await open("about:blank");
    await fill(one, "walnut-serving-board");
    await one.goto("/cart");
    const other = await one.context().newPage();
    await other.goto("/products/stone-bead-bracelet");
    await other.getByRole("button", { name: "Add to Cart" }).click();
    await other.getByText(`${BEADS} added to cart!`).waitFor();
    await lineOf(one, BOARD).getByRole("button", { name: "One more" }).click();
    await lineOf(one, BEADS).waitFor();
    await expect(quantityOf(one, BOARD)).toHaveValue("2");
    await one.reload();
    await expect(quantityOf(one, BOARD)).toHaveValue("2");
    await expect(quantityOf(one, BEADS)).toHaveValue("1");
  });

  test("shows a single out-of-stock message", async ({ open }) => {
    const page = await open("/products/walnut-serving-board");
    await page.getByRole("spinbutton", { name: "Quantity" }).fill("9999");
    const add = page.getByRole("button", { name: "Add to Cart" });
    await add.click();
    // Before hydration nothing has lowered the quantity: the shop says what it took.
    await page
      .getByText(/added to cart!|^Only \d+ in stock: \d+ in your cart/)
      .first()
      .waitFor();
    for (const _again of [1, 2]) {
      const answered = page.waitForResponse((answer) => answer.status() === 409);
      await add.click();
      await answered;
    }
    await expect(page.locator(".toast-error")).toHaveCount(1);
  });
});
