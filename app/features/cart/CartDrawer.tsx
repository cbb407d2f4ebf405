import { useRevalidator } from "@remix-run/react";
import { lazy, type MouseEvent, type RefObject, Suspense, useEffect, useRef, useState } from "react";
import { useBackCloses } from "~/ui/back-closes";
import { Icon } from "~/ui/Icon";
import { isPlainClick } from "~/ui/plain-click";
import { CART_PATH, useOptimisticCart } from "./optimistic";
import type { CartView } from "./view";

const loadContents = () => import("./CartContents");
const DrawerContents = lazy(async () => ({ default: (await loadContents()).DrawerContents }));

export function preloadCart({ lines }: CartView): void {
  loadContents()
    .then(({ loadLines }) => (lines.length > 0 ? loadLines() : null))
    .catch(() => null);
}

/**
 * Drawer with the cart, which is read when it opens; its contents are loaded when it is first opened. Escape, Back, a click
 * outside and a link inside close it; the focus returns to the opener.
 */
export function CartDrawer({ cart: stored }: { cart: CartView }) {
  const cart = useOptimisticCart(stored);
  const { revalidate } = useRevalidator();
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const [state, setState] = useState<"new" | "open" | "closed">("new");
  useBackCloses(state === "open", () => dialog.current?.close());
  useEffect(() => {
    showDrawer = () => {
      setState("open");
      dialog.current?.showModal();
      title.current?.focus();
      revalidate();
    };
    return () => {
      showDrawer = null;
    };
  }, [revalidate]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser handles Escape
    <dialog
      ref={dialog}
      id="cart"
      className="drawer"
      aria-labelledby="cart-title"
      onClick={closeFromOutside}
      onClose={() => setState("closed")}
    >
      <DrawerHead cart={cart} title={title} />
      {state !== "new" && (
        <Suspense fallback={<div className="cart-lines" aria-busy="true" />}>
          <DrawerContents cart={cart} />
        </Suspense>
      )}
    </dialog>
  );
}

function DrawerHead({ cart, title }: { cart: CartView; title: RefObject<HTMLHeadingElement> }) {
  return (
    <div className="drawer-head">
      <h2 id="cart-title" tabIndex={-1} ref={title}>
        Cart <span className="num">{itemCountLabel(cart)}</span>
      </h2>
      <form method="dialog">
        <button type="submit" className="icon-btn" aria-label="Close cart">
          <Icon name="x" />
        </button>
      </form>
    </div>
  );
}

/** Formats the number of items: `1 item`, `4 items`. */
export function itemCountLabel({ itemCount }: Pick<CartView, "itemCount">): string {
  return itemCount === 1 ? "1 item" : `${itemCount} items`;
}

/** Shows the mounted drawer; null where there is none. */
let showDrawer: (() => void) | null = null;

/** Opens the drawer on a click on the cart's link, except on /cart, for a new tab, and where there is no drawer. */
export function openCart(event: MouseEvent<HTMLAnchorElement>): void {
  if (!showDrawer || !isPlainClick(event) || window.location.pathname === CART_PATH) return;
  event.preventDefault();
  showDrawer();
}

function closeFromOutside(event: MouseEvent<HTMLDialogElement>) {
  const target = event.target as HTMLElement;
  if (target === event.currentTarget || target.closest("a[href]")) event.currentTarget.close();
}
