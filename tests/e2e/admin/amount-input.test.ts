import { expect, test } from "../../support/browser";
import { asStaff } from "../../support/staff";

for (const [kind, title] of [
  ["invoice", "Add Invoice"],
  ["expense", "Add Expense"],
] as const)
  test(`an ${kind} amount typed as 1,50 keeps its comma and is rejected, 1,850.00 is stored`, async ({
    open,
  }) => {
    const page = await asStaff(open, "manager", `/admin/${kind}s-management?dialog=new`);
    const dialog = page.getByRole("dialog", { name: title });
    await dialog.getByLabel("Description").fill("A comma in the amount");
    const amount = dialog.getByLabel("Amount");
    await amount.fill("");
    await amount.pressSequentially("1,50");
    await expect(amount).toHaveValue("1,50");
    await page.keyboard.press("Enter");
    await dialog.getByText("Cents follow a point, not a comma: write it like 1.50").waitFor();
    await amount.fill("1,850.00");
    await page.keyboard.press("Enter");
    await page
      .getByText(`${title.slice(4)} added successfully`)
      .first()
      .waitFor();
    await page.getByText("$1,850.00").first().waitFor();
  });
