import type { MouseEvent } from "react";

/** Attributes that React 18's types don't know: a menu that the browser opens and closes without a script. */
interface PopoverAttributes {
  id: string;
  popover: "auto";
  onClick: (event: MouseEvent<HTMLElement>) => void;
}

/**
 * Makes an element a menu. A press on one of its links closes it, since with JavaScript the page stays.
 *
 * @param id what its button names
 */
export function popover(id: string): PopoverAttributes {
  return { id, popover: "auto", onClick: closeAfterLink };
}

/** Makes a button open the menu of that id, and close it again. */
export function popoverTrigger(id: string): { popovertarget: string; type: "button" } {
  return { popovertarget: id, type: "button" };
}

/** Makes a button inside the menu of that id close it. */
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
