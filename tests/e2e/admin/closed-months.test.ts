import { expect, test } from "../../support/browser";
import { asStaff, staffCall } from "../../support/staff";

const PAGE = "/admin/bookkeeping";
/** Day before everything in the demo, so that the closing stays out of other journeys; the demo has closed the other business. */
const DAY = "2019-03-31";

/** Reopens what is closed of the general shop. */
const reopened = () =>
  staffCall("admin", "closing", { businessType: "EMPORIA", reason: "End of the journey" }, "DELETE");

for (const javaScriptEnabled of [true, false])
  test(`an admin closes a month, and what is dated in it is refused, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async ({
    open,
  }) => {
    const description = `Belt for the sander, ${javaScriptEnabled}`;
    const stored = await staffCall("admin", "expense", {
      ...{ description, amount: 36.9, expenseType: "OTHERS", businessType: "EMPORIA" },
      createdAt: "2019-03-28",
    });
    const page = await asStaff(open, "admin", PAGE, { javaScriptEnabled });
    await page.getByRole("link", { name: /^Close .+ of Emporia/ }).click();
    const dialog = page.getByRole("dialog", { name: "Close a month of Emporia" });
    await expect(dialog.getByRole("table", { name: /^March 2019/ })).toHaveCount(0);
    await dialog.getByLabel("Up to and including").fill(DAY);
    if (!javaScriptEnabled) await dialog.getByRole("button", { name: "Show its figures" }).click();
    await expect(dialog.getByRole("table", { name: "March 2019 as it is now" })).toContainText(
      "Expenses$36.90",
    );
    await dialog.getByRole("button", { name: "Close Emporia" }).click();
    try {
      await expect(page.getByText(/Emporia is closed up to 31st Mar 2019/).first()).toBeVisible();
      const form = await asStaff(open, "manager", "/admin/expenses-management?dialog=new", {
        javaScriptEnabled,
      });
      const add = form.getByRole("dialog", { name: "Add Expense" });
      await add.getByLabel("Description").fill("Drill bits");
      await add.getByLabel("Amount").fill("36.90");
      await add.getByText("Emporia", { exact: true }).click();
      await add.getByLabel("Created at").fill("2019-03-29");
      await add.getByRole("button", { name: "Add", exact: true }).click();
      // The date asks once before it is sent, or is answered with the question.
      await expect(add.getByText(/Dated 7 years ago, Friday 29th March 2019/).first()).toBeVisible();
      await add.getByRole("button", { name: "Add", exact: true }).click();
      await expect(
        add.getByText(/^Emporia is closed up to 31st Mar 2019, by .+ today at/).first(),
      ).toBeVisible();
      await expect(add.getByLabel("Description")).toHaveValue("Drill bits");
      await expect(add.getByRole("link", { name: "let an admin reopen it" })).toBeVisible();
      if (javaScriptEnabled) {
        await add.getByRole("button", { name: "Date it 1st Apr 2019" }).click();
        await expect(add.getByLabel("Created at")).toHaveValue("2019-04-01");
      }
      await form.goto(`/admin/expenses-management?q=${encodeURIComponent(description)}`);
      await form.getByRole("link", { name: `Update ${description}` }).click();
      const update = form.getByRole("dialog", { name: "Update Expense" });
      await update.getByLabel("Amount").fill("1.23");
      await update.getByRole("button", { name: "Update", exact: true }).click();
      await expect(update.getByText("To change it, let an admin reopen it first.")).toBeVisible();
      await expect(update.getByRole("button", { name: /^Date it/ })).toHaveCount(0);
      await page.getByRole("link", { name: "Reopen Emporia" }).click();
      const reopen = page.getByRole("dialog", { name: "Reopen Emporia" });
      await reopen.getByLabel("Reason").fill("A bill came late");
      await reopen.getByRole("button", { name: "Reopen Emporia" }).click();
      await expect(page.getByRole("link", { name: "Reopen Emporia" })).toHaveCount(0);
    } finally {
      await reopened();
      await staffCall("admin", `expense/${(stored as { id: string }).id}`, {}, "DELETE");
    }
  });
