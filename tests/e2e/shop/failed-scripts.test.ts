import type { Page } from "@playwright/test";
import { expect, test } from "../../support/browser";

/** Answer for a script that the shop no longer has; each of these belongs to the script of a page. */
const gone = { status: 404, contentType: "text/plain", body: "Not found" };

/** Lists the paths of the documents that a page requests from now on. */
function documentsOf(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) paths.push(new URL(request.url()).pathname);
  });
  return paths;
}

test.describe("a page whose script does not load", () => {
  test("is reached as a document, after one reload of the page before", async ({ openWithErrors }) => {
    const page = await openWithErrors("/");
    await page.route("**/LegalPage-*.js", (route) => route.fulfill(gone));
    const documents = documentsOf(page);
    await page.getByRole("contentinfo").getByRole("link", { name: "Terms and Conditions" }).click();
    await expect(page).toHaveURL("/terms");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByRole("link", { name: "Shop", exact: true }).first().click();
    await expect(page).toHaveURL("/shop");
    expect(documents).toEqual(["/", "/terms", "/shop"]);
  });

  test("takes the product into the cart, after one reload", async ({ openWithErrors }) => {
    const page = await openWithErrors("/products/stone-bead-bracelet");
    await page.route("**/CartContents-*.js", (route) => route.fulfill(gone));
    const documents = documentsOf(page);
    const sent = page.waitForResponse("**/cart/submit");
    await page.getByRole("button", { name: "Add to Cart" }).click();
    expect((await sent).ok()).toBe(true);
    await page.getByRole("link", { name: "Cart, 1 item" }).waitFor();
    expect(documents).toEqual(["/products/stone-bead-bracelet"]);
    await page.unroute("**/CartContents-*.js");
    await page.goto("/cart");
    await expect(page.getByRole("spinbutton", { name: "Quantity" })).toHaveValue("1");
  });
});
