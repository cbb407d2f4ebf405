import type { Page } from "@playwright/test";
import { expect, expectAccessible, SCRIPTING, test } from "../../support/browser";
import { asStaff, staffCall } from "../../support/staff";

const sees = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: 15_000 });
const dialog = (page: Page) => page.getByRole("dialog");
const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

interface Made {
  productId: string;
  customerId: string;
  documentId: string;
  number: string;
}

/** Sells two lamps and a box to a customer of their own. */
async function sellLamps(name: string): Promise<Made> {
  const { productId } = await staffCall("admin", "product", {
    name: `Lamp of ${name}`,
    price: 64,
    stock: 5,
    category: "HOME_DECOR",
    imageUrls: [],
  });
  const { id: customerId } = await staffCall("admin", "customer", {
    name,
    email: `${Math.random()}@mail.example`,
  });
  const sale = await staffCall("admin", "sale", {
    customerId,
    paymentMode: "CARD",
    lines: [
      { productId, quantity: 2, amount: 128 },
      { description: `Box of ${name}`, quantity: 1, amount: 5 },
    ],
  });
  const [document] = sale.documents as { id: string; number: string }[];
  return {
    productId: String(productId),
    customerId: String(customerId),
    documentId: document?.id ?? "",
    number: document?.number ?? "",
  };
}

/** Lists the placeholders that are wider than their field. */
function cutPlaceholders(): string[] {
  const context = document.createElement("canvas").getContext("2d") as CanvasRenderingContext2D;
  const isCut = (input: HTMLInputElement) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(input);
    context.font = font;
    const room = input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    return context.measureText(input.placeholder).width > room + 1;
  };
  const inputs = [...document.querySelectorAll<HTMLInputElement>("input[type=search]")];
  return inputs.filter(isCut).map(({ placeholder }) => placeholder);
}

/** Counts the cells of tables in whose column the chat's button stands, so that it would cover some of them. */
function coveredCells(): number {
  const button = document.querySelector(".chat-launcher")?.getBoundingClientRect();
  const cells = [...document.querySelectorAll("main td")].map((cell) => cell.getBoundingClientRect());
  return cells.filter(({ right }) => button !== undefined && right > button.left).length;
}

for (const [name, javaScriptEnabled] of SCRIPTING)
  test.describe(`documents and customers ${name}`, () => {
    test("a sale is found among the documents and one of its lines is credited", async ({ open }) => {
      const person = `Zoë Quill ${javaScriptEnabled}`;
      const { number, productId } = await sellLamps(person);
      const page = await asStaff(open, "manager", "/admin/invoices-management", { javaScriptEnabled });
      await page.getByRole("link", { name: "Documents", exact: true }).click();
      const search = page.getByLabel("Number, customer, item");
      await search.waitFor();
      expect(await page.evaluate(cutPlaceholders)).toEqual([]);
      expect(await page.evaluate(coveredCells)).toBe(0);
      await search.fill(person);
      if (!javaScriptEnabled) await search.press("Enter");
      await sees(page, "Showing 1 to 1 of 1 results");
      await expect(page.locator("tfoot")).toContainText("$133.00");
      await page.getByRole("link", { name: number, exact: true }).click();
      await page.getByRole("heading", { name: number, level: 1 }).waitFor();
      await sees(page, "Sum, as on the document");

      await page.getByRole("link", { name: "Credit…" }).click();
      const take = dialog(page).getByLabel(`Take back of Lamp of ${person}, 2 left`);
      await take.fill("3");
      const button = dialog(page).getByRole("button", { name: /^Credit/ });
      if (javaScriptEnabled) {
        await dialog(page).getByText("At most 2").waitFor();
        await expect(button).toBeDisabled();
        await take.fill("two");
        await dialog(page).getByText("Must be a whole number from 0 to 2").waitFor();
        await take.fill("3");
      } else {
        await button.click();
        await sees(page, `Lamp of ${person}: 2 left to take back`);
      }
      await expect(take).toHaveValue("3");
      await take.fill("1");
      await dialog(page).getByLabel("Reason").fill("Knob is loose");
      const level = (text: string) => dialog(page).getByText(`Lamp of ${person}${text}`, { exact: true });
      await expect(level(javaScriptEnabled ? " stays at 3" : ": 3").filter({ visible: true })).toBeVisible();
      await dialog(page)
        .getByLabel(/^Back to stock/)
        .check();
      await expect(level(javaScriptEnabled ? ": 3 → 4" : ": 3").filter({ visible: true })).toBeVisible();
      await expect(level(" stays at 3").filter({ visible: true })).toHaveCount(0);
      const amount = javaScriptEnabled ? "Credit $64.00" : "Credit";
      await dialog(page).getByRole("button", { name: amount, exact: true }).click();
      await sees(page, /EC-\d{4}-\d{6} issued: −\$64\.00/);
      await sees(page, "1 credited");
      await sees(page, "Kept, after credits");
      expect((await staffCall("admin", `product/id/${productId}`)).stock).toBe(4);

      await page.goto(`/admin/inventory-management?movements=${productId}`);
      await sees(page, "The 3 movements add up to 4");
      await page.goto(`/admin/documents?q=${encodeURIComponent(person)}`);
      await sees(page, "$64.00 credited");
      await sees(page, `Credits ${number}`);
      await expect(page.locator("tfoot")).toContainText("$69.00");
    });

    test("two customers who are one person are merged", async ({ open }) => {
      const name = `Merged ${javaScriptEnabled}`;
      const [one, other] = [await sellLamps(`${name} One`), await sellLamps(`${name} Two`)];
      const page = await asStaff(open, "manager", "/admin/customers", { javaScriptEnabled });
      const search = page.getByLabel("Name, email, phone");
      await search.fill(name);
      if (!javaScriptEnabled) await search.press("Enter");
      await sees(page, "Showing 1 to 2 of 2 results");
      await row(page, `${name} One`).getByRole("link").first().click();
      await page.getByRole("heading", { name: `${name} One`, level: 1 }).waitFor();
      await page.getByRole("link", { name: "Merge…" }).click();
      await dialog(page).getByLabel("Find the other customer").fill(`${name} Two`);
      await dialog(page).getByRole("button", { name: "Search" }).click();
      await dialog(page)
        .getByRole("link", { name: `${name} Two` })
        .click();
      await dialog(page)
        .getByRole("radio", { name: `${name} Two` })
        .check();
      await dialog(page).getByRole("button", { name: "Merge both" }).click();
      await sees(page, `Merged into ${name} Two`);
      await sees(page, "2 sales");
      for (const { number } of [one, other]) await sees(page, number);
    });
  });

