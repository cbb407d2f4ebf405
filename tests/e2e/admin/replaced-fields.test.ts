import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../../support/browser";
import { asStaff, staffCall } from "../../support/staff";

/** Clicks into a field as often as a person may, and types one digit: it replaces what stood there. */
async function clickAndType(page: Page, field: Locator, digit: string): Promise<void> {
  await field.click();
  await page.waitForTimeout(600);
  await field.click();
  await field.dblclick();
  await page.waitForTimeout(600);
  await field.click();
  await page.keyboard.type(digit);
}

test("clicks into a number leave it selected, so that what is typed replaces it", async ({ open }) => {
  const { productId } = await staffCall("admin", "product", {
    name: "Twice clicked ruler",
    price: 15,
    stock: 24,
    category: "OTHERS",
    imageUrls: [],
  });
  const stored = async () => (await staffCall("admin", `product/id/${productId}`)).stock as number;
  const page = await asStaff(open, "manager", "/admin/inventory-management?q=twice+clicked");
  const stock = page.getByLabel("Stock of Twice clicked ruler");
  await clickAndType(page, stock, "+1");
  await expect(stock).toHaveValue("+1");
  await page.keyboard.press("Enter");
  await expect.poll(stored).toBe(25);
  await clickAndType(page, stock, "7");
  await expect(stock).toHaveValue("7");
  // As does a change that is asked about.
  await page.keyboard.type("70");
  await page.keyboard.press("Enter");
  await page.keyboard.type("790");
  await page.keyboard.press("Enter");
  await page.getByText("→ 790?").waitFor();
  await stock.click();
  await page.keyboard.type("8");
  await expect(stock).toHaveValue("8");
  // What is typed can be corrected where it is clicked.
  await stock.fill("1234");
  await stock.click({ position: { x: 3, y: 10 } });
  await page.keyboard.press("End");
  await page.keyboard.type("5");
  await expect(stock).toHaveValue("12345");
  await page.keyboard.press("Escape");

  await page.goto(`/admin/sales/new?product=${productId}`);
  await page.getByPlaceholder("Add a product or your own line").fill("Twice clicked ruler");
  await page.keyboard.press("Enter");
  for (const [label, typed] of [
    ["Quantity of Twice clicked ruler", "3"],
    ["Price of Twice clicked ruler", "9"],
  ] as const) {
    await clickAndType(page, page.getByLabel(label), typed);
    await expect(page.getByLabel(label)).toHaveValue(typed);
  }

  await page.goto("/admin/invoices-management?dialog=new");
  const amount = page.getByRole("dialog").getByLabel("Amount");
  await amount.fill("12.50");
  await page.keyboard.press("Tab");
  await clickAndType(page, amount, "8");
  await expect(amount).toHaveValue("8");

  await page.goto(`/products/${productId}`);
  const quantity = page.getByRole("spinbutton", { name: "Quantity" });
  await clickAndType(page, quantity, "4");
  await expect(quantity).toHaveValue("4");
});

test("steps of two sellers add up, and keys press a stepper as often as they are pressed", async ({
  open,
}) => {
  const { productId } = await staffCall("admin", "product", {
    name: "Twice stepped ruler",
    price: 15,
    stock: 24,
    category: "OTHERS",
    imageUrls: [],
  });
  const stored = async () => (await staffCall("admin", `product/id/${productId}`)).stock as number;
  const list = "/admin/inventory-management?q=twice+stepped";
  const [one, other] = [await asStaff(open, "manager", list), await asStaff(open, "admin", list)];
  const more = (page: Page) => page.getByLabel("One more of Twice stepped ruler");
  await more(one).click();
  await expect.poll(stored).toBe(25);
  await more(other).click();
  await expect.poll(stored).toBe(26);
  await expect(other.getByLabel("Stock of Twice stepped ruler")).toHaveValue("26");
  await more(other).focus();
  for (const key of ["Space", "Enter", "Space"]) await other.keyboard.press(key);
  await expect.poll(stored).toBe(29);
  // While the first step is saved, the next ones are pressed.
  await more(other).click();
  await other.waitForTimeout(850);
  await more(other).click();
  await more(other).click();
  await expect.poll(stored).toBe(32);
  await other.getByLabel("One less of Twice stepped ruler").click();
  await other.goto("/admin");
  await expect.poll(stored).toBe(31);
});

test("what is typed soon after a step is saved as a whole", async ({ open }) => {
  const product = {
    name: "Stepped and typed ruler",
    price: 15,
    stock: 24,
    category: "OTHERS",
    imageUrls: [],
  };
  await staffCall("admin", "product", product);
  const page = await asStaff(open, "manager", "/admin/inventory-management?q=stepped+and+typed");
  let saves = 0;
  page.on("request", (request) => {
    if (request.method() === "POST") saves++;
  });
  await page.clock.install();
  await page.getByLabel("One more of Stepped and typed ruler").click();
  await page.getByLabel("Stock of Stepped and typed ruler").fill("5");
  await page.clock.runFor(2000);
  await page.keyboard.type("28");
  await page.keyboard.press("Enter");
  await page.getByText("24 → 528?").waitFor();
  expect(saves).toBe(0);
});
