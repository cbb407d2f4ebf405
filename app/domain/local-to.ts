/** Path of segments that are not empty, and a query or fragment; without a path, they belong to the page itself. */
const LOCAL = /^(?:\/[^/?#\\\p{Cc}]+)*\/?(?:[?#][^\\\p{Cc}]*)?$/u;

/**
 * Restricts a link or a redirect to the shop: browsers read `//e`, `/\e`, `/..//e`, `/<tab>/e` and `https://e` as other
 * hosts, and run `javascript:`.
 *
 * @param fallback local path in place of a target outside the shop
 */
export function localTo(target: string, fallback?: string): string;
export function localTo(target: unknown, fallback: string): string;
export function localTo(target: unknown, fallback = "/"): string {
  return typeof target === "string" && LOCAL.test(target) ? target : fallback;
}
