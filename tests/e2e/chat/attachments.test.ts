import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { ROOT } from "../../../scripts/local-shop.mjs";
import { accessibilityProblems, expect, NO_SCRIPT, type Open, overflow, test } from "../../support/browser";
import {
  connectedHere,
  dispatchFiles,
  fieldOf,
  keepsFiles,
  logOf,
  messagesIn,
  startChat,
} from "../../support/conversation";
import { signedInAs } from "../../support/signed-in";

const PHONE = { viewport: { width: 390, height: 844 } };
const PICTURE = {
  name: "mushroom-table-lamp-1.webp",
  mimeType: "image/webp",
  buffer: readFileSync(join(ROOT, "data/pictures/mushroom-table-lamp-1.webp")),
};
const PDF = {
  name: "flowers.pdf",
  mimeType: "application/pdf",
  buffer: Buffer.from("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"),
};
/** A white BMP of 1 × 1 pixel, which the server does not decode. */
const BMP = {
  name: "scan.bmp",
  mimeType: "image/bmp",
  buffer: Buffer.from(
    "Qk06AAAAAAAAADYAAAAoAAAAAQAAAAEAAAABABgAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAA////AA==",
    "base64",
  ),
};
const HEIC = { name: "phone.heic", mimeType: "", buffer: Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic") };
const SVG = { name: "drawing.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") };

const openConsole = async (open: Open, chatId: string, options = {}) =>
  open(`/admin/chat?chat=${chatId}`, { ...(await signedInAs("manager")).browser, ...options });
const streamOf = (page: Page) => page.locator(".message-stream");
const filesOf = (page: Page) => page.getByLabel("Attach pictures or PDF").last();
const attached = (page: Page) => page.getByRole("list", { name: "Attached files" });
const send = (page: Page) => page.getByRole("button", { name: "Send", exact: true }).last().click();

/** Waits until a picture has loaded at its full thumbnail size. */
const displayed = (page: Page, name: string) =>
  expect
    .poll(() =>
      page.getByRole("img", { name }).evaluate((img) => (img as HTMLImageElement).naturalWidth > 100),
    )
    .toBe(true);

