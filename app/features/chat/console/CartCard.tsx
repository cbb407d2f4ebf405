import { useEffect, useRef } from "react";
import { Icon } from "~/ui/Icon";
import { dollars } from "~/ui/money";
import { Picture } from "~/ui/Picture";
import type { ChatCartLineNow } from "../operations/messages.server";

/** Stock below which the quantity left is displayed. */
const LOW_STOCK = 5;

interface CartCardProps {
  cart: { lines: ChatCartLineNow[]; totalCents: number };
}

/** Cart at the start of the chat with the current stock: beside the messages, collapsed on narrow screens. */
export function CartCard({ cart: { lines, totalCents } }: CartCardProps) {
  const card = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (card.current && !window.matchMedia("(min-width: 75.01rem)").matches) card.current.open = false;
  }, []);
  const items = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <details ref={card} className="chat-cart" open>
      <summary>
        <Icon name="shopping-cart" className="i s" />
        {`Cart, ${items} ${items === 1 ? "item" : "items"}, ${dollars(totalCents)}`}
        <Icon name="chevron-right" className="i s chev" />
      </summary>
      <p className="note">As it was when the visitor asked. Stock is live.</p>
      <ul>
        {lines.map((line) => (
          <CartLine key={line.productId} line={line} />
        ))}
      </ul>
      <p className="chat-cart-total">
        <span>Total</span>
        <span>{dollars(totalCents)}</span>
      </p>
    </details>
  );
}

function CartLine({ line }: { line: ChatCartLineNow }) {
  const { name, quantity, priceCents, priceCentsNow, stockNow, image } = line;
  const hasNewPrice = priceCentsNow !== null && priceCentsNow !== priceCents;
  return (
    <li>
      <Picture image={image} alt="" sizes="40px" width={40} />
      <b>{name}</b>
      <span className="chat-cart-price">{dollars(priceCents * quantity)}</span>
      <span className="chat-cart-meta">
        <span>
          {`${quantity} × ${dollars(priceCents)}`}
          {hasNewPrice && `, now ${dollars(priceCentsNow)}`}
        </span>
        <Stock left={stockNow} />
      </span>
    </li>
  );
}

function Stock({ left }: { left: number | null }) {
  if (left === null) return <span className="stock-level out">No longer sold</span>;
  if (left === 0) return <span className="stock-level out">Sold out</span>;
  if (left < LOW_STOCK) return <span className="stock-level low">{`Only ${left} left`}</span>;
  return <span className="stock-level">{`${left} in stock`}</span>;
}
