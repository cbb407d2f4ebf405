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
