import type { Page } from "@playwright/test";
import { expect, expectAccessible, NO_SCRIPT, overflow, test } from "../../support/browser";
import { asStaff } from "../../support/staff";

const SALE = "/admin/sales/new";

/** Opens the document of the sale that the toast names. */
async function openRecorded(page: Page): Promise<string> {
  const toast = page.getByText(/(?:Sale recorded: |Corrected: .* and )E-/).first();
  await toast.waitFor();
  const number = ((await toast.textContent()) ?? "").match(/(?<!\w)E-\d{4}-\d{6}/g)?.at(-1) ?? "";
  await page.goto(`/admin/documents?q=${number}`);
  await page.getByRole("link", { name: number }).first().click();
  await page.getByRole("heading", { name: number, level: 1 }).waitFor();
  return number;
}

const totals = (page: Page) => page.getByRole("table", { name: "Totals" });

for (const width of [390, 1440])
  test(`a line has a discount, an amount is credited, the price is corrected at ${width} px`, async ({
    open,
  }) => {
    const page = await asStaff(open, "manager", SALE, { viewport: { width, height: 900 } });
    await page.getByPlaceholder("Add a product or your own line").fill("Corrected pen");
    await page.keyboard.press("Alt+Enter");
    await page.getByLabel("Price of Corrected pen").fill("60");
    await page.getByText("Discount", { exact: true }).click();
    const discount = page.getByLabel("Discount of Corrected pen", { exact: true });
    await discount.fill("110%");
    await discount.blur();
    await page.getByText("Must be at most 100%").waitFor();
    await discount.fill("10%");
    await page.getByLabel("Reason of the discount of Corrected pen").fill("Scratched");
    await page.getByLabel("Discount on all lines").fill("4");
    await page.getByText("Card", { exact: true }).click();
    await expect(totals(page).getByRole("row", { name: "To collect $50.00" })).toBeVisible();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await page.getByRole("button", { name: /^Record sale/ }).click();
    await openRecorded(page);
    await expect(page.getByText("Discount −$10.00: Scratched")).toBeVisible();

    await page.getByRole("link", { name: "Credit…" }).click();
    const dialog = page.getByRole("dialog");
    const amount = dialog.getByLabel("Amount off Corrected pen without pieces, $50.00 left");
    await amount.fill("50.01");
    await dialog.getByText("At most $50.00").waitFor();
    await amount.fill("5");
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await dialog.getByRole("button", { name: "Credit $5.00", exact: true }).click();
    await page.getByText("$5.00 credited").first().waitFor();

    await page.getByRole("link", { name: "Correct price or item" }).click();
    const price = page.getByLabel("Price of Corrected pen", { exact: true });
    // What is left after the credit, with the discounts taken off it.
    await expect(price).toHaveValue("55.00");
    await expect(page.getByText("Stays as it is", { exact: true })).toBeVisible();
    await price.fill("50");
    await expect(page.getByText("Changed", { exact: true })).toBeVisible();
    await expect(page.getByRole("list", { name: "Taken back" })).toContainText("1 × Corrected pen");
    await expect(totals(page).getByRole("row")).toContainText([
      /Credit note\s*New sale/,
      /^Lines\s*−\$45\.00\s*\$40\.00$/,
      /^HST .*−\$5\.18\s*\$4\.60$/,
      /^Two documents\s*−\$45\.00\s*\$40\.00$/,
      /^To pay back\s*\$5\.00$/,
    ]);
    await expectAccessible(page);
    await page.getByRole("button", { name: /^Correct .*to pay back/ }).click();
    await openRecorded(page);
    await expect(page.getByText("as a correction with")).toBeVisible();
    const payments = page.getByRole("region", { name: "Payments and credits" });
    await expect(payments.getByRole("row", { name: /Paid in full .*\$40\.00/ })).toBeVisible();
  });

test("a sale is discounted and corrected without JavaScript", async ({ open }) => {
  const page = await asStaff(open, "manager", SALE, NO_SCRIPT);
  await page.getByPlaceholder("Add a product or your own line").fill("Plain wrap");
  await page.getByRole("button", { name: "Add own line" }).click();
  await page.getByLabel("Price of Plain wrap").fill("20");
  await page.getByText("Discount", { exact: true }).click();
  await page.getByLabel("Discount of Plain wrap", { exact: true }).fill("20.01");
  await page.getByText("Card", { exact: true }).click();
  await page.getByRole("button", { name: /^Record sale/ }).click();
  await page.getByText("Must be at most the price, $20.00").first().waitFor();
  await page.getByLabel("Discount of Plain wrap", { exact: true }).fill("2.50");
  await page.getByRole("button", { name: /^Record sale/ }).click();
  await openRecorded(page);
  await page.getByRole("link", { name: "Correct price or item" }).click();
  await page.getByLabel("Price of Plain wrap", { exact: true }).fill("30");
  await page.getByLabel("Reason", { exact: true }).fill("Two sheets");
  await page.getByRole("button", { name: "Update totals" }).click();
  await expect(totals(page).getByRole("row", { name: "To collect $10.00" })).toBeVisible();
  await page.getByRole("button", { name: /^Correct/ }).click();
  await openRecorded(page);
  await page.getByRole("link", { name: /^EC-/ }).first().click();
  await expect(page.getByText("Two sheets").first()).toBeVisible();
});
