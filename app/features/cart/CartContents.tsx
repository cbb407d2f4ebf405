import { lazy, type ReactNode, Suspense, useRef } from "react";
import onDemandCss from "~/features/catalogue/on-demand.css?url";
import { StartChatForm } from "~/features/chat/open-chat";
import { Icon } from "~/ui/Icon";
import { loadStyles } from "~/ui/load-styles";
import { Link } from "~/ui/navigation";
import { showToast } from "~/ui/Toasts";
import { CartForm } from "./CartForm";
import type { CartView } from "./view";

/** Loads the lines and their sheet, which most visits don't have. */
export const loadLines = async () => (await Promise.all([import("./CartLines"), loadStyles(onDemandCss)]))[0];
const CartLines = lazy(async () => ({ default: (await loadLines()).CartLines }));
const CartFoot = lazy(async () => ({ default: (await loadLines()).CartFoot }));
const RemovedLine = lazy(async () => ({ default: (await import("./RemovedLine")).RemovedLine }));
const EMPTY = "Your cart is empty";

export function DrawerContents({ cart }: { cart: CartView }) {
  // Nothing is removed before there was a line.
  const hadLines = useRef(false);
  hadLines.current ||= cart.lines.length > 0;
  return (
    <CartContents
      cart={cart}
      heading="h3"
      removed={
        hadLines.current && (
          <Suspense>
            <RemovedLine />
          </Suspense>
        )
      }
    >
      <Suspense fallback={<div className="cart-lines" aria-busy="true" />}>
        <CartLines lines={cart.lines} heading="h3" />
        <CartFoot cart={cart} />
      </Suspense>
    </CartContents>
  );
}

interface CartContentsProps {
  cart: CartView;
  heading: "h2" | "h3";
  /** Line in place of what was removed. */
  removed: ReactNode;
  /** Lines and foot of a cart that is not empty. */
  children: ReactNode;
}

/** Lines and buttons of the cart, in the drawer and on /cart. */
export function CartContents({ cart, heading, removed, children }: CartContentsProps) {
  return (
    <>
      {removed}
      {cart.lines.length ? (
        children
      ) : (
        <>
          {cart.itemCount > 0 ? (
            // The line of a new product follows with the answer.
            <p className="cart-lines soft" role="status">
              Adding to your cart…
            </p>
          ) : (
            <EmptyCart heading={heading} />
          )}
          <div className="drawer-foot">
            <ChatWithSeller isEmpty={cart.itemCount === 0} />
            <SendMessage cart={cart} />
          </div>
        </>
      )}
    </>
  );
}

function EmptyCart({ heading: Heading }: { heading: "h2" | "h3" }) {
  return (
    <div className="cart-lines empty-state">
      <Heading>{EMPTY}</Heading>
      <p className="soft">What you put in it waits here. You can take it out again at any time.</p>
      <Link className="btn btn-act" to="/shop">
        Browse Shop
      </Link>
    </div>
  );
}

/** Button that starts a chat about the cart; where all of it has sold out it shows an error, without JavaScript by the server. */
export function ChatWithSeller({ isEmpty }: { isEmpty: boolean }) {
  const button = (
    <button type="submit" className="btn btn-talk btn-wide">
      <Icon name="message-circle" /> Chat with Seller
    </button>
  );
  if (isEmpty)
    return (
      <CartForm intent="chat" rejection={EMPTY}>
        {button}
      </CartForm>
    );
  return (
    <StartChatForm page="/cart" fields={{ intent: "chat" }}>
      {button}
    </StartChatForm>
  );
}

export function SendMessage({ cart }: { cart: CartView }) {
  const label = (
    <>
      <Icon name="smartphone" /> Send Message
    </>
  );
  if (cart.itemCount > 0) {
    const notify = () => showToast("success", "Opening message app...");
    return (
      <a className="btn btn-line btn-wide" href={cart.smsUrl} onClick={notify}>
        {label}
      </a>
    );
  }
  return (
    <CartForm intent="message" rejection={EMPTY}>
      <button type="submit" className="btn btn-line btn-wide">
        {label}
      </button>
    </CartForm>
  );
}
