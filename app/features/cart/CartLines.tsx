import { Link } from "@remix-run/react";
import { Trash2 } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { dollars } from "~/ui/money";
import { Picture } from "~/ui/Picture";
import { CartForm } from "./CartForm";
import { LineQuantity } from "./LineQuantity";
import type { CartLine } from "./view";

/** What is in the cart, one line a product. */
export function CartLines({ lines, heading }: { lines: CartLine[]; heading: "h2" | "h3" }) {
  return (
    <ul className="lines" ref={useFocusAfterLast()}>
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
    <li className="line" ref={useFocusAfterRemoval()}>
      <Link className="pic" to={address} tabIndex={-1} aria-hidden="true">
        <Picture image={line.image} alt="" sizes="5.4rem" width={96} />
      </Link>
      <div>
        <Heading>
          <Link to={address}>{name}</Link>
        </Heading>
        <p className="each">{dollars(priceCents)} each</p>
      </div>
      <p className="sum">{dollars(priceCents * quantity)}</p>
      <div className="ctl">
        {stock > 0 ? (
          <LineQuantity line={line} />
        ) : (
          <span className="badge stock stock-out">Out of Stock</span>
        )}
        <CartForm intent="remove" id={id}>
          <button type="submit" className="btn btn-quiet" aria-label={`Remove ${name}`}>
            <Trash2 className="i" aria-hidden="true" /> Remove
          </button>
        </CartForm>
      </div>
    </li>
  );
}

/** A line that goes hands the focus on to the next one's Remove: the cleanup runs while it is still on the page. */
function useFocusAfterRemoval() {
  const ref = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    const line = ref.current;
    return () => {
      if (!line?.contains(document.activeElement)) return;
      const near = line.nextElementSibling ?? line.previousElementSibling;
      near?.querySelector<HTMLElement>(".btn-quiet")?.focus();
    };
  }, []);
  return ref;
}

/** With the last line the focus goes to the cart's heading, from wherever in the cart it was. */
function useFocusAfterLast() {
  const ref = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const cart = ref.current?.parentElement;
    return () => {
      if (cart?.contains(document.activeElement))
        cart.querySelector<HTMLElement>("[tabindex]:is(h1, h2)")?.focus();
    };
  }, []);
  return ref;
}
