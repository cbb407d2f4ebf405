import type { Page } from "@playwright/test";
import { expect, expectAccessible, SCRIPTING, test } from "../../support/browser";
import { asStaff } from "../../support/staff";

const USERS = "/admin/users-management";
const sees = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: 15_000 });
const dialog = (page: Page) => page.getByRole("dialog");
const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

async function fill(page: Page, fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields))
    await dialog(page).getByLabel(label, { exact: true }).fill(value);
}

for (const [name, javaScriptEnabled] of SCRIPTING)
  test.describe(`an admin manages users ${name}`, () => {
    test("adds, finds, edits and deletes a user", async ({ open }) => {
      const email = `journey.${javaScriptEnabled}@mail.example`;
      const page = await asStaff(open, "admin", `${USERS}?q=journey`, { javaScriptEnabled });
      await page.getByRole("link", { name: "Add User" }).first().click();
      const add = dialog(page).getByRole("button", { name: "Add User" });
      if (javaScriptEnabled) await expect.poll(() => add.isDisabled()).toBe(true);
      await fill(page, {
        "First name": "Mary Ann",
        "Last name": "Journey",
        Email: "nonsense",
        "Phone (optional)": "12",
        Password: "weak",
        "Confirm password": "week",
      });
      if (javaScriptEnabled) await page.keyboard.press("Tab");
      else await add.click();
      await sees(page, "Enter a valid email address.");
      await sees(page, "Enter a valid phone number.");
      await sees(page, "Password does not meet requirements.");
      await sees(page, "Passwords do not match.");
      if (javaScriptEnabled) await expect(add).toBeDisabled();
      await fill(page, {
        Email: email,
        "Phone (optional)": "+1 (416) 555-0199",
        Password: "Journey#2026!",
        "Confirm password": "Journey#2026!",
      });
      await dialog(page).getByLabel("Manager").check();
      await add.click();
      await sees(page, "User created successfully");
      await expect.poll(() => row(page, email).textContent()).toContain("Manager");

      await page.getByRole("link", { name: "Update Mary Ann Journey" }).click();
      await expect(dialog(page).getByLabel("Email")).toBeDisabled();
      await expect(dialog(page).locator("input[type=password]")).toHaveCount(0);
      await dialog(page).getByLabel("Manager").uncheck();
      await dialog(page).getByLabel("Active").uncheck();
      await dialog(page).getByRole("button", { name: "Update" }).click();
      await sees(page, "User updated successfully");
      await expect.poll(() => row(page, email).textContent()).toContain("Inactive");
      expect(await row(page, email).textContent()).not.toContain("Manager");

      await page.getByRole("link", { name: "Delete Mary Ann Journey" }).click();
      await sees(page, "Are you sure you want to delete this user? This action cannot be undone.");
      await dialog(page).getByRole("button", { name: "Delete" }).click();
      await sees(page, "User deleted successfully");
      await sees(page, "No records found");
    });
  });

test.describe("permissions", () => {
  test("an admin's roles are locked, and admins cannot be deleted", async ({ open }) => {
    const page = await asStaff(open, "admin", `${USERS}?sort=role&dir=desc`);
    const owner = row(page, "admin@emporia.example");
    await expect(owner).toContainText("An admin can't be deleted.");
    await expect(owner.getByRole("link", { name: /^Delete/ })).toHaveCount(0);
    await owner.getByRole("link", { name: /^Update/ }).click();
    for (const name of ["Active", "Manager", "Admin"])
      await expect(dialog(page).getByLabel(name, { exact: true })).toBeDisabled();
  });

  test("managers can neither edit staff nor assign roles", async ({ open }) => {
    const page = await asStaff(open, "manager", `${USERS}?sort=role&dir=desc`);
    const owner = row(page, "admin@emporia.example");
    await expect(owner.getByRole("link")).toHaveCount(0);
    await expect(owner).toContainText("Only an admin may edit a colleague.");
    const users: { id: string; isAdmin: boolean }[] = await page.evaluate(async () =>
      (await fetch("/api/user/all")).json(),
    );
    await page.goto(`${USERS}?edit=${users.find(({ isAdmin }) => isAdmin)?.id}`);
    await sees(page, "Only an admin may edit a colleague.");
    await page.goto(`${USERS}?edit=nope`);
    await sees(page, "User not found");
    await page.goto(`${USERS}?dialog=new`);
    await sees(page, "Only an admin may give or take roles.");
    await expect(dialog(page).getByLabel("Manager")).toBeDisabled();
  });
});

test.describe("users accessibility", () => {
  test("no axe violations", async ({ open }) => {
    const page = await asStaff(open, "admin", `${USERS}?sort=role&dir=desc`);
    await expectAccessible(page);
    const edit = await page
      .getByRole("link", { name: /^Update/ })
      .first()
      .getAttribute("href");
    await page.goto(edit ?? "");
    await expectAccessible(page, "edited user");
  });
});
