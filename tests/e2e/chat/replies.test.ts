import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { ROOT } from "../../../scripts/local-shop.mjs";
import {
  accessibilityProblems,
  expect,
  expectAccessible,
  NO_SCRIPT,
  takesBack,
  test,
} from "../../support/browser";
import { connected, fieldOf, logOf, panelOf, sendReply, startChat } from "../../support/conversation";
import { signedInAs } from "../../support/signed-in";

const PICTURES = ["mushroom-table-lamp-1.webp", "mushroom-table-lamp-2.webp"].map((name) => ({
  name,
  mimeType: "image/webp",
  buffer: readFileSync(join(ROOT, "data/pictures", name)),
}));

const focused = (page: Page, selector: string) =>
  expect.poll(() => page.evaluate((text) => document.activeElement?.matches(text), selector)).toBe(true);

test("visitor and seller quote a message; a press on the quote leads to it", async ({ open }) => {
  const visitor = await open("/products/mushroom-table-lamp");
  const chatId = await startChat(visitor, "Does it dim?");
  await sendReply(chatId, "Which one do you mean?");
  // The first of two: the answer quotes it.
  const question = logOf(visitor).locator(".chat-msg", { hasText: "Which one do you mean?" }).first();
  await question.getByRole("link", { name: "Reply" }).click();
  const bar = panelOf(visitor).locator(".reply-bar");
  await expect(bar).toContainText("Which one do you mean?");
  await expect(fieldOf(visitor)).toBeFocused();
  await bar.getByRole("link", { name: "Don't reply" }).click();
  await expect(bar).toBeHidden();
  await question.getByRole("link", { name: "Reply" }).click();
  await fieldOf(visitor).fill("The mushroom");
  await fieldOf(visitor).press("Enter");
  await expect(bar).toBeHidden();
  const answer = logOf(visitor).locator(".chat-msg", { hasText: "The mushroom" }).last();
  await expect(answer.locator(".quote")).toContainText("Which one do you mean?");
  await expectAccessible(visitor);
  await answer.locator(".quote").click();
  await expect(question).toBeFocused();
  const { browser } = await signedInAs("manager");
  const seller = await open(`/admin/chat?chat=${chatId}`, browser);
  await connected(visitor);
  const first = seller.locator(".message", { hasText: "Does it dim?" }).first();
  await first.getByRole("link", { name: "Reply" }).click();
  await seller.getByPlaceholder("Type your response...").fill("It does.");
  await seller.getByPlaceholder("Type your response...").press("Enter");
  const dims = logOf(visitor).locator(".chat-msg", { hasText: "It does." });
  await expect(dims.locator(".quote")).toContainText("Does it dim?");
});

test("without JavaScript a message is quoted by a link", async ({ open }) => {
  const starting = await open("/chat?new", NO_SCRIPT);
  await starting.getByLabel("Your message...").fill("Does it dim?");
  await starting.getByRole("button", { name: /^Start/ }).click();
  const asked = starting.locator(".chat-msg.me", { hasText: "Does it dim?" });
  await asked.getByRole("link", { name: "Reply" }).click();
  await expect(starting.locator(".reply-bar")).toContainText("Does it dim?");
  await starting.getByLabel("Type your message").fill("I mean the lamp.");
  await starting.getByRole("button", { name: "Send", exact: true }).click();
  const answer = starting.locator(".chat-msg.me", { hasText: "I mean the lamp." });
  await expect(answer.locator(".quote")).toContainText("Does it dim?");
  await expect(starting.locator(".reply-bar")).toBeHidden();
});

test("a picture opens large for visitor and seller, and closes by Escape, a press and Back", async ({
  open,
}) => {
  const visitor = await open("/products/mushroom-table-lamp");
  const chatId = await startChat(visitor, "Like these?");
  await visitor.getByLabel("Attach pictures or PDF").last().setInputFiles(PICTURES);
  await expect(visitor.getByRole("list", { name: "Attached files" }).getByRole("listitem")).toHaveCount(2);
  await fieldOf(visitor).press("Enter");
  const { browser } = await signedInAs("manager");
  const seller = await open(`/admin/chat?chat=${chatId}`, browser);
  for (const page of [visitor, seller]) {
    const links = page.getByRole("log").locator("a.file-picture");
    await expect(links).toHaveCount(2);
    await links.first().click();
    const viewer = page.locator("dialog.picture-viewer");
    await expect(viewer.getByRole("status")).toContainText(`1 / 2 ${PICTURES[0]?.name}`);
    // On this screen alone: the panel of another one has its own entry in the history, which closes what lies over it.
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press("ArrowRight");
    await expect(viewer.getByRole("status")).toContainText("2 / 2");
    await viewer.getByRole("button", { name: "Previous picture" }).click();
    await page.keyboard.press("Escape");
    await expect(viewer).toHaveCount(0);
    await focused(page, "a.file-picture");
    await takesBack(page, false);
    await links.last().click();
    await viewer.getByRole("button", { name: "Close" }).click();
    await expect(viewer).toHaveCount(0);
    await takesBack(page, false);
    await links.last().click();
    await expect(viewer).toBeVisible();
    await takesBack(page);
    const before = page.url();
    await page.goBack();
    await expect(viewer).toHaveCount(0);
    expect(page.url()).toBe(before);
  }
  await expect(panelOf(visitor)).toBeVisible();
});
