import { expect, test } from "../../support/browser";
import { asStaff } from "../../support/staff";

test("the dashboard fits a screen of 1440 × 900 px, with round amounts on its axis", async ({ open }) => {
  const page = await asStaff(open, "admin", "/admin", { viewport: { width: 1440, height: 900 } });
  const amounts = page.locator(".month-amount");
  await amounts.first().waitFor();
  expect((await amounts.allTextContents()).filter((text) => !/^\$\d+(?:\.5k|k)?$/.test(text))).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(900);
  const sizes = await page
    .locator(".month-chart span")
    .evaluateAll((labels) => labels.map((label) => getComputedStyle(label).fontSize));
  expect(new Set(sizes)).toEqual(new Set(["12px"]));
});
