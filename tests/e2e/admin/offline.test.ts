import type { Page } from "@playwright/test";
import { expect, test } from "../../support/browser";
import { asStaff } from "../../support/staff";

/** Aborts every request from now on, although the browser considers itself online. */
const goOffline = (page: Page) => page.route("**/*", (route) => route.abort("internetdisconnected"));

test("saving while offline keeps the dialog and its input, and succeeds once online", async ({ open }) => {
  const name = `Sold while offline ${Date.now()}`;
  const page = await asStaff(open, "manager", "/admin/invoices-management?dialog=new");
  const dialog = page.getByRole("dialog", { name: "Add Invoice" });
  await dialog.getByLabel("Description").fill(name);
  await dialog.getByLabel("Amount").fill("12.50");
  await goOffline(page);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await dialog.getByText("Failed to add invoice: The connection broke. Please try again.").waitFor();
  await expect(dialog.getByLabel("Description")).toHaveValue(name);
  await expect(dialog.getByLabel("Amount")).toHaveValue("12.50");
  await page.unroute("**/*");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("Invoice added successfully").first().waitFor();
  await page.goto(`/admin/invoices-management?q=${encodeURIComponent(name)}`);
  await page.getByText("Showing 1 to 1 of 1 results").waitFor();
});

test("signing in while offline reports it", async ({ open }) => {
  const page = await open("/login");
  await page.getByLabel("Email").fill("somebody@mail.example");
  await page.getByLabel("Password", { exact: true }).fill("Abcdef1!");
  await goOffline(page);
  await page.locator("main").getByRole("button", { name: "Sign In" }).click();
  await page.locator("main").getByText("Login failed! The connection broke. Please try again.").waitFor();
  await expect(page.getByLabel("Email")).toHaveValue("somebody@mail.example");
});
