import type { Locator, Page } from "@playwright/test";
import { extractText, getDocumentProxy } from "unpdf";
import { expect, expectAccessible, NO_SCRIPT, overflow, test } from "../../support/browser";
import { fetchRoute, OWN_CONNECTION } from "../../support/running-shop";
import { signedInAs } from "../../support/signed-in";
import { asStaff, staffCall } from "../../support/staff";

const DRAWER = "/admin/sales/drawer?business=LASER";
const SALE = "/admin/sales/new";
const drawer = (page: Page) => page.getByRole("table", { name: "Drawer" });
const row = (page: Page, name: RegExp | string) => drawer(page).getByRole("row", { name });

/** Reads the sum of a row of the drawer. */
async function sumOf(page: Page, name: string): Promise<number> {
  const text =
    (await row(page, new RegExp(`^${name}`))
      .locator("td")
      .textContent()) ?? "";
  return Number(text.replace(/[^\d.−]/g, "").replace("−", "-"));
}

/** Reads the text of the files that the last result links. */
async function printed(page: Page): Promise<string[]> {
  const links = page.locator(".toast-links a[href$='.pdf'][download]");
  await links.first().waitFor();
  const texts: string[] = [];
  for (const link of await links.all()) {
    const file = await page.request.get((await link.getAttribute("href")) ?? "", { headers: OWN_CONNECTION });
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(await file.body())), {
      mergePages: true,
    });
    texts.push(text.replaceAll(/\s+/g, " "));
  }
  return texts;
}

/** Records a sale of $36.00 in cash, of $40.00 without a tenth. */
async function recordDiscounted(page: Page): Promise<void> {
  await page.goto(SALE);
  await page.getByPlaceholder("Add a product or your own line").fill("Engraved cedar door sign");
  await page.keyboard.press("Alt+Enter");
  await page.getByLabel("Price of Engraved cedar door sign").fill("40");
  await page.getByLabel("Business of Engraved cedar door sign").selectOption("LASER");
  await page.getByText("Discount", { exact: true }).click();
  await page.getByLabel("Discount of Engraved cedar door sign", { exact: true }).fill("10%");
  await page.getByLabel("Reason of the discount of Engraved cedar door sign").fill("Scratched");
  await page.getByLabel("Cash received").fill("50");
  await expect(page.getByRole("row", { name: "Change $14.00" })).toBeVisible();
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.keyboard.press("Control+Enter");
  await page.getByText(/^Last sale: \$36\.00/).waitFor();
  const [receipt] = await printed(page);
  expect(receipt).toContain("Engraved cedar door sign 1 $40.00 $36.00 Discount −$4.00: Scratched");
  expect(receipt).toContain("Paid, cash $36.00");
}

/** Corrects the price of the last sale to $30.00. */
async function correctIt(page: Page): Promise<void> {
  await page.locator(".toast-links").getByRole("link", { name: "Open" }).click();
  await page.getByRole("link", { name: "Correct price or item" }).click();
  await page.getByLabel("Price of Engraved cedar door sign").fill("30");
  await page.getByLabel("Discount of Engraved cedar door sign", { exact: true }).fill("");
  await page.getByLabel("Reason of the discount of Engraved cedar door sign").fill("");
  await page.getByRole("button", { name: "Correct $6.00 to pay back" }).click();
  await page.getByText(/^Corrected: LC-/).waitFor();
  const [note, receipt] = await printed(page);
  expect(note).toMatch(/Credit note .*Engraved cedar door sign/);
  expect(note).toContain("Given back, cash −$36.00");
  expect(receipt).toMatch(/Receipt .*Engraved cedar door sign 1 \$30\.00 \$30\.00/);
  expect(receipt).toContain("Paid, cash $30.00");
}

/** Measures by how much something ends above the bar at the foot, px. */
async function gapAbove(page: Page, element: Locator): Promise<number> {
  const [bar, box] = [await page.locator(".sale-foot").boundingBox(), await element.boundingBox()];
  return (bar?.y ?? Number.NaN) - ((box?.y ?? Number.NaN) + (box?.height ?? 0));
}

