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
