import { expect, expectAccessible, overflow, SCRIPTING, test } from "../../support/browser";
import { asStaff, staffCall } from "../../support/staff";

for (const [name, javaScriptEnabled] of SCRIPTING)
  test(`a search that found nothing becomes a synonym, which shoppers find by (${name})`, async ({
    open,
  }) => {
    const product = javaScriptEnabled ? "Copper finjan" : "Copper ibrik";
    const word = javaScriptEnabled ? "qahwabecher" : "kahvedose";
    await staffCall("manager", "product", {
      name: product,
      price: 9,
      stock: 3,
      category: "OTHERS",
      imageUrls: [],
    });
    const shopper = await open(`/shop?search=${word}`, { javaScriptEnabled });
    await expect(shopper.getByRole("heading", { name: `Ask us for “${word}”` })).toBeVisible();
    // It is noted after its answer.
    const missed = async () => JSON.stringify(await staffCall("manager", "search/missed"));
    await expect.poll(missed).toContain(word);
    const page = await asStaff(open, "manager", "/admin/settings?group=search", {
      javaScriptEnabled,
      viewport: { width: 390, height: 844 },
    });
    expect(await overflow(page)).toBe(0);
    if (javaScriptEnabled) await expectAccessible(page);
    await page.getByRole("link", { name: `Make it a synonym: ${word}` }).click();
    await expect(page.getByLabel("Shoppers type")).toHaveValue(word);
    await page.getByLabel("The shop calls it").fill(product.split(" ")[1] ?? "");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await expect(page.getByText("Added. The search knows it now.").first()).toBeVisible();
    await expect(page.getByRole("link", { name: `Make it a synonym: ${word}` })).toHaveCount(0);
    await shopper.reload();
    await expect(shopper.getByRole("link", { name: product }).first()).toBeVisible();
    await page.getByLabel("Find a word").fill(word);
    await page.getByRole("button", { name: "Find", exact: true }).click();
    await page.getByRole("button", { name: new RegExp(`^Remove ${word}`) }).click();
    await expect(page.getByText(/^Removed: /).first()).toBeVisible();
  });
