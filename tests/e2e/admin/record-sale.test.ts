import type { Page } from "@playwright/test";
import { expect, NO_SCRIPT, onEachScreen, overflow, test } from "../../support/browser";
import { api, sellerToken } from "../../support/conversation";
import { asStaff } from "../../support/staff";

const SALE = "/admin/sales/new";
const BACK = "The sale that you began is back.";
/** Widths of a phone and a desktop. */
const WIDTHS = [390, 1440];
const at = (width: number) => ({ viewport: { width, height: 900 } });

const recordButton = (page: Page) => page.getByRole("button", { name: /^Record sale/ });
const lines = (page: Page) => page.getByLabel(/^Quantity of/);

async function addOwnLine(page: Page, text: string, price: string) {
  await page.getByPlaceholder("Add a product or your own line").fill(text);
  await page.keyboard.press("Alt+Enter");
  await page.getByLabel(`Price of ${text}`).fill(price);
}

test("the key of the product field is shown until the field has the focus", async ({ open }) => {
  const page = await asStaff(open, "manager", SALE, at(1440));
  const key = page.locator(".sale-add kbd", { hasText: "/" });
  await expect(page.getByPlaceholder("Add a product or your own line")).toBeFocused();
  await expect(key).toBeHidden();
  await page.getByLabel("Name on the receipt").focus();
  await expect(key).toBeVisible();
});

for (const width of WIDTHS)
  test(`a half-filled sale survives leaving the page at ${width} px, until it is recorded`, async ({
    open,
  }) => {
    const page = await asStaff(open, "manager", SALE, at(width));
    const today = await page.getByLabel("Date").inputValue();
    await page.getByLabel("Name on the receipt").fill("Ines Duarte");
    await page.goto("/admin/customers");
    await page.goto(SALE);
    await page.getByText(BACK).waitFor();
    await expect(page.getByLabel("Name on the receipt")).toHaveValue("Ines Duarte");
    await expect(page.getByText(BACK)).toHaveCSS("padding-left", "16px");
    await addOwnLine(page, "Gift wrap", "4.80");
    await page.getByText("Card", { exact: true }).click();
    await page.goto("/admin/documents");
    await page.goto(SALE);
    await expect(page.getByLabel("Price of Gift wrap")).toHaveValue("4.80");
    await expect(page.getByRole("radio", { name: "Card" })).toBeChecked();
    await expect(page.getByLabel("Date")).toHaveValue(today);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    // A refused sale stays, also over a reload.
    await page.getByLabel("Price of Gift wrap").fill("1,850");
    await recordButton(page).click();
    await page.getByText("The comma can mean thousands or cents: write it like 1850.00").first().waitFor();
    await page.goto(SALE);
    await page.getByLabel("Price of Gift wrap").fill("1,850.00");
    await expect(page.getByRole("button", { name: "Record sale $1,850.00" })).toBeVisible();
    await recordButton(page).click();
    await page
      .getByText(/Sale recorded: E-/)
      .first()
      .waitFor();
    await page.goto(SALE);
    await expect(lines(page)).toHaveCount(0);
    await expect(page.getByText(BACK)).toBeHidden();
    await expect(page.getByLabel("Name on the receipt")).toHaveValue("");
  });

test("clearing a kept sale returns to what the page proposes", async ({ open }) => {
  const page = await asStaff(open, "manager", SALE);
  const today = await page.getByLabel("Date").inputValue();
  await addOwnLine(page, "Gift wrap", "4.80");
  await lines(page).fill("3");
  await page.getByLabel("Date").fill("2019-03-05");
  await page.reload();
  await page.getByText(BACK).waitFor();
  await expect(lines(page)).toHaveValue("3");
  await expect(page.getByLabel("Date")).toHaveValue("2019-03-05");
  await page.getByRole("button", { name: "Clear it" }).click();
  await expect(page.getByLabel("Add a product or your own line")).toBeFocused();
  await expect(page.getByLabel("Date")).toHaveValue(today);
  await expect(lines(page)).toHaveCount(0);
  await page.reload();
  await expect(page.getByText(BACK)).toBeHidden();
});

