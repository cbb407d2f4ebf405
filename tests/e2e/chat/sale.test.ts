import type { Page } from "@playwright/test";
import { getDocumentProxy } from "unpdf";
import {
  accessibilityProblems,
  expect,
  expectAccessible,
  NO_SCRIPT,
  onEachScreen,
  test,
} from "../../support/browser";
import { api, chatIdOf, logOf, sellerToken } from "../../support/conversation";
import { asStaff } from "../../support/staff";

const PHONE = { viewport: { width: 390, height: 844 } };
const PRODUCT = "walnut-serving-board";

async function availableOf(id: string): Promise<number> {
  const answer = await api(`product/id/${id}`, "GET");
  return ((await answer.json()) as { stock: number }).stock;
}

/** Reads today's figure of the dashboard, dollars. */
async function soldToday(): Promise<number> {
  const answer = await api("sale/all", "GET", undefined, await sellerToken());
  return ((await answer.json()) as { totalSales: { todayAmount: number } }).totalSales.todayAmount;
}

/** Puts a board in the cart and asks about it. */
async function askAboutCart(page: Page) {
  await page.getByRole("button", { name: "Add to Cart" }).first().click();
  // The badge counts before the cart is stored.
  await page
    .getByText(/added to cart/)
    .first()
    .waitFor();
  await page.goto("/cart");
  await page.getByRole("button", { name: "Chat with Seller" }).first().click();
}

test("a question on a phone becomes a hold, then a sale in two clicks, with a receipt", async ({ open }) => {
  const before = await availableOf(PRODUCT);
  const soldBefore = await soldToday();
  const visitor = await open(`/products/${PRODUCT}`, PHONE);
  await askAboutCart(visitor);
  await logOf(visitor).getByText("I'm interested in buying").first().waitFor();
  const chatId = await chatIdOf(visitor);
  const seller = await asStaff(open, "manager", `/admin/chat?chat=${chatId}`);
  await seller.keyboard.press("Escape");
  await seller.locator("h1").click();
  await seller.keyboard.press("h");
  await seller.getByRole("button", { name: "Set aside" }).click();
  await seller.waitForURL(/\/admin\/chat/);
  await logOf(visitor)
    .getByText(/^Set aside until \w+day 18:00, when we close$/)
    .waitFor();
  await expect.poll(() => availableOf(PRODUCT)).toBe(before - 1);
  // The two clicks.
  await seller.getByRole("link", { name: /^Record sale \$/ }).click();
  await seller.getByRole("button", { name: /^Record sale \$/ }).click();
  await seller
    .getByText(/^Sale recorded: [EL]-/)
    .first()
    .waitFor();
  const receipt = logOf(visitor).getByText(/^Receipt [EL]-\d{4}-\d{6}$/);
  await receipt.waitFor();
  await logOf(visitor)
    .getByText(/: sold$/)
    .waitFor();
  await expect.poll(() => availableOf(PRODUCT)).toBe(before - 1);
  const [sale] = (await (
    await api(`sale?chatId=${chatId}`, "GET", undefined, await sellerToken())
  ).json()) as {
    id: string;
    number: string;
    total: number;
  }[];
  const opened = visitor.waitForEvent("popup");
  await logOf(visitor)
    .getByRole("link", { name: `Open ${sale?.number}` })
    .click();
  const receiptPage = await opened;
  await receiptPage.getByRole("heading", { name: `Receipt ${sale?.number}` }).waitFor();
  const sheet = await getDocumentProxy(new Uint8Array(await receiptPage.pdf({ format: "A4" })));
  expect(sheet.numPages).toBe(1);
  await expect.poll(soldToday).toBeCloseTo(soldBefore + (sale?.total ?? 0), 2);
  await seller.goto(`/admin/documents/${sale?.id}?credit=1`);
  await seller.getByLabel(/^Take back of/).fill("1");
  await seller.getByLabel(/^Back to stock/).check();
  await seller.getByRole("button", { name: /^Credit \$/ }).click();
  await seller
    .getByText(/C-\d{4}-\d{6} issued/)
    .first()
    .waitFor();
  await logOf(visitor)
    .getByText(/^Credit note [EL]C-\d{4}-\d{6}$/)
    .waitFor();
  await expect.poll(() => availableOf(PRODUCT)).toBe(before);
  await expect.poll(soldToday).toBeCloseTo(soldBefore, 2);
});

