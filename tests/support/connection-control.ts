import { expect, type Page } from "@playwright/test";

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

/** Stops a page's installed clock, closes its WebSockets and refuses new ones. */
export async function disconnect(page: Page): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
  await page.evaluate(() => {
    const { control } = window as unknown as { control: { sockets: WebSocket[]; isRefused: boolean } };
    control.isRefused = true;
    for (const socket of control.sockets) socket.close();
  });
}

/** Lets new connections through again. */
export const allowReconnect = (page: Page) =>
  page.evaluate(() => {
    (window as unknown as { control: { isRefused: boolean } }).control.isRefused = false;
  });

/** Delivers an event to a page as if the shop had sent it, so that other journeys do not receive it. */
export const dispatchEvent = (page: Page, event: object) =>
  page.evaluate((data) => {
    const { control } = window as unknown as { control: { sockets: WebSocket[] } };
    for (const socket of control.sockets)
      if (socket.readyState === WebSocket.OPEN) socket.dispatchEvent(new MessageEvent("message", { data }));
  }, JSON.stringify(event));

/** URLs of all connections the page has opened. */
export const connectionUrls = (page: Page) =>
  page.evaluate(() => (window as unknown as { control: { urls: string[] } }).control.urls.slice());

/** Number of connections the page has begun, and whether the latest has ended. */
const attempts = (page: Page) =>
  page.evaluate(() => {
    const { sockets } = (window as unknown as { control: { sockets: WebSocket[] } }).control;
    return { made: sockets.length, hasEnded: sockets.at(-1)?.readyState === WebSocket.CLOSED };
  });

/**
 * Moves the clock of a disconnected page through its attempts to reconnect, expecting each when it is due and none
 * afterwards. Then the clock runs again.
 */
export async function failReconnects(page: Page, { count, delayMs }: { count: number; delayMs: number }) {
  const { made } = await attempts(page);
  for (let each = 0; each < count; each++) {
    await expect.poll(() => attempts(page)).toEqual({ made: made + each, hasEnded: true });
    await page.clock.runFor(delayMs - 1);
    expect((await attempts(page)).made).toBe(made + each);
    await page.clock.runFor(1);
  }
  await expect.poll(() => attempts(page)).toEqual({ made: made + count, hasEnded: true });
  await page.clock.runFor(delayMs * 2);
  expect((await attempts(page)).made).toBe(made + count);
  await page.clock.resume();
}