test("a day at the counter: the drawer is opened, cash gives change, the next sale begins, the drawer is counted", async ({
  open,
}) => {
  const page = await asStaff(open, "manager", DRAWER, { viewport: { width: 390, height: 844 } });
  await page.getByLabel("Float").fill("100");
  await page.getByRole("button", { name: "Open the drawer" }).click();
  await page.getByRole("heading", { name: "Count" }).waitFor();
  let before = await sumOf(page, "Expected");
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await expectAccessible(page);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(SALE);
  const search = page.getByPlaceholder("Add a product or your own line");
  await expect(search).toBeFocused();
  await search.fill("Engraved spoon");
  await page.keyboard.press("Alt+Enter");
  await page.getByLabel("Price of Engraved spoon").fill("12");
  await page.getByLabel("Business of Engraved spoon").selectOption("LASER");
  await page.getByText("Cash", { exact: true }).click();
  await page.getByLabel("Cash received").fill("10");
  await page.getByRole("button", { name: /^Record sale/ }).click();
  const tooLittle = page.getByText("Less than $12.00, which is to pay in cash").first();
  await tooLittle.waitFor();
  await expect.poll(() => gapAbove(page, tooLittle)).toBeGreaterThanOrEqual(0);
  await page.getByRole("button", { name: "One more of Engraved spoon" }).click();
  await expect(page.getByRole("row", { name: "To collect $24.00" })).toBeVisible();
  await page.getByRole("button", { name: "One less of Engraved spoon" }).click();
  await expect(page.getByRole("button", { name: "One less of Engraved spoon" })).toBeDisabled();
  await page.getByRole("group", { name: "Received" }).getByRole("button", { name: "$20.00" }).click();
  await expect(page.getByLabel("Cash received")).toHaveValue("20.00");
  await expect(tooLittle).toBeHidden();
  await expect(page.locator(".cash-change")).toHaveText("Change $8.00");
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: /^Record sale/ }).click();
  await page.getByText(/Sale recorded: L-\d{4}-\d{6}\. Change \$8\.00/).waitFor();
  await page.getByText(/^Last sale: \$12\.00/).waitFor();
  await expect(page.getByText("Add what you sell below.")).toBeVisible();
  await expect(search).toBeFocused();
  // The result stands at the foot, so that it covers no customer.
  const customer = (await page.getByLabel("Customer if known").boundingBox())?.y ?? 0;
  await expect
    .poll(async () => (await page.locator(".toast-list .toast-links").boundingBox())?.y ?? 0)
    .toBeGreaterThan(customer + 44);

  await page.setViewportSize({ width: 1440, height: 900 });
  await recordDiscounted(page);
  await correctIt(page);
  await staffCall("manager", "expense", {
    ...{ expenseType: "PURCHASE", businessType: "LASER", description: "Till blanks", amount: 4 },
    ...{ paymentMode: "CASH" },
  });

  await page.goto(DRAWER);
  // $12.00 and $30.00 of sales, less the expense.
  expect(await sumOf(page, "Expected")).toBe(before + 38);
  before += 26;
  // Cash moves meanwhile: the sum that is shown then is the one that is closed.
  await staffCall("manager", "sale", {
    paymentMode: "CASH",
    lines: [{ description: "Engraved fork", category: "ENGRAVING", quantity: 1, amount: 5 }],
  });
  await page.getByLabel("Counted").fill(String(before + 10));
  await page.getByLabel("Reason for the difference").fill("Two dollars too much change");
  await page.getByRole("button", { name: "Close the drawer" }).click();
  await page.getByText(/is expected by now, not .*Nothing was closed\./).waitFor();
  await page.getByLabel("Counted").fill("");
  await page.getByText("By notes and coins").click();
  await page.getByLabel("$5 ×").fill("2");
  await page.getByLabel("$0.05 ×").fill(String(Math.round((before + 5) * 20)));
  await expect(page.getByLabel("Counted")).toHaveValue((before + 15).toFixed(2));
  await expectAccessible(page);
  await expect(row(page, "Difference −$2.00")).toBeVisible();
  await page.getByLabel("Reason for the difference").fill("Two dollars too much change");
  await page.getByRole("button", { name: "Close the drawer" }).click();
  await page.getByText("Drawer closed, difference −$2.00").waitFor();
  await expect(page.getByText("Difference: Two dollars too much change")).toBeVisible();
  await staffCall("manager", "sale", {
    paymentMode: "CASH",
    lines: [{ description: "Engraved knife", category: "ENGRAVING", quantity: 1, amount: 6 }],
  });
  await page.goto(DRAWER);
  await expect(page.getByText("Since then: Cash $6.00.")).toBeVisible();
  await expect(row(page, "Difference −$2.00")).toBeVisible();
  await expectAccessible(page);
});

