import type { Page } from "@playwright/test";
import { expect, SCRIPTING, test } from "../../support/browser";
import { api, chatIdOf, logOf, sellerToken } from "../../support/conversation";
import { asStaff } from "../../support/staff";

const PHONE = { viewport: { width: 390, height: 844 } };

interface Ring {
  id: string;
  units: { id: string; options: Record<string, string>; stock: number }[];
}

/** Adds a ring in two colours and two sizes, three of each. */
async function addRing(name: string): Promise<string> {
  const options = [
    { name: "Colour", values: ["Gold", "Silver"] },
    { name: "Size", values: ["6", "7"] },
  ];
  const units = ["Gold", "Silver"].flatMap((Colour) =>
    ["6", "7"].map((Size) => ({ options: { Colour, Size }, stock: 3, price: Size === "7" ? 84 : null })),
  );
  const ring = { name, price: 80, category: "JEWELRY", options, units };
  const created = await api("product", "POST", ring, await sellerToken());
  return ((await created.json()) as { id: string }).id;
}

/** Stock of each unit as shoppers see it. */
async function availableOf(id: string): Promise<Record<string, number>> {
  const { units } = (await (await api(`product/id/${id}`, "GET")).json()) as Ring;
  return Object.fromEntries(units.map(({ options, stock }) => [Object.values(options).join(" "), stock]));
}

const ALL = { "Gold 6": 3, "Gold 7": 3, "Silver 6": 3, "Silver 7": 3 };

async function chooseSilver7(page: Page, isScripted: boolean) {
  await page.getByRole("radio", { name: /^Silver/ }).check();
  await page.getByRole("radio", { name: /^7/ }).check();
  if (!isScripted) await page.getByRole("button", { name: "Show price and stock of this choice" }).click();
  await expect(page.locator(".price-row")).toHaveText(/\$84\.00.*Silver, 7/);
  await page.getByRole("main").getByRole("button", { name: "Add to Cart" }).first().click();
  if (isScripted)
    await page
      .getByText(/added to cart/)
      .first()
      .waitFor();
  await page.goto("/cart");
  await expect(page.locator("main .cart-line")).toContainText("Silver / 7");
  await page.getByRole("button", { name: "Chat with Seller" }).first().click();
}

for (const [name, javaScriptEnabled] of SCRIPTING)
  test(`a size and a colour are chosen, set aside, sold and on the receipt ${name}`, async ({ open }) => {
    const id = await addRing(`Ring to wear ${name}`);
    const visitor = await open(`/products/${id}`, { ...PHONE, javaScriptEnabled });
    await chooseSilver7(visitor, javaScriptEnabled);
    await logOf(visitor)
      .getByText(/Silver \/ 7/)
      .first()
      .waitFor();
    const chatId = javaScriptEnabled
      ? await chatIdOf(visitor)
      : (new URL(visitor.url()).pathname.split("/").at(-1) ?? "");
    const seller = await asStaff(open, "manager", `/admin/chat?chat=${chatId}`);
    await seller.keyboard.press("Escape");
    await seller.locator("h1").click();
    await seller.keyboard.press("h");
    await seller.getByRole("button", { name: "Set aside" }).click();
    await seller.waitForURL(/\/admin\/chat/);
    await expect.poll(() => availableOf(id)).toEqual({ ...ALL, "Silver 7": 2 });
    await seller.getByRole("link", { name: /^Record sale \$84/ }).click();
    await seller.getByRole("button", { name: /^Record sale \$84/ }).click();
    await seller
      .getByText(/^Sale recorded: E-/)
      .first()
      .waitFor();
    await expect.poll(() => availableOf(id)).toEqual({ ...ALL, "Silver 7": 2 });
    const link = logOf(visitor).getByRole("link", { name: /^Open E-/ });
    // The receipt's card follows a moment after the sale.
    await expect(async () => {
      if (!javaScriptEnabled) await visitor.reload();
      await expect(link).toBeVisible({ timeout: 2000 });
    }).toPass();
    const address = (await link.getAttribute("href")) ?? "";
    const receipt = await visitor.context().newPage();
    await receipt.goto(new URL(address, visitor.url()).href);
    await expect(receipt.getByRole("main")).toContainText("Silver / 7");
    await expect(receipt.getByRole("main")).toContainText("$84.00");
    // Other journeys count the products of the shop.
    expect((await api(`product/${id}`, "DELETE", undefined, await sellerToken())).status).toBe(200);
  });
