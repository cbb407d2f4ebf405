import type { Page } from "@playwright/test";

/** Lets a test cut a page's live connections, refuse new ones, and count them. */
export async function withCuttableLine(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const Real = window.WebSocket;
    const line = { sockets: [] as WebSocket[], urls: [] as string[], isCut: false };
    window.WebSocket = class extends Real {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(line.isCut ? String(url).replace("/socket.io/", "/nowhere/") : url, protocols);
        line.sockets.push(this);
        line.urls.push(String(url));
      }
    };
    Object.assign(window, { line });
  });
  await page.reload();
}

/** Cuts them. */
export const cut = (page: Page) =>
  page.evaluate(() => {
    const { line } = window as unknown as { line: { sockets: WebSocket[]; isCut: boolean } };
    line.isCut = true;
    for (const socket of line.sockets) socket.close();
  });

/** Lets new ones through again. */
export const mend = (page: Page) =>
  page.evaluate(() => {
    (window as unknown as { line: { isCut: boolean } }).line.isCut = false;
  });
/** Has a page hear an event, as if the shop had sent it: a real change would reach the other journeys too. */
export const told = (page: Page, event: object) =>
  page.evaluate((data) => {
    const { line } = window as unknown as { line: { sockets: WebSocket[] } };
    line.sockets.at(-1)?.dispatchEvent(new MessageEvent("message", { data }));
  }, JSON.stringify(event));

/** Where they were opened to. */
export const addresses = (page: Page) =>
  page.evaluate(() => (window as unknown as { line: { urls: string[] } }).line.urls.slice());
