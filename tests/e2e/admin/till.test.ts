import type { Page } from "@playwright/test";
import { expect, expectAccessible, NO_SCRIPT, overflow, test } from "../../support/browser";
import { asStaff, staffCall } from "../../support/staff";

const DRAWER = "/admin/sales/drawer?business=LASER";
const SALE = "/admin/sales/new";
const drawer = (page: Page) => page.getByRole("table", { name: "Drawer" });
const row = (page: Page, name: RegExp | string) => drawer(page).getByRole("row", { name });

/** Reads the sum of a row of the drawer. */
async function sumOf(page: Page, name: string): Promise<number> {
  const text =
    (await row(page, new RegExp(`^${name}`))
      .locator("td")
      .textContent()) ?? "";
  return Number(text.replace(/[^\d.−]/g, "").replace("−", "-"));
}

test("a day at the counter: the drawer is opened, cash gives change, the next sale begins, the drawer is counted", async ({
  open,
}) => {
  const page = await asStaff(open, "manager", DRAWER, { viewport: { width: 390, height: 844 } });
  await page.getByLabel("Float").fill("100");
  await page.getByRole("button", { name: "Open the drawer" }).click();
  await page.getByRole("heading", { name: "Count" }).waitFor();
  const before = await sumOf(page, "Expected");
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await expectAccessible(page);

  await page.goto(SALE);
  const search = page.getByPlaceholder("Add a product or your own line");
  await expect(search).toBeFocused();
  await search.fill("Engraved spoon");
  await page.keyboard.press("Alt+Enter");
  await page.getByLabel("Price of Engraved spoon").fill("12");
  await page.getByLabel("Business of Engraved spoon").selectOption("LASER");
  await page.getByText("Cash", { exact: true }).click();
  await page.getByLabel("Cash received").fill("10");
  await page.getByRole("button", { name: /^Record sale/ }).click();
  await page.getByText("Less than $12.00, which is to pay in cash").first().waitFor();
  await page.getByLabel("Cash received").fill("20");
  await expect(page.getByRole("row", { name: "Change $8.00" })).toBeVisible();
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.getByRole("button", { name: /^Record sale/ }).click();
  await page.getByText(/Sale recorded: L-\d{4}-\d{6}\. Change \$8\.00/).waitFor();
  await page.getByText(/^Last sale: \$12\.00/).waitFor();
  await expect(page.getByText("Add what you sell below.")).toBeVisible();
  await expect(search).toBeFocused();

  await page.goto(DRAWER);
  expect(await sumOf(page, "Expected")).toBe(before + 12);
  // Cash moves meanwhile: the sum that is shown then is the one that is closed.
  await staffCall("manager", "sale", {
    paymentMode: "CASH",
    lines: [{ description: "Engraved fork", category: "ENGRAVING", quantity: 1, amount: 5 }],
  });
  await page.getByLabel("Counted").fill(String(before + 10));
  await page.getByLabel("Reason for the difference").fill("Two dollars too much change");
  await page.getByRole("button", { name: "Close the drawer" }).click();
  await page.getByText(/is expected by now, not .*Nothing was closed\./).waitFor();
  await page.getByLabel("Counted").fill(String(before + 15));
  await expect(row(page, "Difference −$2.00")).toBeVisible();
  await page.getByLabel("Reason for the difference").fill("Two dollars too much change");
  await page.getByRole("button", { name: "Close the drawer" }).click();
  await page.getByText("Drawer closed, difference −$2.00").waitFor();
  await expect(page.getByText("Difference: Two dollars too much change")).toBeVisible();
  await expectAccessible(page);
});

test("the drawer is opened and closed without JavaScript", async ({ open }) => {
  const page = await asStaff(open, "manager", "/admin/sales/drawer", NO_SCRIPT);
  await page.getByLabel("Float").fill("fifty");
  await page.getByRole("button", { name: "Open the drawer" }).click();
  await expect(page.getByLabel("Float")).toHaveValue("fifty");
  await page.getByLabel("Float").fill("50");
  await page.getByRole("button", { name: "Open the drawer" }).click();
  const expected = await sumOf(page, "Expected");
  await page.getByLabel("Counted").fill(expected.toFixed(2));
  await page.getByRole("button", { name: "Close the drawer" }).click();
  await page.getByText("Drawer closed, without a difference").waitFor();
  await expect(row(page, "Counted")).toBeVisible();
});
