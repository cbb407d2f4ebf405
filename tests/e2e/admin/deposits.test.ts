import { readFileSync } from "node:fs";
import type { BrowserContextOptions, Page } from "@playwright/test";
import {
  expect,
  expectAccessible,
  NO_SCRIPT,
  type Open,
  overflow,
  SCRIPTING,
  test,
} from "../../support/browser";
import { logOf, startChat } from "../../support/conversation";
import { fetchShop, runningShop } from "../../support/running-shop";
import { asStaff, staffCall } from "../../support/staff";

/** Starts a chat in which a quote of $70.00 waits for its answer. */
async function quoted(
  userName: string,
  title = "Pen turned in maple",
): Promise<{ chatId: string; quoteId: string }> {
  const started = await fetchShop("/api/chat/create", {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: runningShop().url },
    body: JSON.stringify({ userName, initialMessage: "A pen in maple, please", isAnonymous: false }),
  });
  const { chatId = "" } = (await started.json()) as { chatId?: string };
  const lines = [{ description: "Pen turned in maple", quantity: 1, amount: 70 }];
  const { id } = await staffCall("manager", "quote", { chatId, title, lines });
  return { chatId, quoteId: String(id) };
}

const consoleAt = (open: Open, chatId: string, options: BrowserContextOptions = {}) =>
  asStaff(open, "manager", `/admin/chat?chat=${chatId}`, options);

const conversation = (page: Page) => page.locator(".conversation");

/** Takes a deposit of $30.00 by EMT on the quote of the open conversation. */
async function takeDeposit(page: Page): Promise<void> {
  await conversation(page).getByRole("link", { name: "Take deposit" }).click();
  const form = page.getByRole("form", { name: "Take deposit" });
  await form.getByLabel("Amount").fill("90");
  await form.getByText("EMT", { exact: true }).click();
  await form.getByRole("button", { name: /^Take deposit/ }).click();
  await form.getByText("The customer has not accepted this quote yet").first().waitFor();
  await form.getByLabel("The customer accepts the quote").check();
  await form.getByRole("button", { name: /^Take deposit/ }).click();
  await form.getByText("At most $70.00 of the quote is left to pay").first().waitFor();
  await expect(form.getByLabel("Amount")).toHaveValue("90");
  await form.getByLabel("Amount").fill("$30.00");
  await form.getByRole("button", { name: /^Take deposit/ }).click();
  await conversation(page).getByText("Deposit $30.00 paid, $40.00 to pay").first().waitFor();
}

for (const width of [390, 1440])
  test(`a deposit is taken on a quote and counts towards its sale at ${width} px`, async ({ open }) => {
    const { chatId } = await quoted("Eleni Papadopoulou");
    const page = await consoleAt(open, chatId, { viewport: { width, height: 900 } });
    await takeDeposit(page);
    await expect(conversation(page).getByText(/^Deposit LD-\d{4}-\d{6}$/)).toBeVisible();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await conversation(page).getByRole("link", { name: "Record sale", exact: true }).click();
    const totals = page.getByRole("table", { name: "Totals" });
    await expect(totals.getByRole("row", { name: "Deposit, EMT −$30.00" })).toBeVisible();
    await expect(totals.getByRole("row", { name: "To collect $40.00" })).toBeVisible();
    await page.getByText("Card", { exact: true }).click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Record sale $40.00 now" }).click();
    await page.getByRole("link", { name: "Open", exact: true }).first().click();
    await page.getByRole("link", { name: "Receipt", exact: true }).click();
    await expect(page.getByText("Deposit, e-transfer")).toBeVisible();
    await expect(page.getByText("Paid, card")).toBeVisible();
  });

