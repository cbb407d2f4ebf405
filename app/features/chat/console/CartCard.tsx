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
  const { productId, name, quantity, priceCents, priceCentsNow, stockNow, image } = line;
  const hasNewPrice = priceCentsNow !== null && priceCentsNow !== priceCents;
  return (
    <li>
      <Picture image={image} alt="" sizes="40px" width={40} />
      <b>{stockNow === null ? name : <ProductLink id={productId} name={name} />}</b>
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

/** Link to a product's page, in a new tab so that the conversation stays open. */
export function ProductLink({ id, name }: { id: string; name: string }) {
  return (
    <a href={`/products/${id}`} target="_blank" rel="noopener">
      {name}
    </a>
  );
}

/** Current stock of a product; null for a deleted one. */
export function Stock({ left }: { left: number | null }) {
  if (left === null) return <span className="stock-level out">No longer sold</span>;
  if (left === 0) return <span className="stock-level out">Sold out</span>;
  if (left < LOW_STOCK) return <span className="stock-level low">{`Only ${left} left`}</span>;
  return <span className="stock-level">{`${left} in stock`}</span>;
}
