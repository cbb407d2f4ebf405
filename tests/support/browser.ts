import { AxeBuilder } from "@axe-core/playwright";
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from "@playwright/test";
import { type RunningShop, startShop } from "./running-shop";

export { expect };

/** Opens a page of a new visitor, in a browser context of their own. */
export type Open = (path: string, options?: BrowserContextOptions) => Promise<Page>;

/** Both ways in which every page works, for tests that hold for each. */
export const SCRIPTING = [
  ["with JavaScript", true],
  ["without JavaScript", false],
] as const;
/** Options of a visitor without JavaScript. */
export const NO_SCRIPT = { javaScriptEnabled: false };
/** Phone in the light theme and desktop in the dark one. */
const SCREENS = [
  { viewport: { width: 390, height: 844 }, colorScheme: "light" },
  { viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
] as const satisfies BrowserContextOptions[];

/**
 * Playwright's test with a shop for each worker and `open` for each visitor. A console error, an exception or a status
 * of 500 and more on any page fails the test.
 */
export const test = base.extend<{ open: Open }, { shop: RunningShop }>({
  shop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that one needs from this pattern.
    async ({}, use) => {
      const shop = await startShop();
      await use(shop);
      await shop.stop();
    },
    { scope: "worker", auto: true, timeout: 120_000 },
  ],
  baseURL: ({ shop }, use) => use(shop.url),
  open: async ({ browser, shop }, use) => {
    const contexts: BrowserContext[] = [];
    const problems: string[] = [];
    await use(async (path, options = {}) => {
      const context = await browser.newContext({ baseURL: shop.url, ...options });
      contexts.push(context);
      context.on("page", (page) => watch(page, problems));
      const page = await context.newPage();
      if (options.javaScriptEnabled !== false) waitForHydration(page);
      await page.goto(path);
      return page;
    });
    await Promise.all(contexts.map((context) => context.close()));
    expect(problems, "errors in the browser").toEqual([]);
  },
});

/** Makes `goto` and `reload` wait until React has hydrated the page: an earlier click acts as without JavaScript. */
function waitForHydration(page: Page): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  // Asked from outside, since tests stop the page's clock.
  const hydrated = () => expect.poll(() => page.evaluate(isHydrated), { intervals: [30] }).toBe(true);
  page.goto = async (...args) => {
    const response = await goto(...args);
    await hydrated();
    return response;
  };
  page.reload = async (...args) => {
    const response = await reload(...args);
    await hydrated();
    return response;
  };
}

/** Runs in the page: reads the state of React's root, which hydration renders in steps; plain answers have no scripts. */
export function isHydrated(): boolean {
  if (!document.querySelector("script[type=module]")) return true;
  const container = Object.entries(document).find(([key]) => key.startsWith("__reactContainer"))?.[1];
  return container?.stateNode.current.memoizedState.isDehydrated === false;
}

/** Statuses are reported by the response listener; offline and refused connections are part of tests that cut them. */
const EXPECTED_ERRORS = /responded with a status of|ERR_INTERNET_DISCONNECTED|WebSocket handshake/;
/** Hosts of the images in imported spreadsheets, which do not exist (RFC 2606). */
const EXAMPLE_HOST = /^https:\/\/(?:[\w.-]+\.)?example(?:\.com)?\//;
const ERROR_PAGES = /\/(?:serverError|internal_server)$/;

function watch(page: Page, problems: string[]): void {
  page.on("pageerror", (error) => problems.push(`${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() !== "error" || EXPECTED_ERRORS.test(message.text())) return;
    if (EXAMPLE_HOST.test(message.location().url)) return;
    problems.push(`${page.url()}: ${message.text()}`);
  });
  page.on("response", (response) => {
    if (response.status() < 500 || ERROR_PAGES.test(new URL(response.url()).pathname)) return;
    problems.push(`${response.status()} ${response.url()}`);
  });
}

const WCAG_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * Runs axe for WCAG 2.2 A and AA, once no transition is under way: a toast that fades has no contrast.
 *
 * @returns one line for each violation
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState, effect, timeline }) => {
      const isEndless = effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
      // One that follows the scroll position runs forever.
      return isEndless || timeline !== document.timeline || playState !== "running";
    }),
  );
  const { violations } = await new AxeBuilder({ page })
    // Without it, axe sums up the results of frames, which no page has, in a page of its own: twice the time.
    .setLegacyMode()
    // Selectors of the elements that pass take a third of the time.
    .options({ runOnly: { type: "tag", values: WCAG_AA }, resultTypes: ["violations"] })
    .analyze();
  return violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")} (${rule.help})`),
  );
}

/** Checks a page on a phone in the light theme, and on a desktop in the dark one, with one load for both. */
export async function onEachScreen(page: Page, check: (screen: string) => Promise<void>): Promise<void> {
  for (const { viewport, colorScheme } of SCREENS) {
    await page.setViewportSize(viewport);
    // Animations are off, since colours in transition fail axe.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await check(`${viewport.width} px, ${colorScheme}`);
  }
}

/**
 * Expects that a page has no axe violations and fits each screen.
 *
 * @param state of the page, for the message
 */
export const expectAccessible = (page: Page, state = page.url()): Promise<void> =>
  onEachScreen(page, async (screen) => {
    expect.soft(await accessibilityProblems(page), `${state}, ${screen}`).toEqual([]);
    expect.soft(await overflow(page), `${state}, ${screen}: too wide`).toBeLessThanOrEqual(0);
  });

/** Measures by how many pixels a page is wider than the screen. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