test("the drawer is opened and closed without JavaScript", async ({ open }) => {
  const page = await asStaff(open, "manager", "/admin/sales/drawer", NO_SCRIPT);
  await page.getByLabel("Float").fill("fifty");
  await page.getByRole("button", { name: "Open the drawer" }).click();
  await expect(page.getByLabel("Float")).toHaveValue("fifty");
  await page.getByLabel("Float").fill("50");
  await page.getByRole("button", { name: "Open the drawer" }).click();
  const expected = await sumOf(page, "Expected");
  const close = () => page.getByRole("button", { name: "Close the drawer" }).click();
  await page.getByText("By notes and coins").click();
  await page.getByLabel("$100 ×").fill("one");
  await close();
  await page.getByText("Must be a whole number").waitFor();
  await expect(page.getByLabel("$100 ×")).toHaveValue("one");
  await page.getByLabel("$100 ×").fill("");
  await page.getByLabel("$0.05 ×").fill(String(Math.round(expected * 20)));
  await page.getByLabel("Counted").fill("1");
  await close();
  await page.getByText(/^Notes and coins make \$/).waitFor();
  await page.getByLabel("Counted").fill("");
  await close();
  await page.getByText("Drawer closed, without a difference").waitFor();
  await expect(row(page, "Counted")).toBeVisible();
  await staffCall("manager", "sale", {
    paymentMode: "CASH",
    lines: [{ description: "Ruler", category: "OTHERS", quantity: 1, amount: 7 }],
  });
  await page.reload();
  await expect(page.getByText("Since then: Cash $7.00.")).toBeVisible();
});

test("a walk-in sale of two products takes at most 6 taps and 10 keys at 390 px", async ({ open }) => {
  const product = { category: "OTHERS", price: 12, stock: 5, imageUrls: [] };
  const names = { q7: "Walk-in anvil", q8: "Walk-in quoin" };
  const ids: unknown[] = [];
  for (const [sku, name] of Object.entries(names))
    ids.push((await staffCall("admin", "product", { ...product, name, units: [{ sku }] })).id);
  const page = await asStaff(open, "manager", SALE, { viewport: { width: 390, height: 844 } });
  await expect(page.getByPlaceholder("Add a product or your own line")).toBeFocused();
  for (const [sku, name] of Object.entries(names)) {
    // 3 keys.
    await page.keyboard.type(sku);
    await page.keyboard.press("Enter");
    await page.getByLabel(`Price of ${name}`).waitFor();
  }
  // 3 taps.
  await page.getByText("Cash", { exact: true }).click();
  await page.getByRole("group", { name: "Received" }).getByRole("button", { name: "$40.00" }).click();
  await page.getByRole("button", { name: "Record sale $24.00" }).click();
  await page.getByText(/^Last sale: \$24\.00/).waitFor();
  await page.getByText(/Change \$16\.00/).waitFor();
  for (const id of ids) await staffCall("admin", `product/${String(id)}`, {}, "DELETE");
});

test("a customer is added with the first sale, found for the second, and kept with a half-filled one", async ({
  open,
}) => {
  const name = `Anders Till ${Date.now()}`;
  const page = await asStaff(open, "manager", SALE, { viewport: { width: 390, height: 844 } });
  const addLine = async (text: string) => {
    await page.getByPlaceholder("Add a product or your own line").fill(text);
    await page.keyboard.press("Alt+Enter");
    await page.getByLabel(`Price of ${text}`).fill("12");
  };
  const customer = page.getByLabel("Customer if known");
  await addLine("Engraved spoon");
  await customer.fill(name);
  await page.getByRole("button", { name: `Add “${name}” as a new customer` }).click();
  await page.getByText("New customer", { exact: true }).waitFor();
  await expect(page.getByLabel("Name on the receipt")).toHaveValue(name);
  await page.getByLabel("Email", { exact: true }).fill("nonsense");
  await page.getByRole("button", { name: /^Record sale/ }).click();
  await page.getByText("Please check the email of the customer.").waitFor();
  await page.getByLabel("Email", { exact: true }).fill("anders.till@mail.example");
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await expectAccessible(page);
  await page.getByRole("button", { name: /^Record sale/ }).click();
  await page.getByText(/^Last sale: \$12\.00/).waitFor();
  const toast = page.locator(".toast-links");
  await expect(toast.getByRole("link")).toHaveText(["Print", "PDF", "Open"]);
  await toast.getByRole("button", { name: "Close this message" }).click();
  await expect(toast).toBeHidden();

  await addLine("Engraved fork");
  await customer.fill(name.toLowerCase());
  await page.getByRole("button", { name: `${name}, anders.till@mail.example` }).click();
  await page.reload();
  await page.getByText("The sale that you began is back.").waitFor();
  await page.locator(".sale-chosen").getByText(name).waitFor();
  await page.getByRole("button", { name: /^Record sale/ }).click();
  await toast.waitFor();
  await addLine("Engraved knife");
  await expect(toast).toBeHidden();
  await page
    .getByText(/^Last sale: /)
    .getByRole("link")
    .first()
    .click();
  await page.getByRole("link", { name }).first().click();
  await page.getByRole("heading", { name, exact: true }).waitFor();
  await expect(page.getByText(/\$24\.00/).first()).toBeVisible();
});

