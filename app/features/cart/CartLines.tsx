import { Link } from "@remix-run/react";
import { Trash2 } from "lucide-react";
import { dollars } from "~/ui/money";
import { Picture } from "~/ui/Picture";
import { Stepper } from "~/ui/Stepper";
import { CartForm } from "./CartForm";
import type { CartLine } from "./view";

/** What is in the cart, one line a product. */
export function CartLines({ lines, heading }: { lines: CartLine[]; heading: "h2" | "h3" }) {
  return (
    <ul className="lines">
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
    <li className="line">
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
        {stock > 0 ? <Quantity line={line} /> : <span className="badge stock stock-out">Out of Stock</span>}
        <CartForm intent="remove" id={id}>
          <button type="submit" className="btn btn-quiet" aria-label={`Remove ${name}`}>
            <Trash2 className="i" aria-hidden="true" /> Remove
          </button>
        </CartForm>
      </div>
    </li>
  );
}

/** The buttons send one less and one more, the field what was typed: on Enter, and with a script on leaving it. */
function Quantity({ line: { id, name, quantity, stock } }: { line: CartLine }) {
  return (
    <CartForm intent="set" id={id}>
      {/* The first button is the one that Enter presses. */}
      <button type="submit" hidden>
        Set quantity
      </button>
      <Stepper
        small
        label={`Quantity of ${name}`}
        less={{ disabled: false, name: "step", value: "-1" }}
        more={{ disabled: quantity >= stock, name: "step", value: "1" }}
      >
        <input
          key={quantity}
          className="num"
          type="number"
          inputMode="numeric"
          name="quantity"
          aria-label="Quantity"
          defaultValue={quantity}
          min={0}
          max={stock}
          required
          onBlur={({ currentTarget: field }) => {
            if (field.value === String(quantity)) return;
            if (Number(field.value) > stock) field.value = String(stock);
            field.form?.requestSubmit();
          }}
        />
      </Stepper>
    </CartForm>
  );
}
