import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Whether the browser has taken the page over: false in the HTML and while it is being taken over, true from then on. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
