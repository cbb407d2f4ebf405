import { expect, test } from "../../support/browser";
import { asStaff } from "../../support/staff";

const SETTINGS = "/admin/settings";
const NOT_SAVED = "These changes are not saved yet.";

test("managers see the stored settings as a shopper reads them", async ({ open }) => {
  const page = await asStaff(open, "manager", SETTINGS);
  const name = await page.getByLabel("Name", { exact: true }).inputValue();
  await expect(page.locator(".look-brand")).toHaveText(name);
});

test("a form that was not sent keeps what was typed, and a preview is no end of it", async ({ open }) => {
  const page = await asStaff(open, "admin", `${SETTINGS}?group=sales`);
  const taxes = page.locator(".tax-settings article");
  const rounding = page.getByLabel("Cash is rounded to");
  const receipt = page.getByLabel("Text under every receipt (optional)");
  const number = taxes.last().getByLabel("Registration number");
  const expectTyped = async () => {
    await expect(rounding).toHaveValue("none");
    await expect(receipt).toHaveValue("Bring it back");
  };
  await rounding.selectOption("none");
  await receipt.fill("Bring it back");
  await number.fill("987");
  await taxes.first().getByRole("button", { name: "Save" }).click();
  await page.getByText("Tax settings saved").waitFor();
  await expectTyped();
  await expect(number).toHaveValue("987");

  await page.getByRole("button", { name: "Preview of a receipt" }).click();
  await page.getByText(NOT_SAVED).waitFor();
  await expectTyped();
  await expect(number).toHaveValue("987");
  await page.reload();
  await page.getByText("Your unsaved changes are back.").waitFor();
  await expectTyped();
});

test("Save on the home page saves although a text stands in the search", async ({ open }) => {
  const page = await asStaff(open, "admin", `${SETTINGS}?group=home`);
  await page.getByLabel("Name of a product").fill("key tag");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Home page saved").waitFor();
  await expect(page.getByText(NOT_SAVED)).toBeHidden();
});
