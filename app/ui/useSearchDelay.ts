import { useEffect, useRef } from "react";

/** Delay of a search after the last key, ms. */
const SEARCH_DELAY = 300;

/**
 * Calls a search once the typing pauses.
 *
 * @param search is the one of the last render when it is called
 * @returns `soon` to call after each key, and `cancel` for a search that is no longer wanted
 */
export function useSearchDelay(search: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const latest = useRef(search);
  latest.current = search;
  useEffect(() => () => clearTimeout(timer.current), []);
  const cancel = () => clearTimeout(timer.current);
  const soon = () => {
    cancel();
    timer.current = setTimeout(() => latest.current(), SEARCH_DELAY);
  };
  return { soon, cancel };
}
