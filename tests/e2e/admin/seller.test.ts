import { expect, expectAccessible, SCRIPTING, test } from "../../support/browser";
import { asStaff, staffCall } from "../../support/staff";

const sale = {
  lines: [{ description: "Oak board", category: "OTHERS", quantity: 1, amount: 80 }],
  paymentMode: "CARD",
};

for (const [name, javaScriptEnabled] of SCRIPTING)
  test.describe(`a seller ${name}`, () => {
    test("works from Today to a receipt, and is told what a manager has to do", async ({ open }) => {
      const page = await asStaff(open, "seller", "/admin/today", { javaScriptEnabled });
      await expect(page.getByRole("navigation", { name: "Sections" }).getByRole("link")).toHaveText([
        ...[/Today/, "Inventory", "Sales", "Customers", "Products", /Support Chat/],
      ]);
      await page.getByRole("link", { name: "Sales", exact: true }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sales");
      await expect(page.getByRole("navigation", { name: "Show" }).getByRole("link")).toHaveText([
        ...["Documents", "Holds", "Quotes"],
      ]);
      const { documents } = (await staffCall("seller", "sale", sale)) as { documents: { id: string }[] };
      await page.goto(`/admin/documents/${documents[0]?.id}?credit=1`);
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel(/^Take back of Oak board/).fill("1");
      await dialog
        .getByRole("button", { name: /Issue|Credit/ })
        .first()
        .click();
      await expect(
        page.getByText("Sellers may pay back up to $50.00 of one sale. Ask a manager.").first(),
      ).toBeVisible();
      await page.goto("/admin/expenses-management");
      await expect(page.getByText("Your role can't open this page. Ask an admin.")).toBeVisible();
      await page.getByRole("main").getByRole("link", { name: "Today" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Today");
    });
  });

test("a seller's pages are accessible", async ({ open }) => {
  const page = await asStaff(open, "seller", "/admin/documents");
  for (const path of ["/admin/documents", "/admin/chat?tab=settings", "/admin/settings"]) {
    await page.goto(path);
    await expectAccessible(page);
  }
});
