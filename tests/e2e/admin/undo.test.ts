import { expect, type Open, test } from "../../support/browser";
import { asStaff, staffCall } from "../../support/staff";
import { coveredByToasts } from "../../support/toasts";

/** Deletes an expense, which offers to undo that. */
async function deletedExpense(open: Open, description: string) {
  await staffCall("admin", "expense", { description, amount: 10, expenseType: "TAXI" });
  const page = await asStaff(open, "admin", `/admin/expenses-management?q=${description}`, {
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
  });
  await page.clock.install();
  await page.getByRole("link", { name: `Delete ${description}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  const undo = page.locator(".toast-list").getByRole("button", { name: "Undo" });
  await undo.waitFor();
  return { page, undo };
}

test("a message with a button lies on no control", async ({ open }) => {
  const { page } = await deletedExpense(open, "Covering");
  await expect.poll(() => page.evaluate(coveredByToasts)).toEqual([]);
});

for (const way of ["keyboard", "mouse"] as const)
  test(`a message ends by itself after an Undo by ${way}`, async ({ open }) => {
    const { page, undo } = await deletedExpense(open, `Undone by ${way}`.replaceAll(" ", "-"));
    if (way === "keyboard") await undo.press("Enter");
    else await undo.click();
    const restored = page.locator(".toast-list .toast", { hasText: "Expense restored successfully" });
    await restored.waitFor();
    await expect(undo).toHaveCount(0);
    await page.clock.fastForward(5000);
    await expect(restored).toHaveCount(0);
  });
