import type { Page } from "@playwright/test";
import { accessibilityProblems, expect, test } from "../../support/browser";
import { fetchShop } from "../../support/running-shop";
import { asStaff } from "../../support/staff";

const LIST = "/admin/products-management?q=mug";

const prices = async () => {
  const answer = await fetchShop("/api/product/all?search=mug&sort=name-asc");
  return ((await answer.json()) as { name: string; price: number }[]).map(({ price }) => price);
};
const tickFirst = async (page: Page, count: number) => {
  const boxes = page.getByRole("checkbox", { name: /^Select .*mug/i });
  for (let at = 0; at < count; at++) await boxes.nth(at).check();
};

for (const javaScriptEnabled of [false, true])
  test(`ticked products get another price and are hidden and shown, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async ({
    open,
  }) => {
    const page = await asStaff(open, "manager", LIST, { javaScriptEnabled });
    const before = await prices();
    await tickFirst(page, 1);
    if (javaScriptEnabled) await page.getByText("1 selected").waitFor();
    await page.getByRole("button", { name: "Price" }).click();
    await page.getByLabel("Change by").fill("+10");
    await page.getByText(".95", { exact: true }).click();
    await page.getByRole("button", { name: "Preview" }).click();
    await page.locator("del").first().waitFor();
    expect(await prices()).toEqual(before);
    if (javaScriptEnabled) expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Change the price of 1 product" }).click();
    await page.getByText("Price changed: 1 product").first().waitFor();
    const after = await prices();
    expect(after.filter((price, at) => price !== before[at])).toHaveLength(1);

    const found = before.length;
    await page.goto(LIST);
    await page.getByLabel(/^All \d+ that match/).check();
    await page.getByRole("button", { name: "Hide" }).click();
    await page.getByRole("button", { name: /^Hide \d+ product/ }).click();
    await page
      .getByText(/^Hidden: \d+ product/)
      .first()
      .waitFor();
    expect((await prices()).length).toBeLessThan(found);
    await page.goto(LIST);
    await page.getByText("Hidden", { exact: true }).first().waitFor();
    if (javaScriptEnabled) expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel(/^All \d+ that match/).check();
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByRole("button", { name: /^Show \d+ product/ }).click();
    await page
      .getByText(/^Shown again: \d+ product/)
      .first()
      .waitFor();
    expect(await prices()).toEqual(after);
  });
