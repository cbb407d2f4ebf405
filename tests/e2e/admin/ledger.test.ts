import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "../../support/browser";
import { OWN_CONNECTION } from "../../support/running-shop";
import { asStaff, staffCall } from "../../support/staff";

const INVOICES = "/admin/invoices-management";
const EXPENSES = "/admin/expenses-management";
const sees = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: 15_000 });
const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
const shown = (page: Page, column: string) =>
  page.locator(`tbody .${column}`).evaluateAll((cells) => cells.map((cell) => cell.textContent));
const descriptions = (page: Page) =>
  page
    .locator("tbody td.cell-name span[title]")
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute("title")));
const dialog = (page: Page) => page.getByRole("dialog");

/** Twelve invoices that this file alone knows, a quarter of them by card. */
test.beforeAll(async () => {
  for (let i = 1; i <= 12; i++)
    await staffCall("admin", "invoice", {
      description: `Journey ${String(i).padStart(2, "0")}`,
      amount: i * 10,
      quantity: i,
      paymentMode: i % 4 ? "CASH" : "CARD",
      createdAt: `2025-03-${String(i).padStart(2, "0")}`,
    });
});

for (const [role, javaScriptEnabled] of [
  ["admin", true],
  ["manager", false],
] as const)
  test.describe(`the ledger, signed in as ${role}, ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test("searches, filters, sorts and paginates, with totals of the filtered rows", async ({ open }) => {
      const page = await asStaff(open, role, INVOICES, { javaScriptEnabled });
      const search = page.getByLabel("Search descriptions");
      await search.fill("journey");
      if (!javaScriptEnabled) await search.press("Enter");
      await sees(page, "Showing 1 to 10 of 12 results");
      await sees(page, "All 12 results");
      await expect(page.locator("tfoot")).toContainText("$780.00");
      expect((await descriptions(page))[0]).toBe("Journey 12");

      await page.getByRole("link", { name: "Next" }).click();
      await sees(page, "Showing 11 to 12 of 12 results");
      await sees(page, "Page 2 of 2");
      await page.getByRole("link", { name: "Amount" }).click();
      await sees(page, "Showing 1 to 10 of 12 results");
      const amount = page.getByRole("columnheader", { name: "Amount" });
      await expect.poll(() => amount.getAttribute("aria-sort")).toBe("ascending");
      await expect.poll(() => shown(page, "cell-amount")).toContain("$10.00");
      await page.getByRole("link", { name: "Amount" }).click();
      await expect.poll(() => amount.getAttribute("aria-sort")).toBe("descending");
      await expect.poll(async () => (await shown(page, "cell-amount"))[0]).toBe("$120.00");

      await page.getByLabel("Payment mode").selectOption("CARD");
      if (!javaScriptEnabled) await page.getByRole("button", { name: "Apply" }).first().click();
      await sees(page, "Showing 1 to 3 of 3 results");
      await expect.poll(() => descriptions(page)).toEqual(["Journey 12", "Journey 08", "Journey 04"]);
      const csv = await page.getByRole("link", { name: "CSV" }).getAttribute("href");
      const file = await (await page.request.get(csv ?? "", { headers: OWN_CONNECTION })).text();
      expect(file.trim().split("\n")).toHaveLength(4);
      await page.getByRole("link", { name: "Clear Payment mode: Card" }).click();
      await sees(page, "Showing 1 to 10 of 12 results");

      await page.getByLabel("Rows per page").selectOption("5");
      if (!javaScriptEnabled) await page.getByRole("button", { name: "Go" }).click();
      await sees(page, "Showing 1 to 5 of 12 results");
      await search.fill("nothing like this");
      if (!javaScriptEnabled) await search.press("Enter");
      await sees(page, "No records found");
    });

    test("adds, edits and deletes an invoice, and undoes the deletion", async ({ open }) => {
      const name = `Mug for ${role}`;
      const page = await asStaff(open, role, `${INVOICES}?q=${name.replaceAll(" ", "+")}`, {
        javaScriptEnabled,
      });
      await page.getByRole("link", { name: "Add Invoice" }).first().click();
      await dialog(page).getByLabel("Description").fill(name);
      await expect(dialog(page).getByLabel("Quantity")).toHaveValue("1");
      await dialog(page).getByLabel("Amount").fill("36.5");
      await dialog(page).getByText("Laser Craft").click();
      await dialog(page).getByRole("button", { name: "Add", exact: true }).click();
      await sees(page, "Invoice added successfully");
      await expect.poll(() => row(page, name).first().textContent()).toContain("$36.50");

      await page.getByRole("link", { name: `Update ${name}` }).click();
      await expect(dialog(page).getByLabel("Laser Craft")).toBeChecked();
      await dialog(page).getByLabel("Quantity").fill("3");
      await dialog(page).getByLabel("Amount").fill("40");
      await dialog(page).getByRole("button", { name: "Update" }).click();
      await sees(page, "Invoice updated successfully");
      await expect.poll(() => row(page, name).first().textContent()).toContain("$40.00");

      await page.getByRole("link", { name: `Delete ${name}` }).click();
      await dialog(page).getByText("Confirm Delete").waitFor();
      await dialog(page).getByRole("button", { name: "Delete" }).click();
      await sees(page, "Invoice deleted successfully");
      await sees(page, "No records found");
      await page.getByRole("button", { name: "Undo" }).click();
      await sees(page, "Invoice restored successfully");
      await row(page, name).first().waitFor();
      expect(page.url()).toContain(`?q=${name.replaceAll(" ", "+")}`);
    });

    test("shows validation errors beside the field and keeps the input", async ({ open }) => {
      const page = await asStaff(open, role, `${EXPENSES}?dialog=new`, { javaScriptEnabled });
      const add = dialog(page).getByRole("button", { name: "Add", exact: true });
      if (javaScriptEnabled) await expect.poll(() => add.isDisabled()).toBe(true);
      await dialog(page).getByLabel("Description").fill("  Taxi to the port  ");
      await dialog(page).getByLabel("Expense type").selectOption("TAXI");
      await dialog(page).getByLabel("Amount").fill("0");
      if (javaScriptEnabled) await expect(add).toBeDisabled();
      else {
        await add.click();
        await sees(page, "Must be more than 0");
        await sees(page, "Failed to add expense");
        await expect(dialog(page).getByLabel("Expense type")).toHaveValue("TAXI");
      }
      await dialog(page).getByLabel("Amount").fill("12.30");
      await add.click();
      await sees(page, "Expense added successfully");
      await expect.poll(() => row(page, "Taxi to the port").first().textContent()).toContain("$12.30");
    });

    test("rejects a stale edit and shows the current value", async ({ open }) => {
      const made = await staffCall("admin", "invoice", { description: `Shared by ${role}`, amount: 10 });
      const page = await asStaff(open, role, `${INVOICES}?edit=${made.id}`, { javaScriptEnabled });
      await staffCall("admin", `invoice/${made.id}`, { amount: 64 }, "PUT");
      await dialog(page).getByLabel("Amount").fill("12");
      await dialog(page).getByRole("button", { name: "Update" }).click();
      await sees(page, "Now $64.00");
      await expect(dialog(page).getByLabel("Amount")).toHaveValue("12");
      await dialog(page).getByRole("button", { name: "Update" }).click();
      await sees(page, "Invoice updated successfully");
    });
  });

test.describe("the ledger by keyboard", () => {
  test("keeps the focus on a row that a virtualized page has scrolled out of view", async ({ open }) => {
    const page = await asStaff(open, "manager", `${INVOICES}?size=500`);
    const focused = () => page.evaluate(() => document.activeElement?.closest("tr")?.dataset.index);
    await page.locator('.table-scroll.virtual tr[data-index="2"] a').first().focus();
    await page.locator(".table-scroll").evaluate((box) => box.scrollTo(0, 9000));
    await page.locator('tr[data-index="205"]').waitFor();
    await expect.poll(() => focused()).toBe("2");
    await page.keyboard.press("ArrowDown");
    await page.locator('tr[data-index="3"]').waitFor();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => focused()).toBe("3");
  });

  test("adds with N, moves with the arrows, edits with E, and restores the focus", async ({ open }) => {
    const page = await asStaff(open, "admin", `${INVOICES}?q=journey`);
    await page.keyboard.press("n");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("name")))
      .toBe("description");
    await page.keyboard.press("Control+Enter");
    await sees(page, "No description. Amount $0.00. Press again if that is right.");
    await page.keyboard.press("Control+Enter");
    await sees(page, "Invoice added successfully");
    await expect.poll(() => dialog(page).count()).toBe(0);
    await page.getByRole("link", { name: "Update Journey 12" }).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("e");
    await expect.poll(() => dialog(page).getByLabel("Description").inputValue()).toBe("Journey 11");
    await page.keyboard.press("Escape");
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    await expect.poll(focused).toBe("Update Journey 11");
    await page.keyboard.press("Delete");
    await dialog(page).getByText("Confirm Delete").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => dialog(page).count()).toBe(0);
    await expect.poll(focused).toMatch(/Journey 11$/);
    await page.keyboard.press("/");
    await page.keyboard.type("journey 07");
    await sees(page, "Showing 1 to 1 of 1 results");
  });
});

test.describe("ledger accessibility", () => {
  test("no axe violations", async ({ open }) => {
    const page = await asStaff(open, "admin", `${EXPENSES}?dialog=new`);
    await expectAccessible(page, "new expense");
    for (const path of ["?q=journey&paymentMode=CARD&from=2025-01-01", "?q=no+such+thing"]) {
      await page.goto(INVOICES + path);
      await expectAccessible(page, path);
    }
  });
});
