import { expect } from "vitest";
import { pathOf } from "./route-paths";
import { ROUTE_NAMES } from "./routes";
import { type CallOptions, call } from "./shop";

/** Ids of routes by path. An index route comes after the layout at the same path and replaces it. */
const ROUTE_IDS = new Map(
  ROUTE_NAMES.toSorted((a, b) => a.split(".").length - b.split(".").length).map((name) => [
    pathOf(name),
    `routes/${name}`,
  ]),
);

/**
 * Returns the URL at which the browser's Remix loads a page's data, or sends its forms, without the document.
 *
 * @param page path without parameters, and query
 * @throws Error when no route has this path
 */
export function dataUrl(page: string): string {
  const { pathname, searchParams } = new URL(page, "http://localhost");
  const id = ROUTE_IDS.get(pathname);
  if (!id) throw new Error(`No route is at ${pathname}`);
  searchParams.set("_data", id);
  return `${pathname}?${searchParams}`;
}

/** Loads a page's data as the browser's Remix does when it changes pages. @param page path and query */
export async function loaderData<T>(page: string, options: CallOptions = {}): Promise<T> {
  const answer = await call(dataUrl(page), options);
  expect(answer.status, page).toBe(200);
  return (await answer.json()) as T;
}
