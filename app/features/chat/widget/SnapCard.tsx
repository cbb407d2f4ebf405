import { dollars } from "~/ui/money";
import { Picture } from "~/ui/Picture";
import type { Snapshot } from "../pages.server";

/** What the visitor asked for, as it was when the chat began: in place of the message that lists it in words. */
export function SnapCard({ cart, message }: { cart: Snapshot; message: string }) {
  return (
    <div className="chat-cart-snapshot">
      <p>{message.split("\n- ", 1)[0]}</p>
      <ul>
        {cart.lines.map(({ productId, name, quantity, priceCents, image }) => (
          <li key={productId}>
            <Picture image={image} alt="" sizes="40px" width={40} />
            <span>
              <b>{name}</b>
              {`${quantity} × ${dollars(priceCents)}`}
            </span>
            <b>{dollars(priceCents * quantity)}</b>
          </li>
        ))}
      </ul>
      <p className="chat-total">
        <span>Total</span> {dollars(cart.totalCents)}
      </p>
    </div>
  );
}
