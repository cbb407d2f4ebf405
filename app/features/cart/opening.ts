import { type MouseEvent, useEffect } from "react";
import { CART_PATH } from "./optimistic";

let show: (() => void) | null = null;

/**
 * For the cart's link: opens the drawer in place of the page /cart. Leaves the link alone where there is no
 * drawer, on /cart itself, and for a new tab.
 */
export function openCart(event: MouseEvent<HTMLAnchorElement>): void {
  const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (!show || elsewhere || window.location.pathname === CART_PATH) return;
  event.preventDefault();
  show();
}

/**
 * For the drawer: what openCart calls while it is on the page.
 *
 * @param open shows the drawer; the same function each time
 */
export function useCartOpener(open: () => void): void {
  useEffect(() => {
    show = open;
    return () => {
      show = null;
    };
  }, [open]);
}
