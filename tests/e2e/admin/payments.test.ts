import type { Page } from "@playwright/test";
import { expect, expectAccessible, NO_SCRIPT, overflow, test } from "../../support/browser";
import { asStaff } from "../../support/staff";

const SALE = "/admin/sales/new";
const recordButton = (page: Page) => page.getByRole("button", { name: /^Record sale/ });

/** Opens the document of the sale that the toast names. */
async function openRecorded(page: Page): Promise<void> {
  const toast = page.getByText(/Sale recorded: E-/).first();
  await toast.waitFor();
  const [number = ""] = /E-\d{4}-\d{6}/.exec((await toast.textContent()) ?? "") ?? [];
  await page.goto(`/admin/documents?q=${number}`);
  await page.getByRole("link", { name: number }).first().click();
  await page.getByRole("heading", { name: "Payments and credits" }).waitFor();
}

const payments = (page: Page) => page.getByRole("region", { name: "Payments and credits" });
const books = (page: Page) => page.getByRole("region", { name: "In the books" });

for (const width of [390, 1440])
  test(`a sale is paid in three modes and credited in two at ${width} px`, async ({ open }) => {
    const page = await asStaff(open, "manager", SALE, { viewport: { width, height: 900 } });
    await page.getByPlaceholder("Add a product or your own line").fill("Pen turned in maple");
    await page.keyboard.press("Alt+Enter");
    await page.getByLabel("Price of Pen turned in maple").fill("70.02");
    await page.getByText("Cash", { exact: true }).click();
    await page.getByText("Split the payment").click();
    await expect(page.getByLabel("Cash part")).toBeHidden();
    await page.getByLabel("EMT part").fill("30");
    await page.getByLabel("Card part").fill("$15.00");
    const totals = page.getByRole("table", { name: "Totals" });
    await expect(totals.getByRole("row", { name: "Cash $25.00" })).toBeVisible();
    await expect(totals.getByRole("row", { name: "To collect $70.00" })).toBeVisible();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    // What is more than the sale is said at the fields, and they stay as they were typed.
    const isTooMuch = page.getByText("The payments are $105.00, $70.02 is to pay").first();
    await page.getByLabel("EMT part").fill("90");
    await isTooMuch.waitFor();
    await recordButton(page).click();
    await page.getByText("Please check").first().waitFor();
    await isTooMuch.waitFor();
    await expect(page.getByLabel("Card part")).toHaveValue("$15.00");
    await page.getByLabel("EMT part").fill("30");
    await expect(isTooMuch).toBeHidden();
    await recordButton(page).click();
    await openRecorded(page);
    await expect(payments(page).getByRole("row", { name: /EMT .*\$30\.00/ })).toBeVisible();
    await expect(payments(page).getByRole("row", { name: /Cash .*\$25\.00/ })).toBeVisible();
    await expect(books(page).getByText("Sum, as on the document")).toBeVisible();
    await page.getByRole("link", { name: "Credit…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Everything that is left (void)").check();
    await dialog.getByText("Split the payment").click();
    await dialog.getByLabel("Card part").fill("40");
    await dialog.getByRole("button", { name: /^Credit/ }).click();
    await expect(payments(page).getByRole("row", { name: /Credit note .*Card .*−\$40\.00/ })).toBeVisible();
    await expect(payments(page).getByRole("row", { name: /Kept, after credits .*\$0\.00/ })).toBeVisible();
  });

test("a sale is paid in two modes without JavaScript, and its receipt says so", async ({ open }) => {
  const page = await asStaff(open, "manager", SALE, NO_SCRIPT);
  await page.getByPlaceholder("Add a product or your own line").fill("Gift wrap");
  await page.getByRole("button", { name: "Add own line" }).click();
  await page.getByLabel("Price of Gift wrap").fill("31.40");
  await page.getByText("Card", { exact: true }).click();
  await page.getByText("Split the payment").click();
  await page.getByLabel("Cash part").fill("20");
  await page.getByRole("button", { name: "Update totals" }).click();
  await expect(page.getByRole("row", { name: "Cash $20.00" })).toBeVisible();
  await expect(page.getByRole("row", { name: "Card $11.40" })).toBeVisible();
  await recordButton(page).click();
  await page.getByRole("link", { name: "Open", exact: true }).first().click();
  await page.getByRole("link", { name: "Receipt", exact: true }).click();
  await expect(page.getByText("Paid, card")).toBeVisible();
  await expect(page.getByText("Paid, cash")).toBeVisible();
});
