import { lazy, Suspense, useCallback, useRef, useState } from "react";
import { Dialog } from "~/ui/Dialog";
import { Icon } from "~/ui/Icon";
import { useCartOpener } from "./opening";
import { useOptimisticCart } from "./optimistic";
import type { CartView } from "./view";

const contents = () => import("./CartContents");
const CartContents = lazy(async () => ({ default: (await contents()).CartContents }));

/** Loads what the drawer shows before it is opened: called when the pointer nears the cart's link. */
export function prepareCart(): void {
  void contents();
}

/** The cart, from the right, over the page (spec 2, public layout). What it shows is loaded when it is first wanted. */
export function CartDrawer({ cart: told }: { cart: CartView }) {
  const cart = useOptimisticCart(told);
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const [wanted, setWanted] = useState(false);
  const open = useCallback(() => {
    setWanted(true);
    dialog.current?.showModal();
    title.current?.focus();
  }, []);
  useCartOpener(open);
  return (
    <Dialog ref={dialog} id="cart" className="drawer" labelledBy="cart-title">
      <div className="drawer-head">
        <h2 id="cart-title" tabIndex={-1} ref={title}>
          Cart <span className="num">{itemsIn(cart)}</span>
        </h2>
        <form method="dialog">
          <button type="submit" className="icon-btn" aria-label="Close cart">
            <Icon name="x" />
          </button>
        </form>
      </div>
      {wanted && (
        <Suspense fallback={<div className="cart-lines" aria-busy="true" />}>
          <CartContents cart={cart} />
        </Suspense>
      )}
    </Dialog>
  );
}

/** `1 item`, `4 items`. */
export function itemsIn({ itemCount }: CartView): string {
  return itemCount === 1 ? "1 item" : `${itemCount} items`;
}
