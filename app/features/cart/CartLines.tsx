import { Link } from "@remix-run/react";
import { lazy, Suspense, useEffect, useLayoutEffect, useRef } from "react";
import { Icon } from "~/ui/Icon";
import { dollars } from "~/ui/money";
import { Picture } from "~/ui/Picture";
import { useSite } from "~/ui/site";
import { showToast } from "~/ui/Toasts";
import { CartForm, Stepper } from "./CartForm";
import type { CartLine } from "./view";

/** Loaded with the first choice. Without a connection the rest of the cart stays usable. */
const LineOptions = lazy(() => import("./LineOptions").catch(() => ({ default: () => null })));

export function CartLines({ lines, heading }: { lines: CartLine[]; heading: "h2" | "h3" }) {
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
  const shown = useRef(quantity);
  useEffect(() => {
    // At first the field has it already, or what was typed while this module loaded.
    if (field.current && shown.current !== quantity) field.current.value = String(quantity);
    shown.current = quantity;
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
          autoComplete="off"
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

/** Address and hours in the cart, in one sentence. */
export function CartPickup() {
  const { address, hours, mapUrl } = useSite().pickup;
  if (!address) return null;
  const times = hours.map((open) => `${open.days} ${open.times}`).join(", ");
  return (
    <p className="cart-pickup">
      Collect at {address}
      {times && `: ${times}`}.{" "}
      {mapUrl && (
        <a className="link" href={mapUrl} target="_blank" rel="nofollow noreferrer">
          Show on the map
        </a>
      )}
    </p>
  );
}
