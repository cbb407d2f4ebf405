import { useEffect, useRef } from "react";

/**
 * Focuses an element when a change of state has removed the focused one.
 *
 * @param id of the element to focus
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
