import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";

const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
];

/**
 * One browser for a file of journeys; each page is watched: an error in its console or a response of 500 and more
 * fails the test that saw it.
 *
 * @returns `open(path, options)` gives a page of a new visitor, already at that path
 */
export function browserJourneys() {
  let browser: Browser;
  let problems: string[] = [];
  const contexts: { close(): Promise<void> }[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args: QUIET });
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    const seen = problems;
    problems = [];
    expect(seen, "what went wrong in the browser").toEqual([]);
  });

  const watch = (page: Page) => {
    page.on("pageerror", (error) => problems.push(`${page.url()}: ${error.message}`));
    page.on("console", (message) => {
      // Each answer of 400 and more is an error in the console; those of 500 and more are seen below.
      // So is what a page asks for while a test keeps it offline, or has cut its line.
      const answered = /responded with a status of|ERR_INTERNET_DISCONNECTED|WebSocket handshake/.test(
        message.text(),
      );
      if (message.type() === "error" && !answered) problems.push(`${page.url()}: ${message.text()}`);
    });
    page.on("response", (response) => {
      const meant = /\/(?:serverError|internal_server)$/.test(new URL(response.url()).pathname);
      if (response.status() >= 500 && !meant) problems.push(`${response.status()} ${response.url()}`);
    });
  };

  return {
    async open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser.newContext({ baseURL: inject("shopUrl"), ...options });
      contexts.push(context);
      const page = await context.newPage();
      watch(page);
      await page.goto(path);
      return page;
    },
  };
}

/** What axe finds on a page, as readable lines; WCAG 2.2 A and AA. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  return violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")} (${rule.help})`),
  );
}
