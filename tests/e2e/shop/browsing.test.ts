import { expect, test } from "../../support/browser";
import { beforeHydration } from "../../support/late-scripts";

const BOARD = "/products/walnut-serving-board";
const SOLD_OUT = "/products/cork-back-case";

test.describe("a shopper with JavaScript", () => {
  test("starts at home, searches, opens a product and edits the cart", async ({ open }) => {
    const page = await open("/");
    await page.getByRole("link", { name: "Shop Now" }).click();
    await page.getByRole("heading", { name: "Shop", level: 1 }).waitFor();
    await page.getByText(/^\d{2,} products found$/).waitFor();
    await page.getByRole("searchbox", { name: "Search products" }).fill("barcelet");
    await page.getByText("2 products found", { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get("search")).toBe("barcelet");
    await page.getByRole("link", { name: "Stone bead bracelet" }).click();
    await page.getByRole("heading", { name: "Stone bead bracelet", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await page.getByText("Stone bead bracelet added to cart!").waitFor();
    await page.getByRole("link", { name: "Cart, 1 item" }).click();
    const drawer = page.getByRole("dialog", { name: /^Cart/ });
    await drawer.getByRole("link", { name: "Stone bead bracelet" }).waitFor();
    await drawer.getByRole("button", { name: "Remove Stone bead bracelet" }).click();
    await page.getByText("Item removed from cart").waitFor();
    await drawer.getByText("Your cart is empty").first().waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "hidden" });
  });

  test("loads more products on demand, with the page number in the URL", async ({ open }) => {
    const page = await open("/shop?sort=price-asc");
    await expect(page.locator("article.product-card")).toHaveCount(24);
    await page.getByRole("link", { name: /more/i }).click();
    await page.locator("article.product-card").nth(47).waitFor();
    await expect(page).toHaveURL(/[?&]page=2(?:&|$)/);
    await page.reload();
    await expect.poll(() => page.locator("article.product-card").count()).toBeGreaterThanOrEqual(24);
  });

  test("sees an empty result and can clear the filters", async ({ open }) => {
    const page = await open("/shop?search=zzzzqq&category=JEWELRY");
    await page.getByText("No products found").waitFor();
    await page.getByText("Try adjusting your search or filter criteria").waitFor();
    await page.getByRole("link", { name: "Clear Filters" }).click();
    await page.getByText(/^\d{2,} products found$/).waitFor();
    await expect(page.locator("#search")).toBeFocused();
  });

  test("cannot exceed the stock with the stepper", async ({ open }) => {
    // No other journey sells it or holds it back.
    const page = await open("/products/rosehip-face-serum");
    const quantity = page.getByRole("spinbutton", { name: "Quantity" });
    await quantity.fill("999");
    await quantity.blur();
    await expect(quantity).not.toHaveValue("999");
    const stock = await quantity.inputValue();
    await page.locator(".toast").getByText(`Only ${stock} left`).waitFor();
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await page.getByText("Rosehip face serum added to cart!").waitFor();
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await page.getByRole("link", { name: `Cart, ${stock} items` }).waitFor();
  });

  test("keeps a quantity typed before the page's scripts run", async ({ open }) => {
    const page = await open("about:blank");
    const quantity = page.getByRole("spinbutton", { name: "Quantity" });
    await beforeHydration(page, "/products/rosehip-face-serum", () => quantity.fill("3"));
    await quantity.blur();
    await expect(quantity).toHaveValue("3");
    await page.getByRole("button", { name: "One more" }).click();
    await expect(quantity).toHaveValue("4");
  });

  test("loads a product once when its card was hovered before the click", async ({ open }) => {
    const page = await open("/shop?search=bracelet");
    await page.waitForLoadState("networkidle");
    const asked: string[] = [];
    const isData = (url: string) => /\/products\/[\w-]+(?:\/data$|\?_data=)/.test(url);
    page.on("request", (request) => {
      if (isData(request.url())) asked.push(request.url());
    });
    const loaded = page.waitForResponse((response) => isData(response.url()));
    await page.getByRole("link", { name: "Stone bead bracelet" }).hover();
    await loaded;
    await page.getByRole("link", { name: "Stone bead bracelet" }).click();
    await page.getByRole("heading", { name: "Stone bead bracelet", level: 1 }).waitFor();
    expect(asked).toHaveLength(1);
  });

  test("copies the link of a product", async ({ open }) => {
    const page = await open(`${BOARD}?from=mail#picture-2`, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByText("Link copied to clipboard!").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(new URL(BOARD, page.url()).href);
  });

  test("selects a theme that persists", async ({ open }) => {
    const page = await open("/terms");
    const stored = page.waitForResponse((answer) => new URL(answer.url()).pathname === "/theme");
    await page.getByRole("button", { name: "Dark" }).last().click();
    await stored;
    await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
    await page.reload();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  });
});

test.describe("the same shopper without JavaScript", () => {
  const plain = { javaScriptEnabled: false };

  test("searches, filters, sorts and paginates by plain forms and links", async ({ open }) => {
    const page = await open("/", plain);
    await page.getByRole("link", { name: "Shop Now" }).click();
    await page.getByRole("searchbox", { name: "Search products" }).fill("braclet");
    await page.keyboard.press("Enter");
    await page.getByText("2 products found", { exact: true }).waitFor();
    await page.goto("/shop?category=JEWELRY");
    await page.getByText("9 products found", { exact: true }).waitFor();
    await page.getByLabel("Sort").selectOption("price-asc");
    await page.getByRole("button", { name: "Apply" }).click();
    expect(new URL(page.url()).search).toContain("sort=price-asc");
    expect(new URL(page.url()).search).toContain("category=JEWELRY");
    await page.goto("/shop?page=2");
    await expect.poll(() => page.locator("article.product-card").count()).toBeGreaterThan(20);
  });

  test("fills the cart and gets its messages in the HTML", async ({ open }) => {
    const page = await open(BOARD, plain);
    await page.getByRole("spinbutton", { name: "Quantity" }).fill("2");
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await page.getByRole("status").getByText("Engraved walnut serving board added to cart!").waitFor();
    await page.getByRole("link", { name: "Cart, 2 items" }).click();
    expect(new URL(page.url()).pathname).toBe("/cart");
    const main = page.getByRole("main");
    await main.getByText("$156.00").first().waitFor();
    await main.getByRole("button", { name: "Remove Engraved walnut serving board" }).click();
    await page.getByRole("status").getByText("Item removed from cart").waitFor();
    await main.getByRole("button", { name: "Send Message" }).click();
    await page.getByRole("status").getByText("Your cart is empty").waitFor();
  });

  test("cannot buy what is out of stock", async ({ open }) => {
    const page = await open(SOLD_OUT, plain);
    await page.getByText("Out of Stock").first().waitFor();
    await expect(page.getByRole("button", { name: "Add to Cart" })).toBeDisabled();
    await expect(page.getByRole("button", { name: "Buy Now" })).toBeDisabled();
  });

  test("selects a theme that persists", async ({ open }) => {
    const page = await open("/shop", plain);
    await page.getByRole("button", { name: "Dark" }).last().click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    expect(new URL(page.url()).pathname).toBe("/shop");
  });
});