test("keys edit the lines of a sale and of a hold", async ({ open }) => {
  const page = await asStaff(open, "manager", "/admin/sales/new");
  const field = page.getByRole("combobox", { name: /^Add a product/ });
  const focused = page.locator(":focus");
  const removal = (name: string) => page.getByRole("button", { name: `Remove ${name}` });
  const add = async (text: string, ...keys: string[]) => {
    await field.focus();
    await page.keyboard.type(text);
    await page.getByRole("listbox").getByRole("option").filter({ hasText: text }).first().waitFor();
    for (const key of keys) await page.keyboard.press(key);
    await expect(field).toHaveValue("");
    await expect(field).toBeFocused();
  };
  await expect(field).toBeFocused();
  await page.locator("h1").click();
  await page.keyboard.press("/");
  await expect(field).toBeFocused();
  for (const name of ["First", "Second", "Third"]) await add(name, "Alt+Enter");
  // The focus follows a removed line: to the next one, to the last one, to the field that adds lines.
  for (const [name, next] of [
    ["First", "Remove Second"],
    ["Third", "Remove Second"],
  ] as const) {
    await removal(name).focus();
    await page.keyboard.press("Enter");
    await expect(focused).toHaveAccessibleName(next);
  }
  await page.keyboard.press("Enter");
  await expect(field).toBeFocused();
  await add("Wrapping", "Alt+Enter");
  await page.locator("h1").click();
  await page.keyboard.press("Control+Enter");
  await expect(focused).toHaveAccessibleName("Price of Wrapping");

  await page.goto("/admin/sales/hold");
  // Beyond the last of the products found.
  await add("Walnut serving board", ...Array<string>(8).fill("ArrowDown"), "Enter");
  await expect(page.getByRole("button", { name: /^Remove / })).toHaveCount(1);
});

test("Enter adds what was typed, not what an older text has found, and the sale stays until it is cleared", async ({
  open,
}) => {
  const page = await asStaff(open, "manager", "about:blank");
  await page.route("**/api/product/all?*", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 150));
    await route.continue();
  });
  await page.goto("/admin/sales/new");
  const field = page.getByRole("combobox", { name: /^Add a product/ });
  await expect(field).toBeFocused();
  const names = ["Engraved walnut serving board", "Soft silicone phone case"];
  for (const name of [...names, names[0] ?? ""]) {
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
    await expect(field).toHaveValue("");
  }
  const quantity = (name: string) => page.getByLabel(`Quantity of ${name}`);
  await expect(quantity(names[0] ?? "")).toHaveValue("2");
  await expect(quantity(names[1] ?? "")).toHaveValue("1");
  await page.keyboard.type("no such thing at all");
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue("no such thing at all");
  await page.getByRole("option", { name: /No products match/ }).waitFor();
  await page.goto("/admin/invoices-management");
  await page.goto("/admin/sales/new");
  await expect(quantity(names[0] ?? "")).toHaveValue("2");
  await page.getByRole("button", { name: "Clear it" }).click();
  await expect(page.getByRole("button", { name: /^Remove / })).toHaveCount(0);
  await page.reload();
  await expect(field).toBeFocused();
  await expect(page.getByRole("button", { name: /^Remove / })).toHaveCount(0);
});

