import { expect, it } from "vitest";
import { browserJourneys } from "../../support/browser";
import { asStaff } from "../../support/staff";

const { open } = browserJourneys();

it.each([
  ["invoice", "Add Invoice"],
  ["expense", "Add Expense"],
])("an amount of 1,50 typed for an %s keeps its comma and is not booked", async (kind, title) => {
  const page = await asStaff(open, "manager", `/admin/${kind}s-management?dialog=new`);
  const dialog = page.getByRole("dialog", { name: title });
  await dialog.getByLabel("Description").fill("A comma in the amount");
  const amount = dialog.getByLabel("Amount");
  await amount.fill("");
  await amount.pressSequentially("1,50");
  expect(await amount.inputValue()).toBe("1,50");
  await page.keyboard.press("Enter");
  await dialog.getByText("Must be an amount from 0 to 99,999,999.99").first().waitFor();
});
