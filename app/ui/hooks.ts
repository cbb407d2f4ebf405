import { useEffect, useRef, useSyncExternalStore } from "react";

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