test("a visitor's decision about a quote shows to the seller without a reload", async ({ open }) => {
  const visitor = await open(`/products/${PRODUCT}`, PHONE);
  await askAboutCart(visitor);
  await logOf(visitor).getByText("I'm interested in buying").first().waitFor();
  const chatId = await chatIdOf(visitor);
  const seller = await asStaff(open, "manager", `/admin/chat?chat=${chatId}`);
  await seller.getByRole("link", { name: "Quote", exact: true }).click();
  await seller.getByLabel(/^Description of/).fill("Slate coaster");
  await seller.getByText("If you leave it empty: Slate coaster").waitFor();
  await seller.getByLabel("Quantity of Slate coaster").fill("4");
  await seller.getByLabel("Price of Slate coaster").fill("23,00");
  await seller.getByRole("button", { name: "Send quote –" }).waitFor();
  await seller.getByLabel("Note").focus();
  await seller.getByText("Cents follow a point, not a comma: write it like 23.00").waitFor();
  await seller.getByLabel("Price of Slate coaster").fill("23.00");
  await seller.getByRole("button", { name: "Send quote $92.00" }).click();
  await seller.waitForURL(/\/admin\/chat/);
  await logOf(visitor).getByText("Quote: Slate coaster").waitFor();
  await logOf(visitor).getByRole("button", { name: "Accept" }).click();
  await logOf(visitor).getByText("Accepted", { exact: true }).waitFor();
  await logOf(seller).getByText("Accepted", { exact: true }).waitFor();
  await logOf(seller).getByRole("link", { name: "Record sale" }).click();
  await expect(seller.getByLabel("Price of Slate coaster")).toHaveValue("23.00");
  const date = seller.getByLabel("Date");
  const today = await date.inputValue();
  const year = Number(today.slice(0, 4));
  await date.fill(`${year - 2}-01-05`);
  await seller.getByRole("button", { name: "Record sale $92.00" }).click();
  const question = new RegExp(`\\w+ 5th January ${year - 2}\\. Press again if that is right\\.`);
  await seller.getByText(question).waitFor();
  await expect(seller.locator("input[name=confirmed]")).toHaveValue(question);
  await date.fill(today);
  await seller.getByRole("button", { name: "Record sale $92.00" }).click();
  await seller
    .getByText(/^Sale recorded: L-/)
    .first()
    .waitFor();
});

test("without JavaScript, a quote is accepted and the sale takes three forms", async ({ open }) => {
  const visitor = await open(`/products/${PRODUCT}`, { ...PHONE, ...NO_SCRIPT });
  await askAboutCart(visitor);
  await visitor.waitForURL(/\/chat\/./);
  const chatId = new URL(visitor.url()).pathname.split("/").at(-1) ?? "";
  const seller = await asStaff(open, "manager", `/admin/chat?chat=${chatId}`, NO_SCRIPT);
  await seller.getByRole("link", { name: "Set aside", exact: true }).click();
  await seller.getByRole("button", { name: "Set aside" }).click();
  await seller.waitForURL(/\/admin\/chat/);
  await seller.getByRole("link", { name: "Quote", exact: true }).click();
  await seller.getByLabel("Title").fill("A name on the board");
  // What is set aside stands in the quote.
  await seller.getByLabel(/^Price of/).fill("12.00");
  await seller.getByRole("button", { name: /^Send quote/ }).click();
  await seller.waitForURL(/\/admin\/chat/);
  await visitor.reload();
  await logOf(visitor).getByRole("button", { name: "Accept" }).click();
  await logOf(visitor).getByText("Accepted", { exact: true }).waitFor();
  await seller
    .getByRole("link", { name: /^Record sale/ })
    .first()
    .click();
  await expect(seller.getByLabel(/^Price of/)).toHaveValue("12.00");
  await seller.getByRole("button", { name: /^Record sale/ }).click();
  await seller.getByText(/Sale recorded: [EL]-/).waitFor();
  await visitor.reload();
  await expect(logOf(visitor).getByText(/^Receipt [EL]-\d{4}-\d{6}$/)).toBeVisible();
});

test("the forms of sales have no axe violations", async ({ open }) => {
  const page = await asStaff(open, "manager", "/admin/sales/new");
  await page.getByPlaceholder("Add a product or your own line").fill("walnut");
  await page.getByRole("option", { name: /free/ }).first().waitFor();
  await expectAccessible(page, "search");
  await page.getByPlaceholder("Add a product or your own line").fill("walnut xyzzy");
  await page.getByText("No products match.").waitFor();
  await expectAccessible(page, "own line alone");
  await page.getByPlaceholder("Add a product or your own line").fill("walnut");
  await page.getByRole("option", { name: /free/ }).first().waitFor();
  await page.getByRole("option").first().click();
  await page.getByLabel(/^Quantity of/).fill("999999");
  await page.getByRole("button", { name: /^Record sale/ }).click();
  await expect(page.getByLabel(/^Quantity of/)).toBeFocused();
  await onEachScreen(page, async (screen) =>
    expect(await accessibilityProblems(page), `refused, ${screen}`).toEqual([]),
  );
  await page.getByRole("button", { name: /^Sell \d+$/ }).click();
  await expect(page.getByRole("button", { name: /^Sell \d+$/ })).toHaveCount(0);
  await page.goto(`/admin/sales/hold?products=${PRODUCT}`);
  await expectAccessible(page, "hold");
});