test("keys select, open, print and credit documents", async ({ open }) => {
  const person = "Person of keys";
  const [first, second] = [await sellLamps(person), await sellLamps(person)];
  const page = await asStaff(open, "manager", `/admin/documents?q=${encodeURIComponent(person)}`);
  await sees(page, "Showing 1 to 2 of 2 results");
  await page.locator("h1").click();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("x");
  await sees(page, "1 selected");
  await page.keyboard.press("Shift+ArrowDown");
  await sees(page, "2 selected");
  // Headless browsers download a PDF, so its tab stays empty.
  const printed = page
    .context()
    .waitForEvent("request", (request) => request.url().endsWith(`/receipts/${first.documentId}.pdf`));
  await page.keyboard.press("p");
  await printed;
  await page.bringToFront();
  await page.keyboard.press("e");
  await page.getByRole("heading", { name: first.number, level: 1 }).waitFor();
  await page.locator("h1").click();
  await page.keyboard.press("c");
  await dialog(page).getByLabel("Reason").waitFor();
  await page.goto(`/admin/documents?q=${encodeURIComponent(person)}`);
  await row(page, second.number).getByText(person, { exact: true }).click();
  await page.getByRole("heading", { name: second.number, level: 1 }).waitFor();
});

test("documents and customers have no axe violations", async ({ open }) => {
  const { documentId, customerId, productId } = await sellLamps("Seen");
  const page = await asStaff(open, "manager", "/admin/documents");
  await expectAccessible(page);
  for (const path of [
    `/admin/documents/${documentId}`,
    `/admin/documents/${documentId}?credit=1`,
    "/admin/customers",
    "/admin/customers?dialog=new",
    `/admin/customers/${customerId}`,
    `/admin/customers/${customerId}?merge=`,
    `/admin/inventory-management?movements=${productId}`,
  ]) {
    await page.goto(path);
    await expectAccessible(page, path);
  }
});

test("on a phone a line's document number ends where its amount does", async ({ open }) => {
  const page = await asStaff(open, "manager", "/admin/invoices-management?q=beeswax", {
    viewport: { width: 390, height: 844 },
  });
  await page.locator(".row-document").first().waitFor();
  const ends = await page.evaluate(() => {
    const end = (part: Element | null | undefined) => {
      const text = document.createRange();
      if (part) text.selectNodeContents(part);
      return Math.round(text.getBoundingClientRect().right);
    };
    return [...document.querySelectorAll(".row-document")].map((link) => ({
      number: link.textContent ?? "",
      past: end(link) - end(link.closest("tr")?.querySelector(".cell-amount")),
    }));
  });
  expect(ends.some(({ number }) => number.startsWith("EC-"))).toBe(true);
  expect(ends.filter(({ past }) => past !== 0)).toEqual([]);
});

test("the history keeps one entry for each of two equal credits while mails are added", async ({ open }) => {
  const { documentId } = await sellLamps("Credited twice");
  for (const _ of [1, 2])
    await staffCall("admin", `sale/${documentId}/credit`, {
      lines: [{ line: 1, quantity: 1 }],
      paymentMode: "CARD",
    });
  const page = await asStaff(open, "manager", `/admin/documents/${documentId}`);
  const credits = page.locator(".record-history li").filter({ hasText: "$64.00 credited" });
  await expect(credits).toHaveCount(2);
  for (const recipient of ["one@mail.example", "two@mail.example"]) {
    await page.locator("#send-to").fill(recipient);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page
      .locator(".record-history")
      .getByText(new RegExp(`^Mail(ed)? to ${recipient}`))
      .waitFor();
    await expect(credits).toHaveCount(2);
  }
});

test("on a phone the amounts of a document's tables stay on one line", async ({ open }) => {
  const { documentId } = await sellLamps("Narrow");
  // Without its sign, the amount is no wider than the others of its column.
  await staffCall("admin", `sale/${documentId}/credit`, {
    lines: [{ line: 1, quantity: 2 }],
    paymentMode: "CARD",
  });
  const page = await asStaff(open, "manager", `/admin/documents/${documentId}`, {
    viewport: { width: 390, height: 844 },
  });
  const amount = page.getByRole("cell", { name: "−$128.00" });
  await amount.first().waitFor();
  const lines = await page.evaluate(() =>
    [...document.querySelectorAll("main td.num")].map((cell) => {
      const text = document.createRange();
      text.selectNodeContents(cell);
      const tops = [...text.getClientRects()].map(({ top }) => Math.round(top));
      return { text: cell.textContent, lines: new Set(tops).size };
    }),
  );
  expect(lines.map(({ text }) => text)).toContain("−$128.00");
  expect(lines.filter((each) => each.lines > 1 && /^\S+$/.test(each.text ?? ""))).toEqual([]);
});
