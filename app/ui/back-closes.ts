import { useEffect } from "react";
import { useLatest } from "./latest";
import { isPlainClick } from "./plain-click";

/**
 * Makes the browser's Back close what lies over the page instead of leaving it, by a history entry of its own. Links and
 * searches wait until that entry is taken back, so that Back leads from the next page to this one.
 *
 * @returns takes the entry back, for what was closed in another way
 */
export function closeOnBack(close: () => void): () => void {
  const overlay = Math.random();
  const isCurrent = () => history.state?.overlay === overlay;
  // What replaces another part over the page takes over its entry.
  history[history.state?.overlay ? "replaceState" : "pushState"]({ ...history.state, overlay }, "");
  const ends = new AbortController();
  const options = { capture: true, signal: ends.signal };
  let isTakenBack = false;
  let next: (() => void) | undefined;
  const takeBack = () => {
    if (isTakenBack) return;
    isTakenBack = true;
    if (isCurrent()) history.back();
    else ends.abort();
  };
  const onBack = (event: Event) => {
    // Neither the router nor the page hears of it.
    event.stopImmediatePropagation();
    ends.abort();
    if (isTakenBack) next?.();
    else close();
  };
  const onLeave = (event: Event) => {
    const follow = navigator.onLine && !event.defaultPrevented && isCurrent() && departure(event);
    if (!follow) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    next = follow;
    takeBack();
  };
  window.addEventListener("popstate", onBack, options);
  for (const type of ["click", "submit"]) window.addEventListener(type, onLeave, options);
  return takeBack;
}

/** Returns what follows a link to a page of the shop, sends a search or logs out; false for other events. */
function departure(event: Event): (() => void) | false {
  const target = event.target as Element;
  if (event instanceof SubmitEvent) {
    const form = target as HTMLFormElement;
    const leaves = form.matches("[action]:not([method])") || event.submitter?.matches("[data-closes]");
    return leaves ? () => form.requestSubmit(event.submitter) : false;
  }
  const link = target.closest<HTMLAnchorElement>("a[href]");
  return (
    isPlainClick(event as MouseEvent) &&
    link?.origin === location.origin &&
    !link.target &&
    (() => link.click())
  );
}

/** Makes Back close what a component shows over the page; see closeOnBack. */
export function useBackCloses(isOpen: boolean, close: () => void): void {
  const latest = useLatest(close);
  useEffect(() => (isOpen ? closeOnBack(() => latest.current()) : undefined), [isOpen, latest]);
}
