import { type RefObject, useEffect, useRef, useSyncExternalStore } from "react";

const never = () => () => {};

/** Returns false on the server and during hydration, true afterwards. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/**
 * Passes on what was typed into a controlled field before hydration; React would put the field's state in its place.
 *
 * @param shown text of the field's state
 */
export function useEarlyInput(
  field: RefObject<HTMLInputElement>,
  shown: string,
  change: (text: string) => void,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after hydration
  useEffect(() => {
    const text = field.current?.value ?? shown;
    if (text !== shown) change(text);
  }, []);
}

/**
 * Focuses an element when a change of state has removed the focused one.
 *
 * @param state of the page; a change triggers the check
 */
export function useRestoredFocus(id: string, state: string): void {
  const before = useRef(state);
  useEffect(() => {
    if (before.current === state) return;
    before.current = state;
    if (document.activeElement === document.body) document.getElementById(id)?.focus();
  }, [id, state]);
}

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

/** Keeps an event from the router: the page stays. */
const withhold = (event: PopStateEvent) => event.stopImmediatePropagation();

/**
 * Makes the browser's Back close what lies over the page instead of leaving it, by a history entry of its own. Closed in
 * another way, it takes its entry back.
 */
export function useBackCloses(isOpen: boolean, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    if (!isOpen) return;
    const overlay = Math.random();
    history.pushState({ ...history.state, overlay }, "");
    const onBack = (event: PopStateEvent) => {
      withhold(event);
      latest.current();
    };
    window.addEventListener("popstate", onBack, true);
    return () => {
      window.removeEventListener("popstate", onBack, true);
      if (history.state?.overlay !== overlay) return;
      window.addEventListener("popstate", withhold, { capture: true, once: true });
      history.back();
    };
  }, [isOpen]);
}