test("the visitor sees a deposit at once, and what is left to pay", async ({ open }) => {
  const visitor = await open("/products/mushroom-table-lamp");
  const chatId = await startChat(visitor, "A pen in maple, please");
  const lines = [{ description: "Pen turned in maple", quantity: 1, amount: 70 }];
  const { id } = await staffCall("manager", "quote", { chatId, title: "Pen", lines });
  await logOf(visitor).getByText("Quote: Pen").waitFor();
  const payment = { amount: 30, mode: "EMT", accept: true };
  const { id: paymentId, number } = await staffCall("manager", `quote/${String(id)}/payment`, payment);
  await logOf(visitor).getByText("Deposit $30.00 paid, $40.00 to pay").waitFor();
  await logOf(visitor)
    .getByText(`Deposit ${String(number)}`)
    .waitFor();
  await visitor.goto(`/receipts/deposit/${String(paymentId)}`);
  await expect(visitor.getByRole("heading", { name: `Deposit ${String(number)}` })).toBeVisible();
  await expect(visitor.getByText("Left to pay")).toBeVisible();
  await expectAccessible(visitor);
});

test("a deposit is taken, and its quote withdrawn with it, without JavaScript", async ({ open }) => {
  const { chatId } = await quoted("Anders Bergström");
  const page = await consoleAt(open, chatId, NO_SCRIPT);
  await takeDeposit(page);
  await conversation(page).getByRole("link", { name: "Withdraw…" }).click();
  const form = page.getByRole("form", { name: "Withdraw the quote" });
  await expect(form.getByLabel(/^Pay back \$30\.00/)).toBeChecked();
  await form.getByLabel(/^Keep it/).check();
  await form.getByLabel(/^To /).fill("The blank split, sorry.");
  await form.getByRole("button", { name: "Withdraw" }).click();
  await conversation(page).getByText("The deposit of $30.00 is kept.").first().waitFor();
  await expect(conversation(page).getByText(/^Receipt L-\d{4}-\d{6}$/)).toBeVisible();
});

test("a withdrawn quote's deposit is paid back in its mode", async ({ open }) => {
  const { chatId, quoteId } = await quoted("Wren Ito");
  await staffCall("manager", `quote/${quoteId}/payment`, { amount: 30, mode: "CARD", accept: true });
  const page = await consoleAt(open, chatId);
  await conversation(page).getByRole("link", { name: "Withdraw…" }).click();
  const form = page.getByRole("form", { name: "Withdraw the quote" });
  await expectAccessible(page);
  await form.getByRole("button", { name: "Withdraw, pay back $30.00" }).click();
  await expect(conversation(page).getByText(/^Deposit paid back LD-/)).toBeVisible();
  await expect(conversation(page).getByText("Withdrawn", { exact: true })).toBeVisible();
});

for (const [name, javaScriptEnabled] of SCRIPTING)
  test(`a deposit is found by its number, listed while it is held, and in the payments file ${name}`, async ({
    open,
  }) => {
    const title = `Held pen ${name}`;
    const { quoteId } = await quoted("Held Ito", title);
    const payment = { amount: 30, mode: "EMT", accept: true };
    const { number } = await staffCall("manager", `quote/${quoteId}/payment`, payment);
    const page = await asStaff(open, "manager", "/admin/documents", { javaScriptEnabled });
    const search = page.getByLabel("Number, customer, item");
    await search.fill(String(number));
    await search.press("Enter");
    await page.getByRole("link", { name: String(number) }).click();
    await expect(page.getByRole("heading", { name: `Deposit ${String(number)}` })).toBeVisible();

    await page.goto("/admin/bookkeeping");
    const file = page.getByRole("link", { name: "Payments", exact: true });
    const [download] = await Promise.all([page.waitForEvent("download"), file.click()]);
    const rows = readFileSync(await download.path(), "utf8").split("\r\n");
    expect(rows.find((row) => row.startsWith(String(number)))).toMatch(/,Deposit,.*,EMT,30\.00,Held pen/);

    await page.getByRole("link", { name: "deposits held now" }).click();
    const row = page.getByRole("row").filter({ hasText: title });
    await expect(row).toContainText("Deposit $30.00 paid, $40.00 to pay");
    await expect(page.locator("tfoot")).toContainText(/Deposits held: \$\d/);
    const lines = [{ description: title, businessType: "LASER", quantity: 1, amount: 70 }];
    await staffCall("manager", "sale", { quoteId, paymentMode: "CARD", lines });
    await page.goto("/admin/quotes?state=deposit");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expect(row).toHaveCount(0);
  });
