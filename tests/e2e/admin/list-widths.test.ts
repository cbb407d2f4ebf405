import { expect, test } from "../../support/browser";
import { api, sellerToken } from "../../support/conversation";
import { asStaff } from "../../support/staff";

const LISTS = [
  "invoices-management",
  "expenses-management",
  "documents",
  "customers",
  "customers?open=unlinked",
  "users-management",
  "products-management",
  "inventory-management",
  "audit",
];
/** Widths of screens, and the narrowest ones of each layout. */
const WIDTHS = [1440, 1280, 1201, 1101, 1024, 820, 768];

test("no list is wider than its box", async ({ open }) => {
  // Lines of documents name them in place of their buttons.
  const lines = [{ description: "Cold-process soap bars, three scents", quantity: 1, amount: 12 }];
  expect((await api("sale", "POST", { paymentMode: "CARD", lines }, await sellerToken())).status).toBe(201);
  const page = await asStaff(open, "admin", "about:blank");
  for (const list of LISTS) {
    await page.goto(`/admin/${list}`);
    const box = page.locator(".data-table > :has(> table)");
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const excess = () => box.evaluate((element) => element.scrollWidth - element.clientWidth);
      await expect.poll(excess, `${list} at ${width} px`).toBeLessThanOrEqual(0);
    }
  }
});

test("a label of the documents leaves room for the names of items at 1280 px", async ({ open }) => {
  const page = await asStaff(open, "admin", "/admin/documents", { viewport: { width: 1280, height: 900 } });
  const cells = page.locator(".cell-items:has(.state-label)");
  await cells.first().waitFor();
  const widths = await cells
    .locator(".truncate")
    .evaluateAll((names) => names.map((name) => name.clientWidth));
  expect(Math.min(...widths)).toBeGreaterThan(80);
  const excess = await cells.evaluateAll((all) => all.map((cell) => cell.scrollWidth - cell.clientWidth));
  expect(Math.max(...excess)).toBeLessThanOrEqual(0);
});
