import type { Page } from "@playwright/test";
import { expect, expectAccessible, overflow, SCRIPTING, test } from "../../support/browser";
import { api, connectedHere } from "../../support/conversation";
import { runningShop } from "../../support/running-shop";
import { staffCall } from "../../support/staff";

/** Starts a chat for a page's browser. */
async function beginChat(page: Page): Promise<string> {
  const answer = await api("chat/create", "POST", {
    userName: "Ines",
    initialMessage: "Hi",
    isAnonymous: true,
  });
  const { chatId } = (await answer.json()) as { chatId: string };
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0] ?? "");
  const url = runningShop().url;
  await page.context().addCookies(
    cookies.map((cookie) => {
      const at = cookie.indexOf("=");
      return { name: cookie.slice(0, at), value: cookie.slice(at + 1), url };
    }),
  );
  return chatId;
}

for (const [name, javaScriptEnabled] of SCRIPTING)
  test(`a visitor answers a quote, asks about a receipt and lets a hold go, from My purchases (${name})`, async ({
    open,
  }) => {
    const page = await open("/how", { javaScriptEnabled, viewport: { width: 390, height: 844 } });
    const chatId = await beginChat(page);
    const lines = [{ description: "Slate coasters", quantity: 4, amount: 92 }];
    // The row of the chat follows the room's answer.
    const quoted = () =>
      staffCall("manager", "quote", { chatId, title: "Slate coasters, four flowers", lines });
    await expect.poll(async () => "id" in (await quoted())).toBe(true);
    const [product] = (await (await api("product/all?stock=in&limit=1", "GET")).json()) as { id: string }[];
    await staffCall("manager", "hold", { chatId, lines: [{ productId: product?.id, quantity: 1 }] });
    const sale = {
      paymentMode: "CASH",
      chatId,
      lines: [
        { description: "Oat balm", category: "HOME_DECOR", businessType: "EMPORIA", quantity: 1, amount: 18 },
      ],
    };
    const { documents } = await staffCall("manager", "sale", sale);
    const [{ number }] = documents as [{ number: string }];

    await page.goto("/purchases");
    expect(await overflow(page)).toBe(0);
    if (javaScriptEnabled) await expectAccessible(page);
    await page.getByRole("button", { name: "Accept: Slate coasters, four flowers" }).click();
    await expect(page).toHaveURL(new RegExp(`/chat/${chatId}`));
    await page.goto("/chat");
    await page.getByRole("link", { name: "My purchases" }).first().click();
    await expect(page.getByRole("heading", { name: "My purchases" })).toBeVisible();
    await expect(page.getByText("Accepted", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: /^Let it go/ }).click();
    await expect(page).toHaveURL(new RegExp(`/chat/${chatId}`));
    await page.goto("/purchases");
    await expect(page.getByRole("button", { name: /^Let it go/ })).toHaveCount(0);
    await page.getByRole("link", { name: `Ask about it ${number}` }).click();
    if (javaScriptEnabled) await connectedHere(page);
    await expect(page.getByPlaceholder(/Type your message|Your message/).first()).toHaveValue(
      `About receipt ${number}: `,
    );
  });

test("a long name of the shop stays within the header of a phone", async ({ open }) => {
  const before = (await staffCall("admin", "settings")) as { name: string };
  await staffCall(
    "admin",
    "settings",
    { name: "Harrington, Wolfeschlegelsteinhausen & Daughters of Toronto" },
    "PATCH",
  );
  try {
    for (const width of [320, 390, 820, 1440]) {
      const page = await open("/how?long", { viewport: { width, height: 844 } });
      await expect(page.locator(".shop-header .logo")).toContainText("Wolfeschlegel");
      expect(await overflow(page), `${width} px`).toBe(0);
      const [header, logo] = [page.locator(".shop-header"), page.locator(".shop-header .logo")];
      const [outer, inner] = [await header.boundingBox(), await logo.boundingBox()];
      expect(inner?.height ?? 0, `${width} px`).toBeLessThanOrEqual((outer?.height ?? 0) + 1);
      await expect(page.getByRole("link", { name: /^Cart/ })).toBeInViewport();
    }
  } finally {
    await staffCall("admin", "settings", { name: before.name }, "PATCH");
  }
});
