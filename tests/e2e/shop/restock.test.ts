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
    const section = page.getByRole("region", { name: "Check your mail" });
    await expect(section.getByText(`Press the button in our mail to ${email}`)).toBeVisible();
    await expect(section.getByLabel("Email")).toHaveCount(0);
    if (javaScriptEnabled) await expectAccessible(page);
    expect(await overflow(page)).toBe(0);

    await page.goto(await mailed([email, "Yes, tell me"], LINK));
    if (javaScriptEnabled) await expectAccessible(page);
    await page.getByRole("button", { name: "Yes, tell me" }).click();
    await expect(page.getByText(`once ${product} can be bought again`)).toBeVisible();
    await page.goto("/purchases");
    const row = page.getByRole("region", { name: "Back in stock" }).getByRole("listitem");
    await expect(row.filter({ hasText: product })).toContainText(`We’ll write to ${email}, once`);

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
  test(`a visitor takes back what they wait for, and an end of the mails (${name})`, async ({ open }) => {
    const stamp = Date.now();
    const [email, again] = [`regrets.${stamp}@mail.example`, `again.${stamp}@mail.example`];
    const fields = { name: `Brass salver ${stamp}`, price: 12, stock: 0, category: "OTHERS", imageUrls: [] };
    const { id } = await staffCall("manager", "product", fields);
    const viewport = { width: 390, height: 844 };
    const page = await open(`/products/${id}`, { javaScriptEnabled, viewport, reducedMotion: "reduce" });
    const form = page.getByRole("region", { name: "Tell me when it is back" });
    const bar = page.getByRole("group", { name: "Buy" });
    await bar.getByRole("link", { name: /Tell me when it.s back/ }).click();
    await form.getByLabel("Email").fill(email);
    await form.getByRole("button", { name: "Tell me", exact: true }).click();
    await page.getByRole("region", { name: "Check your mail" }).getByRole("button", { name: "Stop" }).click();
    await expect(form).toBeVisible();
    await page.goto(await mailed([email, "Yes, tell me"], LINK));
    await expect(page.getByText("This link has ended")).toBeVisible();

    await page.goto(`/products/${id}`);
    await form.getByLabel("Email").fill(again);
    await form.getByRole("button", { name: "Tell me", exact: true }).click();
    await page.getByRole("region", { name: "Check your mail" }).waitFor();
    await page.goto(await mailed([again, "Yes, tell me"], LINK));
    await page.getByRole("button", { name: "Get no more of these mails" }).click();
    await expect(page.getByText("Done, you get no more of them.")).toBeVisible();
    if (javaScriptEnabled) await expectAccessible(page);
    await page.getByRole("button", { name: "Allow them again" }).click();
    await expect(page.getByText("Done, this address can get these mails again")).toBeVisible();
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