test("a date alone is not kept", async ({ open }) => {
  const page = await asStaff(open, "manager", SALE);
  const today = await page.getByLabel("Date").inputValue();
  await page.getByLabel("Date").fill("2019-03-05");
  await page.reload();
  await expect(page.getByLabel("Date")).toHaveValue(today);
  await expect(page.getByText(BACK)).toBeHidden();
});

/** Opens a form of lines whose product search takes 150 ms, and returns its field. */
async function withSlowSearch(page: Page, path: string) {
  await page.route("**/api/product/all?*", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 150));
    await route.continue();
  });
  await page.goto(path);
  const field = page.getByRole("combobox", { name: /^Add a product/ });
  await field.focus();
  const look = async (text: string) => {
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  };
  return { field, look };
}

test("a sale that is recorded while products are looked up has their lines", async ({ open }) => {
  const page = await asStaff(open, "manager", "about:blank");
  const { field, look } = await withSlowSearch(page, SALE);
  await look("cedar air");
  await look("canvas market");
  await page.keyboard.press("Control+Enter");
  await page.getByText(/Sale recorded: E-/).waitFor();
  await page.goto("/admin/documents");
  await expect(page.getByText("Cedar air freshener, Canvas market tote").first()).toBeVisible();
  await page.goto(SALE);
  await field.focus();
  await look("cedar air");
  await look("walnut");
  // By its key: the line that comes moves the button from under a pointer.
  await recordButton(page).press("Enter");
  // Beside the open list, which does not cover it.
  await page.getByText("No line for “walnut” yet. Press again if that is right.").click({ trial: true });
  await expect(field).toHaveValue("walnut");
  await expect(lines(page)).toHaveCount(1);
});

test("a hold that is saved while a product is looked up has its line", async ({ open }) => {
  const page = await asStaff(open, "manager", "about:blank");
  const { look } = await withSlowSearch(page, "/admin/sales/hold");
  await look("cedar air");
  // By its key: the line that comes moves the button from under a pointer.
  await page.getByRole("button", { name: "Set aside" }).press("Enter");
  await expect(page).not.toHaveURL(/sales/);
});

test("a text that means several products stays beside the field while the next one is typed", async ({
  open,
}) => {
  const page = await asStaff(open, "manager", "about:blank");
  const { field, look } = await withSlowSearch(page, SALE);
  await look("walnut");
  await page.keyboard.type("cedar air");
  const status = page.getByRole("status").filter({ hasText: "Which one? walnut" });
  await status.waitFor();
  await page.getByRole("option", { name: /^Cedar air/ }).waitFor();
  await page.keyboard.press("Enter");
  await expect(lines(page)).toHaveCount(1);
  await page.keyboard.type("gift");
  // The button is under the list, once that has come.
  await page.keyboard.press("Control+Enter");
  await page.getByText("No line for “walnut” and “gift” yet.").waitFor();
  await status.getByRole("button", { name: "walnut" }).click();
  await expect(field).toHaveValue("walnut");
  await expect(field).toBeFocused();
  await page.getByRole("button", { name: "gift" }).waitFor();
  await expect(status).toBeHidden();
});

