import { expect, expectAccessible, SCRIPTING, test } from "../../support/browser";
import { asStaff } from "../../support/staff";

const PASSWORD = "Welcome!2026";

for (const [name, javaScriptEnabled] of SCRIPTING)
  test.describe(`an invitation ${name}`, () => {
    test("leads a colleague from the admin's form to Today", async ({ open }) => {
      const email = `invited.${javaScriptEnabled}@mail.example`;
      const page = await asStaff(open, "admin", "/admin/users-management", { javaScriptEnabled });
      await page.getByRole("link", { name: "Invite", exact: true }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("First name").fill("Jonas");
      await dialog.getByLabel("Last name").fill(`Invited ${javaScriptEnabled}`);
      await dialog.getByLabel("Email").fill(email);
      await dialog.getByText("Seller", { exact: true }).click();
      await dialog.getByRole("button", { name: "Send Invitation" }).click();
      await expect(page.getByText(`Invitation sent to ${email}`).first()).toBeVisible();
      const row = page
        .getByRole("region", { name: "Invited" })
        .getByRole("listitem")
        .filter({ hasText: email });
      await expect(row).toContainText("7 days left");
      const former = await page
        .getByRole("link", { name: "Open the invitation" })
        .first()
        .getAttribute("href");
      if (javaScriptEnabled) await page.getByRole("button", { name: "Close this message" }).first().click();
      await row.getByRole("button", { name: /^Send again/ }).click();
      const link = page.getByRole("link", { name: "Open the invitation" }).first();
      await expect(link).not.toHaveAttribute("href", former ?? "");
      const latest = (await link.getAttribute("href")) ?? "";

      const theirs = await open(former ?? "", { javaScriptEnabled });
      await expect(theirs.getByText("This invitation is not valid").first()).toBeVisible();
      await theirs.goto(latest);
      await expect(theirs.getByLabel("Email")).toHaveValue(email);
      await theirs.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await theirs.getByLabel("Confirm password", { exact: true }).fill(PASSWORD);
      await theirs.getByRole("button", { name: "Create My Account" }).click();
      await expect(theirs.getByText("Welcome. Sign in with your new password.").first()).toBeVisible();
      await theirs.getByLabel("Email").fill(email);
      await theirs.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await theirs.getByRole("button", { name: "Sign In" }).click();
      await expect(theirs.getByRole("heading", { level: 1 })).toHaveText("Today");

      await page.goto("/admin/users-management");
      await expect(row).toHaveCount(0);
    });
  });

test("the list of invitations, its dialog and the page of a link are accessible", async ({ open }) => {
  const page = await asStaff(open, "admin", "/admin/users-management?dialog=invite");
  await expectAccessible(page);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("First name").fill("Noor");
  await dialog.getByLabel("Last name").fill("Accessible");
  await dialog.getByLabel("Email").fill("accessible@mail.example");
  await dialog.getByRole("button", { name: "Send Invitation" }).click();
  const link = page.getByRole("link", { name: "Open the invitation" }).first();
  await expect(link).toBeVisible();
  const path = (await link.getAttribute("href")) ?? "";
  await expectAccessible(page);
  const theirs = await open(path);
  await expectAccessible(theirs);
  await page.getByRole("link", { name: "Revoke the invitation of Noor Accessible" }).click();
  const question = page.getByRole("dialog", { name: "Revoke Invitation" });
  await expect(question).toContainText("accessible@mail.example");
  await question.getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("Invitation revoked").first()).toBeVisible();
  await theirs.reload();
  await expectAccessible(theirs);
});