test("a customer is found and given up without JavaScript, and the choice of a line changed", async ({
  open,
}) => {
  const { id: caseId } = await staffCall("admin", "product", {
    ...{ name: "Till case", price: 20, stock: 5, category: "OTHERS", imageUrls: [] },
    options: [{ name: "Colour", values: ["Moss", "Sand"] }],
    units: [
      { options: { Colour: "Moss" }, stock: 2, sku: "TILL-MOSS" },
      { options: { Colour: "Sand" }, stock: 3, price: 21.5 },
    ],
  });
  await staffCall("manager", "customer", { name: "Berit Till", email: "berit.till@mail.example" });
  const page = await asStaff(open, "manager", SALE, NO_SCRIPT);
  await page.getByLabel("Customer if known").fill("berit till");
  await page.getByRole("button", { name: "Find the customer" }).click();
  await page.getByRole("button", { name: "Berit Till, berit.till@mail.example" }).click();
  await page.getByPlaceholder("Add a product or your own line").fill("till-moss");
  await page.keyboard.press("Enter");
  await page.getByText("Another choice than Moss").click();
  await page.getByRole("button", { name: "Sand, 3 free" }).click();
  await expect(page.getByLabel("Price of Till case (Sand)")).toHaveValue("21.50");
  await page.locator(".sale-chosen").getByText("Berit Till").waitFor();
  await page.getByRole("button", { name: "Sell without a customer" }).click();
  await expect(page.getByLabel("Customer if known")).toBeVisible();
  await expect(page.getByLabel("Name on the receipt")).toHaveValue("");
  await staffCall("admin", `product/${caseId}`, {}, "DELETE");
});

test("the choice of a line is there after a code, a reload and in a correction", async ({ open }) => {
  const { id } = await staffCall("admin", "product", {
    ...{ name: "Till sleeve", price: 20, stock: 5, category: "OTHERS", imageUrls: [] },
    options: [{ name: "Colour", values: ["Moss", "Sand"] }],
    units: [
      { options: { Colour: "Moss" }, stock: 2, sku: "SLEEVE-MOSS" },
      { options: { Colour: "Sand" }, stock: 3, price: 21.5 },
    ],
  });
  const page = await asStaff(open, "manager", SALE);
  const choice = page.getByLabel(/^Choice of Till sleeve/);
  await page.getByPlaceholder("Add a product or your own line").fill("SLEEVE-MOSS");
  await page.keyboard.press("Enter");
  await choice.selectOption("Sand, 3 free");
  await expect(page.getByLabel("Price of Till sleeve (Sand)")).toHaveValue("21.50");
  await page.reload();
  await choice.selectOption("Moss, 2 free");
  await page.getByRole("button", { name: "Record sale $20.00" }).click();
  await page.locator(".toast-links").getByRole("link", { name: "Open" }).click();
  await page.getByRole("link", { name: "Correct price or item" }).click();
  await choice.selectOption("Sand, 3 free");
  await page.getByText("$1.50 to collect").waitFor();
  await staffCall("admin", `product/${id}`, {}, "DELETE");
});

test("a sale whose answer was lost is recorded once, also after a reload, and another person finds no draft of it", async ({
  openWithErrors: open,
}) => {
  const page = await asStaff(open, "manager", SALE);
  await page.getByPlaceholder("Add a product or your own line").fill("Engraved hull number");
  await page.keyboard.press("Alt+Enter");
  await page.getByLabel("Price of Engraved hull number").fill("41");
  await page.route("**/admin/sales/new?*", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await fetchRoute(route, { maxRedirects: 0 });
    await route.abort("connectionreset");
  });
  await page.getByRole("button", { name: /^Record sale/ }).click();
  await page.getByText("The sale is not confirmed: The connection broke. Please try again.").waitFor();
  await page.unrouteAll();
  await page.reload();
  await page.getByText("The sale that you began is back.").waitFor();
  await page.getByRole("button", { name: /^Record sale/ }).click();
  await page.getByText(/^Last sale: \$41\.00/).waitFor();
  expect(await staffCall("manager", "sale?q=hull")).toHaveLength(1);

  await page.getByPlaceholder("Add a product or your own line").fill("Engraved oar");
  await page.keyboard.press("Alt+Enter");
  await page.getByLabel("Price of Engraved oar").waitFor();
  const [name = "", value = ""] = (await signedInAs("admin")).cookie.split(/[=;]/);
  await page.context().addCookies([{ name, value, url: page.url() }]);
  await page.goto(SALE);
  await page.getByPlaceholder("Add a product or your own line").waitFor();
  await expect(page.getByText("The sale that you began is back.")).toBeHidden();
  await expect(page.getByLabel("Price of Engraved oar")).toBeHidden();
});
