import { expect, expectAccessible, overflow, SCRIPTING, test } from "../../support/browser";
import { mailed } from "../../support/conversation";
import { signedInAs } from "../../support/signed-in";
import { asStaff, staffCall } from "../../support/staff";

const LINK = /\/unsubscribe\?restock=[\w-]+&key=[\w.-]+/;

for (const [name, javaScriptEnabled] of SCRIPTING)
  test(`a shopper is told when something sold out is back (${name})`, async ({ open }) => {
    const stamp = Date.now();
    const product = `Brass zarf ${stamp}`;
    const email = `waits.${stamp}@mail.example`;
    const fields = { name: product, price: 12, stock: 0, category: "OTHERS", imageUrls: [] };
    const { id } = await staffCall("manager", "product", fields);
    const page = await open(`/products/${id}`, { javaScriptEnabled, viewport: { width: 390, height: 844 } });
    expect(await overflow(page)).toBe(0);
    if (javaScriptEnabled) await expectAccessible(page);
    await page.getByLabel("Email").first().fill(email);
    await page.getByRole("button", { name: "Tell me", exact: true }).click();
    await expect(page.getByText(/^Check your mail/).first()).toBeVisible();

    await page.goto(await mailed([email, "Yes, tell me"], LINK));
    if (javaScriptEnabled) await expectAccessible(page);
    await page.getByRole("button", { name: "Yes, tell me" }).click();
    await expect(page.getByText(`once ${product} can be bought again`)).toBeVisible();

    const staff = await asStaff(open, "manager", `/admin/products-management?edit=${id}`, {
      javaScriptEnabled,
    });
    await expect(staff.getByText("1 person waits for it")).toBeVisible();
    await staffCall("manager", `product/${id}`, { stock: 2 }, "PUT");
    const words = [email, "can be bought again. There are 2 pieces"];
    await page.goto(await mailed(words, /\/products\/[\w-]+/));
    await expect(page.getByText("Tell me when it is back")).toHaveCount(0);
    await page.goto(await mailed(words, LINK));
    await expect(page.getByText(`We have told you about ${product}`)).toBeVisible();
  });

for (const [name, javaScriptEnabled] of SCRIPTING)
  test(`a customer sees in My purchases what they wait for, and stops (${name})`, async ({ open }) => {
    const product = `Brass ewer ${Date.now()}`;
    const fields = { name: product, price: 12, stock: 0, category: "OTHERS", imageUrls: [] };
    const { id } = await staffCall("manager", "product", fields);
    const page = await open(`/products/${id}`, {
      ...(await signedInAs("customer")).browser,
      ...{ javaScriptEnabled, viewport: { width: 390, height: 844 } },
    });
    await page.getByRole("button", { name: "Tell me", exact: true }).click();
    await page
      .getByText(/^(?:Check your mail|We will tell you)/)
      .first()
      .waitFor();
    await page.goto("/purchases");
    const section = page.getByRole("region", { name: "Back in stock" });
    const row = section.getByRole("listitem").filter({ hasText: product });
    await expect(row.getByText("Sold out.")).toBeVisible();
    await expect(row.getByText("$12.00")).toBeVisible();
    expect(await overflow(page)).toBe(0);
    if (javaScriptEnabled) await expectAccessible(page);
    await row.getByRole("button", { name: `Stop waiting for ${product}` }).click();
    await page.getByText("You no longer wait for it.").first().waitFor();
    await expect(row).toHaveCount(0);
  });
