import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { fetchShop, runningShop } from "./running-shop";
import { signedInAs } from "./signed-in";

/** The chat's panel on a page. */
export const panelOf = (page: Page) => page.getByRole("dialog", { name: "Support Chat" });
/** Message log of the panel. */
export const logOf = (page: Page) => page.getByRole("log", { name: "Messages" });
/** Message field of the panel. */
export const fieldOf = (page: Page) => page.getByPlaceholder("Type your message...");

/** Links and buttons that open the chat: on the page of a product it is a button, which takes the options along. */
export const asking = (page: Page, name = /^Ask (?:us|about this)$/) =>
  page.getByRole("link", { name }).or(page.getByRole("button", { name }));

/** Reads the chat ID stored in a page's browser, once there is one. */
export async function chatIdOf(page: Page): Promise<string> {
  let chatId: string | undefined;
  const read = async () => {
    chatId = await page.evaluate(() => JSON.parse(localStorage.getItem("emporia:chat") ?? "{}").chatId);
    return chatId;
  };
  await expect.poll(read, "the chat's id").toBeDefined();
  return chatId ?? "";
}

/** Calls the API of the running shop. */
export async function api(path: string, method: string, body?: unknown, token?: string): Promise<Response> {
  return fetchShop(`/api/${path}`, {
    method,
    headers: { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** The seller's bearer token, which is what their session cookie holds too. */
export const sellerToken = async (): Promise<string> => (await signedInAs("manager")).token;

/** Sends a seller's reply through the API. */
export async function sendReply(chatId: string, message: string): Promise<void> {
  const posted = { chatId, message, isFromAdmin: true, senderName: "Support Team", id: randomUUID() };
  expect((await api("chat/message", "POST", posted, await sellerToken())).status).toBe(201);
}

/** Reads the texts of a chat as the seller. */
export async function messagesIn(chatId: string): Promise<string[]> {
  const read = await api(`chat/${chatId}/messages`, "GET", undefined, await sellerToken());
  const { messages } = (await read.json()) as { messages: { message: string }[] };
  return messages.map(({ message }) => message);
}

/** Opens the panel and starts a chat as a visitor. */
export async function startChat(page: Page, message: string): Promise<string> {
  await asking(page).last().click();
  const panel = panelOf(page);
  await panel.getByPlaceholder("Your message...").fill(message);
  // Those who are signed in are not asked.
  const name = panel.getByRole("textbox", { name: "Your name (optional)" });
  if (await name.isVisible()) await name.fill("Tolu");
  await panel.getByPlaceholder("Your message...").focus();
  await page.keyboard.press("Enter");
  await logOf(page).getByText(message).waitFor();
  await connected(page);
  return chatIdOf(page);
}

/** Waits until a page's browser keeps this many files that are not sent. */
export const keepsFiles = (page: Page, count: number) =>
  expect.poll(() => page.evaluate(countKeptFiles)).toBe(count);

/** Runs in the page. */
const countKeptFiles = () =>
  new Promise<number>((done) => {
    const opening = indexedDB.open("emporia-files");
    opening.onsuccess = () => {
      const counting = opening.result.transaction("files").objectStore("files").count();
      counting.onsuccess = () => {
        opening.result.close();
        done(counting.result);
      };
    };
  });

/** Waits until the dot is green, in the panel or on the chat's page. */
export const connected = (page: Page) =>
  page.getByRole("img", { name: "Connected", exact: true }).first().waitFor();

/** Waits until the live chat has taken the place of the plain forms on its own page, not in the panel of the page before. */
export const connectedHere = (page: Page) =>
  page.locator(".chat-embedded").getByRole("img", { name: "Connected", exact: true }).waitFor();

/** Writes a message in the panel or on the chat's page, and sends it by Enter. */
export async function write(page: Page, message: string): Promise<void> {
  await fieldOf(page).fill(message);
  await fieldOf(page).press("Enter");
}

/** Waits for a mail to an address and returns the chat link in it. */
export const mailedChatLink = (address: string): Promise<string> =>
  mailed([address], /http:\/\/\S+\/chat\/\S+\?key=[\w.-]+/);

/** Waits for a mail with these words and returns what a pattern finds in it. */
export async function mailed(words: string[], pattern: RegExp): Promise<string> {
  const folder = join(runningShop().stateDir, "mail");
  let found: string | undefined;
  await expect
    .poll(
      () => {
        const mails = readdirSync(folder).filter((name) => name.endsWith(".eml"));
        const mail = mails
          .map((name) => readFileSync(join(folder, name), "utf8"))
          // Quoted-printable breaks long lines, and writes = as =3D.
          .map((text) => text.replace(/=\r?\n/g, "").replaceAll("=3D", "="))
          .find((text) => words.every((word) => text.includes(word)));
        found = mail?.match(pattern)?.[0];
        return found;
      },
      { timeout: 20_000, intervals: [250] },
    )
    .toBeDefined();
  return found ?? "";
}

/** Posts a raw mail to the running shop, as a mail server would deliver it. */
export async function deliverMail(to: string, raw: string): Promise<void> {
  const query = new URLSearchParams({ from: "ines@mail.example", to });
  const answer = await fetchShop(`/cdn-cgi/handler/email?${query}`, { method: "POST", body: raw });
  expect(answer.status, await answer.text()).toBe(200);
}

/** Dispatches a paste or a drop of files on an element, as browsers do. */
export const dispatchFiles = (page: Page, selector: string, type: "paste" | "drop", names: string[]) =>
  page.locator(selector).evaluate(
    (element, { type, names }) => {
      const data = new DataTransfer();
      for (const name of names) data.items.add(new File(["%PDF-1.4 "], name, { type: "application/pdf" }));
      const options = { bubbles: true, cancelable: true };
      element.dispatchEvent(
        type === "paste"
          ? new ClipboardEvent("paste", { ...options, clipboardData: data })
          : new DragEvent("drop", { ...options, dataTransfer: data }),
      );
    },
    { type, names },
  );
