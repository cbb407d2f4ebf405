import { expect, test } from "../../support/browser";

/** Answer for a script that the shop no longer has; each of these belongs to the script of a page. */
const gone = { status: 404, contentType: "text/plain", body: "Not found" };

test.describe("a page whose script does not load", () => {
  test("is reached as a document, after one reload of the page before", async ({ openWithErrors }) => {
    const page = await openWithErrors("/");
    await page.route("**/LegalPage-*.js", (route) => route.fulfill(gone));
    let loads = 0;
    page.on("load", () => loads++);
    await page.getByRole("contentinfo").getByRole("link", { name: "Terms and Conditions" }).click();
    await expect(page).toHaveURL("/terms");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByRole("link", { name: "Shop", exact: true }).first().click();
    await expect(page).toHaveURL("/shop");
    expect(loads).toBe(3);
  });

  test("takes the product into the cart, after one reload", async ({ openWithErrors }) => {
    const page = await openWithErrors("/products/stone-bead-bracelet");
    await page.route("**/CartContents-*.js", (route) => route.fulfill(gone));
    let loads = 0;
    page.on("load", () => loads++);
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await page.getByText("Stone bead bracelet added to cart").waitFor();
    await page.getByRole("link", { name: "Cart, 1 item" }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(loads).toBe(1);
  });
});
