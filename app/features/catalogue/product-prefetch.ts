import { pageKey, pages } from "./browser-cache";

/** Milliseconds that a pointer or the focus must rest on a link before it counts as meant. */
const RESTING = 100;

let waiting: ReturnType<typeof setTimeout> | undefined;

const leave = () => clearTimeout(waiting);

/**
 * Loads a product's data before its link is followed: when the pointer or the focus rests on it. Remix fetches the
 * page's code on the same sign, but leaves the data of pages that have a client loader to them.
 *
 * @param path of the product's page
 * @returns handlers for its link
 */
export function prefetchHandlers(path: string) {
  if (import.meta.env.SSR) return {};
  const rest = () => {
    leave();
    waiting = setTimeout(() => void pages.read(pageKey(path), () => load(path)).catch(() => null), RESTING);
  };
  return { onPointerEnter: rest, onFocus: rest, onPointerLeave: leave, onBlur: leave };
}

/** Fetches the page's data; the page itself shows an error. */
async function load(path: string): Promise<unknown> {
  const answer = await fetch(`${path}/data`);
  if (!answer.ok) throw answer;
  return answer.json();
}
