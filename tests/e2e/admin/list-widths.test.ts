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
