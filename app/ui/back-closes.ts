import { useEffect, useRef } from "react";

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