test("Enter adds none of several products until one is chosen", async ({ open }) => {
  const page = await asStaff(open, "manager", "about:blank");
  const { field } = await withSlowSearch(page, SALE);
  const option = page.getByRole("option", { name: /^Walnut/ });
  await page.keyboard.insertText("walnut");
  await option.nth(1).waitFor();
  await expect(page.locator(".sale-found [aria-selected=true]")).toHaveCount(0);
  await page.keyboard.press("Enter");
  await page.getByText("Searching for “walnut”…").waitFor();
  await expect(field).toHaveValue("walnut");
  await expect(lines(page)).toHaveCount(0);
  await option.nth(1).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(lines(page)).toHaveCount(1);
  await page.keyboard.insertText("walnut");
  await option.nth(1).waitFor();
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue("walnut");
  // What is typed next is another product.
  await page.keyboard.insertText("cedar air");
  await expect(field).toHaveValue("cedar air");
  await page.getByRole("status").filter({ hasText: "Which one? walnut" }).waitFor();
  // Recorded at once, it has no line for either.
  await page.keyboard.press("Control+Enter");
  await page.getByText("No line for “walnut” and “cedar air” yet.").waitFor();
  await expect(lines(page)).toHaveCount(1);
});

const YEARS_AGO = /Dated \d+ years ago, Tuesday 5th March 2019\. Press again if that is right\./;

for (const width of WIDTHS)
  test(`a date of another month is asked about once at ${width} px`, async ({ open }) => {
    const page = await asStaff(open, "manager", SALE, at(width));
    await addOwnLine(page, "Gift wrap", "31.40");
    await page.getByLabel("Date").fill("2019-03-05");
    await recordButton(page).click();
    await page.getByText(YEARS_AGO).last().waitFor();
    await recordButton(page).click();
    await page
      .getByText(/Sale recorded: [EL]-2019-/)
      .first()
      .waitFor();
    for (const [kind, label] of [
      ["invoice", "Billing date"],
      ["expense", "Created at"],
    ] as const) {
      await page.goto(`/admin/${kind}s-management?dialog=new`);
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Description").fill(`Dated 2019 ${width}`);
      await dialog.getByLabel("Amount", { exact: true }).fill("31.40");
      await dialog.getByLabel(label).fill("2019-03-05");
      await dialog.getByRole("button", { name: "Add", exact: true }).click();
      await dialog.getByText(YEARS_AGO).last().waitFor();
      await dialog.getByRole("button", { name: "Add", exact: true }).click();
      await page
        .getByText(/added successfully/)
        .first()
        .waitFor();
    }
  });

test("without JavaScript, a date of another month is asked about once", async ({ open }) => {
  const page = await asStaff(open, "manager", SALE, NO_SCRIPT);
  await page.getByPlaceholder("Add a product or your own line").fill("Gift wrap");
  await page.getByRole("button", { name: "Add own line" }).click();
  await page.getByLabel("Price of Gift wrap").fill("31.40");
  await page.getByLabel("Date").fill("2019-03-05");
  await recordButton(page).click();
  await page.getByText(YEARS_AGO).last().waitFor();
  await recordButton(page).click();
  await page.getByText(/Sale recorded: [EL]-2019-/).waitFor();
});

test("a sale dated ahead is named below the charts and doesn't draw them down to it", async ({ open }) => {
  const token = await sellerToken();
  const nextYear = new Date().getFullYear() + 1;
  const createdAt = `${nextYear - 1}-12-31`;
  const lines = [{ description: "Dated ahead", quantity: 1, amount: 42.5 }];
  expect((await api("sale", "POST", { paymentMode: "CARD", createdAt, lines }, token)).status).toBe(201);
  const page = await asStaff(open, "manager", "/admin/graphs");
  const month = new Date().getMonth();
  if (month === 11) return;
  const name = new Date(2026, month).toLocaleString("en", { month: "long" });
  const monthly = page.getByRole("article", { name: "Monthly Sales" });
  await monthly.getByText(`After ${name}`).first().waitFor();
  await onEachScreen(page, async () => {
    await expect(monthly.locator(".recharts-line-curve").first()).toBeVisible();
    await expect(monthly.getByText(`After ${name}`).first()).toHaveCSS("padding-left", "16px");
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });
  await monthly.getByRole("link", { name: "sales of $42.50" }).first().click();
  await page.getByText("Dated ahead").first().waitFor();
});
