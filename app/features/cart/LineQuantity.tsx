import { useEffect, useRef } from "react";
import { Stepper } from "~/ui/Stepper";
import { showToast } from "~/ui/Toasts";
import { CartForm } from "./CartForm";
import type { CartLine } from "./view";

/**
 * How many of a line. The buttons send one less and one more, the field what was typed: on Enter, and with a script on
 * leaving it.
 */
export function LineQuantity({ line }: { line: CartLine }) {
  const { id, name, quantity, stock } = line;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current) field.current.value = String(quantity);
  }, [quantity]);
  const isNews = () => field.current !== null && settle(field.current, line) !== quantity;
  return (
    <CartForm intent="set" id={id}>
      {/* The first button is the one that Enter presses. */}
      <button type="submit" hidden onClick={(event) => isNews() || event.preventDefault()}>
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
          onBlur={() => isNews() && field.current?.form?.requestSubmit()}
        />
      </Stepper>
    </CartForm>
  );
}

/** Makes what was typed possible: too many are as many as there are, what is no whole number is what it was. */
function settle(field: HTMLInputElement, { quantity, stock }: CartLine): number {
  const typed = field.valueAsNumber;
  if (typed > stock) showToast("blank", `Only ${stock} left`);
  const settled = Number.isInteger(typed) ? Math.min(Math.max(typed, 0), stock) : quantity;
  field.value = String(settled);
  return settled;
}
