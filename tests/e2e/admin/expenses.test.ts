import type { Page } from "@playwright/test";
import { expect, expectAccessible, NO_SCRIPT, overflow, test } from "../../support/browser";
import { asStaff } from "../../support/staff";

const EXPENSES = "/admin/expenses-management";
const PDF = { name: "bill.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4\n%%EOF\n") };
const SVG = { name: "bill.png", mimeType: "image/png", buffer: Buffer.from("<svg/>") };

/** Deletes the expenses of this test. */
async function deleteAll(page: Page, name: string): Promise<void> {
  await page.goto(`${EXPENSES}?q=${encodeURIComponent(name)}`);
  for (let left = await page.getByRole("link", { name: `Delete ${name}` }).count(); left > 0; left--) {
    await page
      .getByRole("link", { name: `Delete ${name}` })
      .first()
      .click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Expense deleted successfully").first().waitFor();
    await page.goto(`${EXPENSES}?q=${encodeURIComponent(name)}`);
  }
}

async function walk(page: Page, name: string, hasScript: boolean): Promise<void> {
  const dialog = page.getByRole("dialog");
  await page.getByRole("link", { name: "Add Expense" }).first().click();
  await dialog.getByLabel("Description").fill(name);
  await dialog.getByLabel("Supplier").fill("Northwood Timber");
  await dialog.getByLabel("Paid by").selectOption("Cash");
  await dialog.getByLabel("Amount").fill("1,234.50");
  await dialog.getByLabel("Add files").setInputFiles(SVG);
  if (hasScript) await expectAccessible(page);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog.getByText("bill.png is no JPEG, PNG, WebP, GIF or PDF").first()).toBeVisible();
  await expect(dialog.getByLabel("Amount")).toHaveValue("1,234.50");
  // Without a script the form comes back without its file.
  await expect(dialog.getByLabel("Add files")).toHaveValue(hasScript ? /bill\.png$/ : "");
  await expect(dialog.getByText("have to be chosen again")).toBeVisible({ visible: !hasScript });
  await dialog.getByLabel("Add files").setInputFiles(PDF);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("Expense added successfully").first().waitFor();
  await page.goto(`${EXPENSES}?q=northwood`);
  const row = page.getByRole("row", { name: new RegExp(name) });
  await expect(row).toContainText("Northwood Timber");
  await expect(row).toContainText("Cash");
  await row.getByRole("link", { name: "1 file" }).click();
  await expect(dialog.getByRole("link", { name: /bill\.pdf/ })).toBeVisible();
  await dialog.getByRole("button", { name: "Remove bill.pdf" }).click();
  await page.getByText("File removed").first().waitFor();
  await expect(dialog.getByRole("link", { name: /bill\.pdf/ })).toBeHidden();
  await page.goto(`${EXPENSES}?q=northwood`);
  await row.getByRole("link", { name: `Duplicate ${name}` }).click();
  await expect(dialog.getByLabel("Supplier")).toHaveValue("Northwood Timber");
  await expect(dialog.getByLabel("Amount")).toHaveValue("1234.50");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("Expense added successfully").first().waitFor();
  await deleteAll(page, name);
}

for (const width of [390, 1440])
  test(`an expense is added with its bill and duplicated at ${width} px`, async ({ open }) => {
    const page = await asStaff(open, "manager", EXPENSES, { viewport: { width, height: 900 } });
    await walk(page, `Oak boards ${width}`, true);
  });

test("an expense is added with its bill and duplicated without JavaScript", async ({ open }) => {
  await walk(await asStaff(open, "manager", EXPENSES, NO_SCRIPT), "Oak boards plainly", false);
});