test("a visitor on the phone sends a picture, and the seller sees it live and answers with a PDF", async ({
  open,
}) => {
  const visitor = await open("/products/mushroom-table-lamp", PHONE);
  const chatId = await startChat(visitor, "Do you have one like this?");
  const seller = await openConsole(open, chatId);
  await seller.getByRole("status").getByText("Connected").waitFor();
  await filesOf(visitor).setInputFiles([PICTURE]);
  await attached(visitor).getByText(PICTURE.name).waitFor();
  expect(await accessibilityProblems(visitor)).toEqual([]);
  await visitor.getByPlaceholder("Type your message...").fill("This one");
  await visitor.getByPlaceholder("Type your message...").press("Enter");
  for (const page of [visitor, seller]) await displayed(page, PICTURE.name);
  await expect(attached(visitor)).toHaveCount(0);
  // The product of the page is named with the first message that is sent after it has loaded.
  const firstLines = async () => (await messagesIn(chatId)).map((message) => message.split("\n")[0]);
  const last = ["This one", "Attached: mushroom-table-lamp-1.webp"];
  await expect.poll(async () => (await firstLines()).slice(-2)).toEqual(last);
  await filesOf(seller).setInputFiles([PDF]);
  await attached(seller).getByText(PDF.name).waitFor();
  await send(seller);
  const [download] = await Promise.all([
    visitor.waitForEvent("download"),
    logOf(visitor).getByRole("link", { name: "flowers.pdf PDF, 1 kB" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("flowers.pdf");
  await streamOf(seller).getByRole("link", { name: "flowers.pdf PDF, 1 kB" }).waitFor();
  for (const page of [visitor, seller]) {
    expect(await accessibilityProblems(page)).toEqual([]);
    await expect.poll(() => overflow(page)).toBe(0);
  }
  await visitor.reload();
  // On a phone the panel covers the page, so it is minimised on the next one.
  await visitor.getByRole("button", { name: /^Ask about this/ }).click();
  await displayed(visitor, PICTURE.name);
});

test("files are pasted, dropped, removed by keyboard, refused, and sent again after a failure", async ({
  open,
}) => {
  const visitor = await open("/terms", PHONE);
  const chatId = await startChat(visitor, "Two drawings");
  await dispatchFiles(visitor, ".chat textarea", "paste", ["one.pdf"]);
  await dispatchFiles(visitor, ".chat-log", "drop", ["two.pdf", "three.pdf"]);
  await expect(attached(visitor).getByRole("listitem")).toHaveText([/one\.pdf/, /two\.pdf/, /three\.pdf/]);
  await visitor.getByRole("button", { name: "Remove two.pdf" }).focus();
  await visitor.keyboard.press("Enter");
  await expect(visitor.getByRole("button", { name: "Remove three.pdf" })).toBeFocused();
  await filesOf(visitor).setInputFiles([SVG, HEIC]);
  await visitor
    .getByText("drawing.svg can't be sent. Pictures and PDF only. phone.heic: this browser can’t open HEIC.")
    .waitFor();
  await filesOf(visitor).setInputFiles([BMP]);
  await attached(visitor).getByText("scan.jpg").waitFor();
  let isBroken = true;
  await visitor.route("**/api/chat/message", (route) =>
    isBroken && route.request().postData()?.includes("one.pdf")
      ? route.abort("internetdisconnected")
      : route.continue(),
  );
  await send(visitor);
  await logOf(visitor)
    .getByRole("link", { name: /three\.pdf/ })
    .waitFor();
  await logOf(visitor).getByRole("img", { name: "scan.jpg" }).waitFor();
  await logOf(visitor).getByText("Not sent").waitFor();
  expect(await accessibilityProblems(visitor)).toEqual([]);
  isBroken = false;
  await logOf(visitor).getByRole("button", { name: "Retry one.pdf" }).click();
  await logOf(visitor)
    .getByRole("link", { name: /one\.pdf/ })
    .waitFor();
  await expect
    .poll(async () => (await messagesIn(chatId)).slice(-3))
    .toEqual(["Attached: three.pdf", "Attached: scan.jpg", "Attached: one.pdf"]);
});

test("an upload shows its progress and can be cancelled", async ({ open }) => {
  const visitor = await open("/terms", PHONE);
  const chatId = await startChat(visitor, "A drawing");
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await visitor.route("**/api/chat/message", async (route) => {
    await held;
    await route.abort("internetdisconnected");
  });
  await filesOf(visitor).setInputFiles([PICTURE, PDF]);
  await expect(attached(visitor).getByRole("listitem")).toHaveCount(2);
  await send(visitor);
  await logOf(visitor).getByRole("progressbar", { name: "Sending mushroom-table-lamp-1.webp" }).waitFor();
  await logOf(visitor).getByText("Waiting", { exact: true }).waitFor();
  for (const name of ["mushroom-table-lamp-1.webp", "flowers.pdf"])
    await logOf(visitor)
      .getByRole("button", { name: `Cancel ${name}` })
      .click();
  await expect(logOf(visitor).getByRole("button", { name: /^Cancel / })).toHaveCount(0);
  release();
  expect((await messagesIn(chatId)).at(-1)).toBe("A drawing");
});

test("without JavaScript, visitor and seller send files by their forms", async ({ open }) => {
  const begun = await open("/chat", { ...PHONE, ...NO_SCRIPT });
  await begun.getByLabel("Your message...").fill("A picture comes");
  await begun.getByRole("button", { name: "Start chat" }).click();
  await logOf(begun).getByText("A picture comes").waitFor();
  const chatId = new URL(begun.url()).pathname.split("/").at(-1) ?? "";
  await filesOf(begun).setInputFiles([PICTURE]);
  await begun.getByRole("button", { name: "Send" }).click();
  await displayed(begun, PICTURE.name);
  const seller = await openConsole(open, chatId, NO_SCRIPT);
  await displayed(seller, PICTURE.name);
  await filesOf(seller).setInputFiles([PDF]);
  await send(seller);
  await streamOf(seller)
    .getByRole("link", { name: /flowers\.pdf/ })
    .waitFor();
  await begun.getByRole("link", { name: "Refresh" }).click();
  await logOf(begun)
    .getByRole("link", { name: /flowers\.pdf/ })
    .waitFor();
  for (const page of [begun, seller]) await expect.poll(() => overflow(page)).toBe(0);
  await filesOf(begun).setInputFiles([SVG]);
  await begun.getByRole("button", { name: "Send" }).click();
  await begun.getByText("drawing.svg is no JPEG, PNG, WebP, GIF or PDF").first().waitFor();
});

test("files that wait survive a reload on both sides: attached ones stay, unsent ones go on", async ({
  open,
}) => {
  const visitor = await open("/terms", PHONE);
  const chatId = await startChat(visitor, "A picture comes");
  const dialogs: string[] = [];
  visitor.on("dialog", (dialog) => dialogs.push(dialog.type()));
  let isBroken = true;
  await visitor.route("**/api/chat/message", (route) =>
    isBroken ? route.abort("internetdisconnected") : route.continue(),
  );
  await filesOf(visitor).setInputFiles([PICTURE]);
  await attached(visitor).getByText(PICTURE.name).waitFor();
  await send(visitor);
  await logOf(visitor).getByText("Not sent").waitFor();
  await filesOf(visitor).setInputFiles([PDF]);
  await attached(visitor).getByText(PDF.name).waitFor();
  await keepsFiles(visitor, 2);
  isBroken = false;
  const reopened = async () => {
    await visitor.reload();
    await visitor.getByRole("button", { name: "Support Chat" }).click();
  };
  await reopened();
  await displayed(visitor, PICTURE.name);
  await attached(visitor).getByText(PDF.name).waitFor();
  await visitor.getByRole("button", { name: `Remove ${PDF.name}` }).click();
  // A refused one says why, also after a reload.
  await filesOf(visitor).setInputFiles([{ ...PICTURE, name: "fake.webp", buffer: Buffer.from("fake") }]);
  await attached(visitor).getByText("fake.webp").waitFor();
  await send(visitor);
  const refused = logOf(visitor).locator(".unsent-file");
  await expect(refused).toContainText("Not sent: ");
  await reopened();
  await expect(refused).toContainText("Not sent: ");
  await expect(refused.getByRole("img")).toHaveCount(0);
  await refused.getByRole("button", { name: "Cancel fake.webp" }).click();
  const seller = await openConsole(open, chatId);
  await filesOf(seller).setInputFiles([PDF]);
  await attached(seller).getByText(PDF.name).waitFor();
  await keepsFiles(seller, 1);
  await seller.reload();
  await attached(seller).getByText(PDF.name).waitFor();
  await send(seller);
  await streamOf(seller)
    .getByRole("link", { name: /flowers\.pdf/ })
    .waitFor();
  for (const page of [seller, visitor]) await page.reload();
  await streamOf(seller)
    .getByRole("link", { name: /flowers\.pdf/ })
    .waitFor();
  await expect(attached(seller)).toHaveCount(0);
  await visitor.getByRole("button", { name: "Support Chat" }).click();
  await logOf(visitor)
    .getByRole("link", { name: /flowers\.pdf/ })
    .waitFor();
  await expect(attached(visitor)).toHaveCount(0);
  expect(dialogs).toEqual([]);
  await expect.poll(() => messagesIn(chatId)).toHaveLength(3);
  // On the chat's page, files leave the field in sight.
  await visitor.goto(`/chat/${chatId}`);
  await connectedHere(visitor);
  await filesOf(visitor).setInputFiles([PDF, PICTURE, PDF]);
  await expect(attached(visitor).getByRole("listitem")).toHaveCount(3);
  await visitor.evaluate(() => window.scrollTo(0, 0));
  await expect(fieldOf(visitor)).toBeInViewport({ ratio: 1 });
});
