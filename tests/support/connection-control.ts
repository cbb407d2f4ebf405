import type { Page } from "@playwright/test";

/** Makes a page's WebSockets controllable: they can be closed, refused and listed. */
export async function withConnectionControl(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const Real = window.WebSocket;
    const control = { sockets: [] as WebSocket[], urls: [] as string[], isRefused: false };
    window.WebSocket = class extends Real {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(control.isRefused ? String(url).replace("/socket.io/", "/nowhere/") : url, protocols);
        control.sockets.push(this);
        control.urls.push(String(url));
      }
    };
    Object.assign(window, { control });
  });
  await page.reload();
}

/** Closes the page's WebSockets and refuses new ones. */
export const disconnect = (page: Page) =>
  page.evaluate(() => {
    const { control } = window as unknown as { control: { sockets: WebSocket[]; isRefused: boolean } };
    control.isRefused = true;
    for (const socket of control.sockets) socket.close();
  });

/** Lets new connections through again. */
export const allowReconnect = (page: Page) =>
  page.evaluate(() => {
    (window as unknown as { control: { isRefused: boolean } }).control.isRefused = false;
  });

/** Delivers an event to a page as if the shop had sent it, so that other journeys do not receive it. */
export const dispatchEvent = (page: Page, event: object) =>
  page.evaluate((data) => {
    const { control } = window as unknown as { control: { sockets: WebSocket[] } };
    control.sockets.at(-1)?.dispatchEvent(new MessageEvent("message", { data }));
  }, JSON.stringify(event));

/** URLs of all connections the page has opened. */
export const connectionUrls = (page: Page) =>
  page.evaluate(() => (window as unknown as { control: { urls: string[] } }).control.urls.slice());
