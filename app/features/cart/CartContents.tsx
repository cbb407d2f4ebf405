import { Link } from "@remix-run/react";
import { lazy, Suspense, useEffect, useLayoutEffect, useRef } from "react";
import { StartChatForm } from "~/features/chat/widget/open-chat";
import { Icon } from "~/ui/Icon";
import { dollars } from "~/ui/money";
import { Picture } from "~/ui/Picture";
import { PriceTag } from "~/ui/PriceTag";
import { showToast } from "~/ui/Toasts";
import { CartForm, Stepper } from "./CartForm";
import type { CartLine, CartView } from "./view";

/** Loaded with the first line: most visits have an empty cart. Without a connection the rest of the cart stays usable. */
const LineOptions = lazy(() => import("./LineOptions").catch(() => ({ default: () => null })));
const CartPickup = lazy(() =>
  import("~/ui/PickupTerms").then(
    ({ CartPickup }) => ({ default: CartPickup }),
    () => ({ default: () => null }),
  ),
);
const EMPTY = "Your cart is empty";

/** Lines and buttons of the cart, in the drawer and on /cart. */
export function CartContents({ cart, heading = "h3" }: { cart: CartView; heading?: "h2" | "h3" }) {
  return (
    <>
      {cart.lines.length ? (
        <CartLines lines={cart.lines} heading={heading} />
      ) : (
        <EmptyCart heading={heading} />
      )}
      <div className="drawer-foot">
        <div className="cart-total">
          <span>Total</span>
          <PriceTag cents={cart.totalCents} />
        </div>
        <p>Nothing is charged here. We answer in the chat, check the shelf, and set your things aside.</p>
        {cart.lines.length > 0 && (
          <Suspense>
            <CartPickup />
          </Suspense>
        )}
        <ChatWithSeller empty={cart.itemCount === 0} />
        <div className="drawer-buttons">
          <SendMessage cart={cart} />
          <CartForm intent="clear">
            <button type="submit" className="btn btn-quiet" disabled={cart.lines.length === 0}>
              Clear cart
            </button>
          </CartForm>
        </div>
      </div>
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

/** Button that starts a chat about the cart; for an empty cart it shows an error, without JavaScript by the server. */
function ChatWithSeller({ empty }: { empty: boolean }) {
  const label = (
    <>
      <Icon name="message-circle" /> Chat with Seller
    </>
  );
  if (!empty) {
    return (
      <StartChatForm page="/cart" fields={{ intent: "chat" }}>
        <button type="submit" className="btn btn-talk btn-wide">
          {label}
        </button>
      </StartChatForm>
    );
  }
  return (
    <CartForm intent="chat" rejection={EMPTY}>
      <button type="submit" className="btn btn-talk btn-wide">
        {label}
      </button>
    </CartForm>
  );
}

function SendMessage({ cart }: { cart: CartView }) {
  const label = (
    <>
      <Icon name="smartphone" /> Send Message
    </>
  );
  if (cart.itemCount > 0) {
    const notify = () => showToast("success", "Opening message app...");
    return (
      <a className="btn btn-line btn-wide" href={cart.sms} onClick={notify}>
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

function CartLines({ lines, heading }: { lines: CartLine[]; heading: "h2" | "h3" }) {
  return (
    <ul className="cart-lines" ref={useFocusAfterRemoval<HTMLUListElement>(true)}>
      {lines.map((line, i) => (
        <Line key={lineKey(lines, i)} line={line} heading={heading} />
      ))}
    </ul>
  );
}

/** Key of a line by its position among those of its product, since its options may change. */
function lineKey(lines: CartLine[], index: number): string {
  const { id } = lines[index] as CartLine;
  return `${id} ${lines.slice(0, index).filter((line) => line.id === id).length}`;
}

function Line({ line, heading: Heading }: { line: CartLine; heading: "h2" | "h3" }) {
  const { id, name, priceCents, quantity, stock, color, engraving } = line;
  const url = `/products/${id}`;
  return (
    <li className="cart-line" ref={useFocusAfterRemoval<HTMLLIElement>()}>
      <Link className="picture" to={url} tabIndex={-1} aria-hidden="true">
        <Picture image={line.image} alt="" sizes="5.4rem" width={96} />
      </Link>
      <div>
        <Heading>
          <Link to={url}>{name}</Link>
        </Heading>
        <p className="cart-line-price">{dollars(priceCents)} each</p>
      </div>
      <p className="cart-line-total">{dollars(priceCents * quantity)}</p>
      <LineChoice line={line} />
      <div className="cart-line-controls">
        {stock > 0 ? (
          <LineQuantity line={line} />
        ) : (
          <span className="badge stock-level stock-level-out">Out of Stock</span>
        )}
        <CartForm intent="remove" id={id} fields={{ color, engraving }}>
          <button type="submit" className="btn btn-quiet" aria-label={`Remove ${name}`}>
            <Icon name="trash-2" /> Remove
          </button>
        </CartForm>
      </div>
    </li>
  );
}

/** Choices of a line, which can be changed in place; nothing for a product without any. */
function LineChoice({ line }: { line: CartLine }) {
  if (!line.choices && !line.color) return null;
  return (
    <Suspense>
      <LineOptions line={line} />
    </Suspense>
  );
}

/**
 * Moves the focus out of a removed element: from a line to the Remove button of its neighbour, from the whole list to
 * the heading. The cleanup runs while the element is still in the document.
 */
function useFocusAfterRemoval<E extends HTMLElement>(isList = false) {
  const ref = useRef<E>(null);
  useLayoutEffect(() => {
    const container = isList ? ref.current?.parentElement : ref.current;
    return () => {
      if (!container?.contains(document.activeElement)) return;
      const next = isList ? container : (container.nextElementSibling ?? container.previousElementSibling);
      next?.querySelector<HTMLElement>(isList ? "[tabindex]:is(h1, h2)" : ".btn-quiet")?.focus();
    };
  }, [isList]);
  return ref;
}

/** Quantity of a line: buttons for one less and one more, and a field that is sent on Enter and on blur. */
function LineQuantity({ line }: { line: CartLine }) {
  const { id, name, quantity, stock, color, engraving } = line;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current) field.current.value = String(quantity);
  }, [quantity]);
  const isChanged = () => field.current !== null && clampQuantity(field.current, line) !== quantity;
  return (
    <CartForm intent="set" id={id} fields={{ color, engraving }}>
      {/* Enter presses the form's first button. */}
      <button type="submit" hidden onClick={(event) => isChanged() || event.preventDefault()}>
        Set quantity
      </button>
      <Stepper
        small
        label={`Quantity of ${name}`}
        less={{ disabled: false, name: "step", value: "-1" }}
        more={{ disabled: quantity >= stock, name: "step", value: "1" }}
      >
        <input
          ref={field}
          className="num"
          type="number"
          inputMode="numeric"
          name="quantity"
          aria-label="Quantity"
          defaultValue={quantity}
          onBlur={() => isChanged() && field.current?.form?.requestSubmit()}
        />
      </Stepper>
    </CartForm>
  );
}

/** Limits the typed quantity to the stock; anything but a whole number is reset. */
function clampQuantity(field: HTMLInputElement, { quantity, stock }: CartLine): number {
  const typed = field.valueAsNumber;
  if (typed > stock) showToast("blank", `Only ${stock} left`);
  const clamped = Number.isInteger(typed) ? Math.min(Math.max(typed, 0), stock) : quantity;
  field.value = String(clamped);
  return clamped;
}
