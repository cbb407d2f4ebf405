import { Link } from "@remix-run/react";
import { useLayoutEffect, useRef } from "react";
import { Icon } from "~/ui/Icon";
import { dollars } from "~/ui/money";
import { Picture } from "~/ui/Picture";
import { CartForm } from "./CartForm";
import { LineQuantity } from "./LineQuantity";
import type { CartLine } from "./view";

/** What is in the cart, one line a product. */
export function CartLines({ lines, heading }: { lines: CartLine[]; heading: "h2" | "h3" }) {
  return (
    <ul className="cart-lines" ref={useFocusHandedOn<HTMLUListElement>(true)}>
      {lines.map((line) => (
        <Line key={line.id} line={line} heading={heading} />
      ))}
    </ul>
  );
}

function Line({ line, heading: Heading }: { line: CartLine; heading: "h2" | "h3" }) {
  const { id, name, priceCents, quantity, stock } = line;
  const address = `/products/${id}`;
  return (
    <li className="cart-line" ref={useFocusHandedOn<HTMLLIElement>()}>
      <Link className="picture" to={address} tabIndex={-1} aria-hidden="true">
        <Picture image={line.image} alt="" sizes="5.4rem" width={96} />
      </Link>
      <div>
        <Heading>
          <Link to={address}>{name}</Link>
        </Heading>
        <p className="cart-line-price">{dollars(priceCents)} each</p>
      </div>
      <p className="cart-line-total">{dollars(priceCents * quantity)}</p>
      <div className="cart-line-controls">
        {stock > 0 ? (
          <LineQuantity line={line} />
        ) : (
          <span className="badge stock-level stock-level-out">Out of Stock</span>
        )}
        <CartForm intent="remove" id={id}>
          <button type="submit" className="btn btn-quiet" aria-label={`Remove ${name}`}>
            <Icon name="trash-2" /> Remove
          </button>
        </CartForm>
      </div>
    </li>
  );
}

/**
 * When a line goes, the next one's Remove takes the focus that was in it; when the whole list goes, the cart's heading
 * does. The cleanup runs while what goes is still on the page.
 */
function useFocusHandedOn<E extends HTMLElement>(whole?: boolean) {
  const ref = useRef<E>(null);
  useLayoutEffect(() => {
    const gone = ref.current;
    const held = whole ? gone?.parentElement : gone;
    return () => {
      if (!held?.contains(document.activeElement)) return;
      const near = whole ? held : (held.nextElementSibling ?? held.previousElementSibling);
      near?.querySelector<HTMLElement>(whole ? "[tabindex]:is(h1, h2)" : ".btn-quiet")?.focus();
    };
  }, [whole]);
  return ref;
}
