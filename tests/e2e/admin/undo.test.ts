import { expect, type Open, test } from "../../support/browser";
import { asStaff, staffCall } from "../../support/staff";
import { coveredByToasts } from "../../support/toasts";

/** Deletes an invoice, which offers to undo that. */
async function deletedInvoice(open: Open, description: string) {
  const invoice = { description, amount: 10, quantity: 1, paymentMode: "CASH", createdAt: "2025-03-01" };
  await staffCall("admin", "invoice", invoice);
  const page = await asStaff(open, "admin", `/admin/invoices-management?q=${description}`, {
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
  });
  await page.clock.install();
  await page.getByRole("link", { name: `Delete ${description}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  const undo = page.locator(".toast-list").getByRole("button", { name: "Undo" });
  await undo.waitFor();
  return { page, undo };
}

test("a message with a button lies on no control", async ({ open }) => {
  const { page } = await deletedInvoice(open, "Covering");
  await expect.poll(() => page.evaluate(coveredByToasts)).toEqual([]);
});

test("a message under the pointer stays there while the page changes", async ({ open }) => {
  const { undo } = await deletedInvoice(open, "Pointed-at");
  // The message may move until the dialog before it has closed.
  await expect
    .poll(async () => {
      await undo.hover();
      return undo.evaluate((button) => button.matches(":hover"));
    })
    .toBe(true);
  const place = () => undo.evaluate((button) => button.getBoundingClientRect().y);
  const before = await place();
  await undo.evaluate(coverByButton);
  expect(await place()).toBe(before);
});

/** Runs in the page: places a button under the message, from which it would move away, and waits for the next frames. */
async function coverByButton(button: Element) {
  const { x, y, width, height } = button.getBoundingClientRect();
  const covered = document.createElement("button");
  covered.style.cssText = `position: fixed; left: ${x}px; top: ${y}px; width: ${width}px; height: ${height}px`;
  covered.textContent = "Covered";
  document.body.appendChild(covered);
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
}

for (const way of ["keyboard", "mouse"] as const)
  test(`a message ends by itself after an Undo by ${way}`, async ({ open }) => {
    const { page, undo } = await deletedInvoice(open, `Undone by ${way}`.replaceAll(" ", "-"));
    if (way === "keyboard") await undo.press("Enter");
    else await undo.click();
    const restored = page.locator(".toast-list .toast", { hasText: "Invoice restored successfully" });
    await restored.waitFor();
    await expect(undo).toHaveCount(0);
    await page.clock.fastForward(5000);
    await expect(restored).toHaveCount(0);
  });
