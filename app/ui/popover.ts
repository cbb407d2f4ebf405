import type { MouseEvent } from "react";
import { closeOnBack } from "./back-closes";

/** Popover attributes, which React 18's types lack. The browser opens and closes popovers without JavaScript. */
interface PopoverAttributes {
  id: string;
  popover: "auto";
  onClick: (event: MouseEvent<HTMLElement>) => void;
}

/**
 * Makes an element a popover menu. A click on one of its links closes it, since client-side navigation keeps the page.
 *
 * @param id target of its button
 */
export function popover(id: string): PopoverAttributes {
  return { id, popover: "auto", onClick: closeAfterLink };
}

/** Makes an element a popover that lies over the page, which the browser's Back closes. @param id target of its button */
export function popoverSheet(id: string) {
  return { ...popover(id), ref: watchOpening };
}

function watchOpening(sheet: HTMLElement | null): void {
  let takeBack: (() => void) | undefined;
  sheet?.addEventListener("toggle", ({ newState }) => {
    takeBack?.();
    takeBack = newState === "open" ? closeOnBack(() => sheet.hidePopover()) : undefined;
  });
}

export function popoverTrigger(id: string): { popovertarget: string; type: "button" } {
  return { popovertarget: id, type: "button" };
}

export function popoverClose(id: string): {
  popovertarget: string;
  popovertargetaction: "hide";
  type: "button";
} {
  return { popovertarget: id, popovertargetaction: "hide", type: "button" };
}

function closeAfterLink({ target, currentTarget }: MouseEvent<HTMLElement>) {
  if ((target as Element).closest("a[href], [data-closes]")) currentTarget.hidePopover();
}
