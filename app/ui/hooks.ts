import { type RefObject, useEffect, useRef, useSyncExternalStore } from "react";
import { useLatest } from "./latest";

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

/**
 * Calls a function once nothing more has happened for a while.
 *
 * @param run is the one of the last render when it is called
 * @param delay ms
 * @returns `soon` to call after each event, and `cancel` for a call that is no longer wanted
 */
export function useDelay(run: () => void, delay: number) {
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const latest = useLatest(run);
  useEffect(() => () => clearTimeout(timer.current), []);
  const cancel = () => clearTimeout(timer.current);
  const soon = () => {
    cancel();
    timer.current = setTimeout(() => latest.current(), delay);
  };
  return { soon, cancel };
}

/** Delay of a search after the last key, ms. */
const SEARCH_DELAY = 300;

/** Calls a search once the typing pauses. */
export const useSearchDelay = (search: () => void) => useDelay(search, SEARCH_DELAY);
