import type { Page } from "@playwright/test";
import { expect, expectAccessible, NO_SCRIPT, overflow, test } from "../../support/browser";
import { asStaff } from "../../support/staff";

const BOOKS = "/admin/bookkeeping";

/** Shows the figures of days of one's own, corrects days that are no range, and follows what states no tax. */
async function walk(page: Page): Promise<void> {
  await page.getByText("Own days", { exact: true }).click();
  const form = page.getByRole("form", { name: "Own days" });
  await form.getByLabel("From").fill("2026-06-20");
  await form.getByLabel("To").fill("2026-06-10");
  await form.getByRole("button", { name: "Show" }).click();
  await expect(form.getByText("The last day is before the first")).toBeVisible();
  await form.getByLabel("From").fill("2026-06-01");
  await form.getByRole("button", { name: "Show" }).click();
  await expect(page.getByText("1st Jun 2026 to 10th Jun 2026. Credit notes")).toBeVisible();
  await expect(page.getByText(/Turnover is \$[\d,.]+ with tax and \$[\d,.]+ without/)).toBeVisible();
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.getByRole("link", { name: /^\d+ sales?$/ }).click();
  await expect(page).toHaveURL(/from=2026-06-01&to=2026-06-10&tax=without/);
}

for (const width of [390, 1440])
  test(`bookkeeping shows days of one's own and months at ${width} px`, async ({ open }) => {
    const page = await asStaff(open, "manager", BOOKS, { viewport: { width, height: 900 } });
    await expect(page.getByRole("table", { name: "Best by revenue" })).toBeVisible();
    await expectAccessible(page);
    await walk(page);
    await page.goto(BOOKS);
    const months = page.getByRole("combobox", { name: "Period" });
    const [month = ""] = await months.locator("option").nth(7).allTextContents();
    await months.selectOption(month);
    await expect(page.getByText(new RegExp(`^${month}, \\d{4}`))).toBeVisible();
  });

test("bookkeeping shows days of one's own without JavaScript", async ({ open }) => {
  await walk(await asStaff(open, "manager", BOOKS, NO_SCRIPT));
});
