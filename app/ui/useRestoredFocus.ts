import { useEffect, useRef } from "react";

/**
 * Where what the reader did has taken away what had the focus, it goes on elsewhere.
 *
 * @param id of the element that takes it
 * @param state of the page: looked at when it changes
 */
export function useRestoredFocus(id: string, state: string): void {
  const before = useRef(state);
  useEffect(() => {
    if (before.current === state) return;
    before.current = state;
    if (document.activeElement === document.body) document.getElementById(id)?.focus();
  }, [id, state]);
}
