import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Locator,
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
 * of 500 and more on any page fails the test, unless `openWithErrors` opened it.
 */
export const test = base.extend<{ open: Open; openWithErrors: Open }, { shop: RunningShop }>({
  shop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that one needs from this pattern.
    async ({}, use) => {
      // Few connections, so that a journey reaches the limit.
      const shop = await startShop({ LIVE_CONNECTIONS_OF_AN_ADDRESS: "20" });
      await use(shop);
      await shop.stop();
    },
    { scope: "worker", auto: true, timeout: 120_000 },
  ],
  baseURL: ({ shop }, use) => use(shop.url),
  open: async ({ browser, shop }, use) => {
    const problems: string[] = [];
    await openPages(browser, shop, use, (page) => watch(page, problems));
    expect(problems, "errors in the browser").toEqual([]);
  },
  // For scripts that do not load, which the browser and Remix report as errors.
  openWithErrors: ({ browser, shop }, use) => openPages(browser, shop, use, () => undefined),
});

let visitors = 0;

/** Makes up the address of a visitor of this worker, because rate limits count by address. */
const newAddress = () => ({ "CF-Connecting-IP": `2001:db8:2::${(++visitors).toString(16)}` });

async function openPages(
  browser: Browser,
  shop: RunningShop,
  use: (open: Open) => Promise<void>,
  onPage: (page: Page) => void,
): Promise<void> {
  const contexts: BrowserContext[] = [];
  await use(async (path, options = {}) => {
    const extraHTTPHeaders = newAddress();
    const context = await browser.newContext({ baseURL: shop.url, extraHTTPHeaders, ...options });
    contexts.push(context);
    context.on("page", onPage);
    if (options.javaScriptEnabled !== false) await waitForHydration(context);
    const page = await context.newPage();
    await page.goto(path);
    return page;
  });
  await Promise.all(contexts.map((context) => context.close()));
}

/** Makes `goto` and `reload` of a context's pages wait for hydration: an earlier click acts as without JavaScript. */
export async function waitForHydration(context: BrowserContext): Promise<void> {
  await context.addInitScript(recordEffects);
  context.on("page", (page) => {
    const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
    page.goto = async (...args) => {
      const response = await goto(...args);
      await hydrated(page);
      return response;
    };
    page.reload = async (...args) => {
      const response = await reload(...args);
      await hydrated(page);
      return response;
    };
  });
}

/** Waits for a page's hydration; asked from outside, since tests stop the page's clock. */
export const hydrated = (page: Page) =>
  expect.poll(() => page.evaluate(isHydrated), { intervals: [30] }).toBe(true);

/**
 * Waits until Back closes a part that lies over the page, or no longer does: its entry comes into the history a moment after
 * the part has opened, and goes a moment after it has closed.
 */
export const takesBack = (page: Page, does = true) =>
  expect.poll(() => page.evaluate(() => Boolean(history.state?.overlay))).toBe(does);

/** Fields of a component in React's tree that tests read. */
interface Fiber {
  tag: number;
  flags: number;
  subtreeFlags: number;
  child: Fiber | null;
  sibling: Fiber | null;
  memoizedState: { isDehydrated?: boolean; dehydrated?: unknown } | null;
}

/**
 * Runs in the page before its scripts: notes whether effects of a commit are still to run, since React runs them later, and
 * only they bind keys and clicks outside React. It is the hook of React's developer tools.
 */
function recordEffects(): void {
  const HAS_EFFECTS = 2048;
  const record = { isPending: false };
  const hook = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberUnmount: () => undefined,
    onCommitFiberRoot: (_: number, { current }: { current: Fiber }) => {
      record.isPending = ((current.flags | current.subtreeFlags) & HAS_EFFECTS) !== 0;
    },
    onPostCommitFiberRoot: () => {
      record.isPending = false;
    },
  };
  Object.assign(window, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook, reactEffects: record });
}

/**
 * Runs in the page: reads from React whether the page and every lazy part of it are hydrated, and whether their effects have
 * run; plain answers have no scripts.
 */
export function isHydrated(): boolean {
  if (document.readyState === "loading") return false;
  if (!document.querySelector("script[type=module]")) return true;
  const SUSPENSE = 13;
  const container = Object.entries(document).find(([key]) => key.startsWith("__reactContainer"))?.[1];
  const root: Fiber | undefined = container?.stateNode.current;
  if (root?.memoizedState?.isDehydrated !== false) return false;
  const fibers = [root];
  for (const { tag, memoizedState, child, sibling } of fibers) {
    if (tag === SUSPENSE && memoizedState?.dehydrated) return false;
    if (child) fibers.push(child);
    if (sibling) fibers.push(sibling);
  }
  const { reactEffects } = window as { reactEffects?: { isPending: boolean } };
  return reactEffects?.isPending !== true;
}

/** Presses a button without a pause between, on a busy machine too: the page's clock stands still meanwhile. */
export async function pressTogether(page: Page, button: Locator, times: number): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
  for (let press = 0; press < times; press++) await button.click();
  await page.clock.resume();
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

/** Minified: half of the bytes that each document receives and compiles. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WCAG_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * Runs axe for WCAG 2.2 A and AA with transitions ended, and animations off from then on: a toast that fades has no contrast,
 * and may begin to while axe runs.
 *
 * @returns one line for each violation
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(finishTransitions);
  // Once for each document: compiling axe takes as long as a run of it.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const violations = await page.evaluate(async (values) => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    // Words drawn on a product are part of its picture, in the tones of its material (WCAG 1.4.3, incidental).
    const context = { exclude: [".engraving-preview"] };
    // Selectors of the elements that pass take a third of the time.
    const options = { runOnly: { type: "tag" as const, values }, resultTypes: ["violations" as const] };
    return (await axe.run(context, options)).violations;
  }, WCAG_AA);
  return violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")} (${rule.help})`),
  );
}

/**
 * Runs in the page: ends what is in transition, and what that sets in transition, such as a colour that a child inherits,
 * apart from endless animations and those that follow the scroll position.
 */
function finishTransitions(): void {
  const running = () =>
    document.getAnimations().filter(({ playState, effect, timeline }) => {
      const isEndless = effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
      return playState === "running" && !isEndless && timeline === document.timeline;
    });
  for (let found = running(); found.length > 0; found = running())
    for (const animation of found) animation.finish();
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
