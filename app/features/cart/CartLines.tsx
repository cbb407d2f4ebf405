import { useEffect, useLayoutEffect, useRef } from "react";
import { dollars } from "~/domain/money";
import { EngravedPicture } from "~/features/catalogue/EngravedPicture";
import { useDelay } from "~/ui/hooks";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { PriceTag } from "~/ui/PriceTag";
import { useSite } from "~/ui/site";
import { showToast } from "~/ui/Toasts";
import { ChatWithSeller, SendMessage } from "./CartContents";
import { CartForm, Stepper, selectOnRelease } from "./CartForm";
import { LineOptions } from "./LineOptions";
import type { CartLine, CartView } from "./view";

export function CartLines({ lines, heading }: { lines: CartLine[]; heading: "h2" | "h3" }) {
  return (
    <ul className="cart-lines" ref={useFocusHeadingOnRemoval()}>
      {lines.map((line, i) => (
        <Line key={lineKey(lines, i)} line={line} at={i} heading={heading} />
      ))}
    </ul>
  );
}

/** Key of a line by its position among those of its product, since its options may change. */
function lineKey(lines: CartLine[], index: number): string {
  const { id } = lines[index] as CartLine;
  return `${id} ${lines.slice(0, index).filter((line) => line.id === id).length}`;
}

interface LineProps {
  line: CartLine;
  /** Position in the cart. */
  at: number;
}

/** Fields that name a line, and those from which it is restored. */
const lineFields = ({ line: { color, engraving, quantity }, at }: LineProps) => ({
  color,
  engraving,
  was: String(quantity),
  at: String(at),
});

function Line({ line, at, heading: Heading }: LineProps & { heading: "h2" | "h3" }) {
  const { id, name, path: url, priceCents, quantity, stock, restockUrl } = line;
  return (
    <li className="cart-line" ref={useFocusNeighbourOnRemoval()}>
      <Link className="picture" to={url} tabIndex={-1} aria-hidden="true">
        <EngravedPicture {...line} words={line.engraving} sizes="5.4rem" width={96} />
      </Link>
      <div>
        <Heading>
          <Link to={url}>{name}</Link>
        </Heading>
        <p className="cart-line-price">{dollars(priceCents)} each</p>
      </div>
      <p className="cart-line-total">{dollars(priceCents * quantity)}</p>
      {(line.choices || line.color) && <LineOptions line={line} />}
      <div className="cart-line-controls">
        {stock > 0 ? (
          <LineQuantity line={line} at={at} />
        ) : (
          <p className="cart-line-out">
            <span className="badge stock-level stock-level-out">Out of Stock</span>
            {restockUrl && (
              <Link className="link" to={restockUrl}>
                Tell me when it is back
              </Link>
            )}
          </p>
        )}
        <CartForm intent="remove" id={id} fields={lineFields({ line, at })}>
          <button type="submit" className="btn btn-quiet" aria-label={`Remove ${name}`}>
            <Icon name="trash-2" /> Remove
          </button>
        </CartForm>
      </div>
    </li>
  );
}

const HEADING = "[tabindex]:is(h1, h2)";

/** Moves the focus out of the removed list, to the heading of the cart. */
function useFocusHeadingOnRemoval() {
  const ref = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const contents = ref.current?.parentElement;
    return () => moveFocus(contents, contents, HEADING);
  }, []);
  return ref;
}

/** Moves the focus out of a removed line, to the Remove button of its neighbour, or without one to the cart's heading. */
function useFocusNeighbourOnRemoval() {
  const ref = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    const line = ref.current;
    const contents = line?.parentElement?.parentElement;
    return () => {
      const neighbour = line?.nextElementSibling ?? line?.previousElementSibling;
      moveFocus(line, neighbour ?? contents, neighbour ? ".btn-quiet" : HEADING);
    };
  }, []);
  return ref;
}

/** Moves the focus, if it is inside `from`. Effects' cleanups run while removed elements are still in the document. */
function moveFocus(from: Element | null | undefined, to: Element | null | undefined, selector: string): void {
  if (from?.contains(document.activeElement)) to?.querySelector<HTMLElement>(selector)?.focus();
}

/** Pause after which a quantity that is typed is sent, ms. */
const COMMIT_PAUSE = 800;

/** Shows a line's latest quantity in its field, unless something was typed before hydration. */
function useLatestQuantity(quantity: number) {
  const field = useRef<HTMLInputElement>(null);
  const shown = useRef<number>();
  useEffect(() => {
    const input = field.current;
    // The server's value may be older than a form that is sent again.
    const isTyped = shown.current === undefined && input?.value !== input?.defaultValue;
    if (input && !isTyped && shown.current !== quantity) input.value = String(quantity);
    shown.current = quantity;
  }, [quantity]);
  return field;
}

/** Quantity of a line: buttons for one less and one more, and a field that is sent on Enter, on blur and after a pause. */
function LineQuantity({ line, at }: LineProps) {
  const { id, name, quantity, stock } = line;
  const field = useLatestQuantity(quantity);
  /** Corrects the field. @returns false when the quantity stays */
  const commitField = () => field.current !== null && correctQuantity(field.current, line) !== quantity;
  const send = () => commitField() && field.current?.form?.requestSubmit();
  // Arrow keys change a number without leaving its field; an empty one is being typed into.
  const { soon } = useDelay(() => field.current?.value && send(), COMMIT_PAUSE);
  return (
    <CartForm intent="set" id={id} fields={lineFields({ line, at })}>
      {/* Enter presses the form's first button. */}
      <button type="submit" hidden onClick={(event) => commitField() || event.preventDefault()}>
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
          autoComplete="off"
          aria-label="Quantity"
          defaultValue={quantity}
          onMouseUp={selectOnRelease}
          onInput={soon}
          onBlur={send}
        />
      </Stepper>
    </CartForm>
  );
}

/**
 * Corrects the typed quantity: at most the stock, the previous one for no whole number. Shows a toast when it is lowered.
 *
 * @returns the corrected quantity
 */
function correctQuantity(field: HTMLInputElement, { quantity, stock }: CartLine): number {
  const typed = field.valueAsNumber;
  if (typed > stock) showToast("blank", `Only ${stock} left`);
  const corrected = Number.isInteger(typed) ? Math.min(Math.max(typed, 0), stock) : quantity;
  field.value = String(corrected);
  return corrected;
}

/** Address and hours in the cart, in one sentence. */
function CartPickup({ opening }: Pick<CartView, "opening">) {
  const { address, hours, mapUrl } = useSite().pickup;
  if (!address) return null;
  const times = hours.map((open) => `${open.days} ${open.times}`).join(", ");
  return (
    <p className="cart-pickup">
      Collect at {address}
      {times && `: ${times}`}. {opening && `${opening}. `}
      {mapUrl && (
        <a className="link" href={mapUrl} target="_blank" rel="nofollow noreferrer">
          Show on the map
        </a>
      )}
    </p>
  );
}

/** Total and the ways to ask for the cart. */
export function CartFoot({ cart }: { cart: CartView }) {
  return (
    <div className="drawer-foot">
      <div className="cart-total">
        <span>Total</span>
        <PriceTag cents={cart.totalCents} />
      </div>
      <p>{cart.terms}</p>
      <CartPickup opening={cart.opening} />
      <ChatWithSeller isEmpty={cart.itemCount === 0} />
      <div className="drawer-buttons">
        <SendMessage cart={cart} />
        <CartForm intent="clear">
          <button type="submit" className="btn btn-quiet">
            Clear cart
          </button>
        </CartForm>
      </div>
    </div>
  );
}
