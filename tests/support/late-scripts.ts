import type { Page } from "@playwright/test";

/** Pattern of the script without which no page is hydrated. */
export const REACT = "**/framework-*.js";

/**
 * Withholds a script or data of a page.
 *
 * @param pattern of its address
 * @returns a function that delivers it
 */
export async function withhold(page: Page, pattern: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(pattern, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Opens a page and does something there before it is hydrated. */
export async function beforeHydration(page: Page, path: string, act: () => Promise<void>): Promise<void> {
  const deliver = await withhold(page, REACT);
  const opened = page.goto(path, { waitUntil: "commit" });
  await act();
  deliver();
  await opened;
}
