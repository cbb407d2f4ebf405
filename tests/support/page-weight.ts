import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, Response } from "playwright";

/** Bytes that a browser loads for the first view of a page; gzip, each file by itself. */
export interface PageWeight {
  html: number;
  css: number;
  /** Scripts of the page and of its cart drawer. */
  js: number;
  /** Scripts of the chat's panel, loaded when it is first opened. */
  chatJs: number;
  /** Path and bytes of each script in `js`, heaviest first. */
  scripts: [path: string, bytes: number][];
}

/**
 * Measures what a browser loads: opens the page, then the cart drawer, then the chat's panel.
 *
 * @param address of the page on a running shop
 * @param prepare makes `goto` wait until clicks act, where the machine is slow
 */
export async function pageWeight(
  browser: Browser,
  address: string,
  prepare?: (context: BrowserContext) => Promise<void>,
): Promise<PageWeight> {
  const context = await browser.newContext();
  await prepare?.(context);
  const page = await context.newPage();
  const responses: Response[] = [];
  page.on("response", (response) => responses.push(response));
  try {
    await page.goto(address, { waitUntil: "networkidle" });
    // Without pointer and focus, which would prefetch other pages.
    await page.getByRole("link", { name: /^Cart,/ }).dispatchEvent("click");
    await page.getByText("Your cart is empty").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Close cart" }).waitFor({ state: "hidden" });
    const first = await weigh(responses.splice(0));
    await page.locator(".chat-launcher").dispatchEvent("click");
    await page.getByRole("button", { name: "Close chat" }).waitFor();
    const chat = await weigh(responses.splice(0));
    const scripts = first.script.sort(([, a], [, b]) => b - a);
    return {
      html: sum(first.document),
      css: sum(first.stylesheet),
      js: sum(scripts),
      chatJs: sum(chat.script),
      scripts,
    };
  } finally {
    await context.close();
  }
}

type Files = [path: string, bytes: number][];

/** Sums up the files that count, by what the browser loaded them as. */
async function weigh(responses: Response[]): Promise<Record<"document" | "stylesheet" | "script", Files>> {
  const files: Record<"document" | "stylesheet" | "script", Files> = {
    document: [],
    stylesheet: [],
    script: [],
  };
  for (const response of responses) {
    const type = response.request().resourceType();
    if (type !== "document" && type !== "stylesheet" && type !== "script") continue;
    const bytes = gzipSync(await response.body(), { level: 9 }).length;
    files[type].push([new URL(response.url()).pathname, bytes]);
  }
  return files;
}

function sum(files: Files): number {
  return files.reduce((total, [, bytes]) => total + bytes, 0);
}
