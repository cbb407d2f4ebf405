import { Form, useLocation } from "@remix-run/react";
import { Check, CircleAlert } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useId } from "react";
import type { StockRow } from "./stock.queries.server";
import { useStockField } from "./useStockField";

/**
 * A product's stock, edited in place: Enter and Tab save and move on, Escape restores. Without a script it is a form
 * with its button.
 */
export function StockCell({ row }: { row: StockRow }) {
  const { value, type, save, restore, error, isSaving, isSet } = useStockField(row);
  const { pathname, search } = useLocation();
  const told = useId();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save(true);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key, currentTarget } = event;
    if (key === "Escape") restore();
    if (key === "Enter") save(true);
    if (key === "Enter" || key in STEPS) stepTo(currentTarget, STEPS[key] ?? 1);
    if (key === "Enter" || key === "Escape" || key in STEPS) event.preventDefault();
  };
  return (
    <Form method="post" action={pathname + search} className="set-stock" onSubmit={onSubmit}>
      <input type="hidden" name="id" value={row.id} />
      <input type="hidden" name="was" value={row.stock} />
      <Mark isSaving={isSaving} isSet={isSet} />
      <input
        className="input num"
        name="stock"
        aria-label={`Stock of ${row.name}`}
        aria-describedby={told}
        aria-invalid={error ? true : undefined}
        inputMode="numeric"
        autoComplete="off"
        maxLength={12}
        value={value}
        onChange={({ target }) => type(target.value)}
        onFocus={({ target }) => target.select()}
        onBlur={() => save(false)}
        onKeyDown={onKeyDown}
      />
      <button type="submit" name="intent" value="setStock" className="btn no-script">
        Save
      </button>
      <span id={told} role="status" className="told">
        {error && (
          <span className="err">
            <CircleAlert className="i s" aria-hidden="true" />
            {error}
          </span>
        )}
        {isSet && <span className="sr">Saved</span>}
      </span>
    </Form>
  );
}

function Mark({ isSaving, isSet }: { isSaving: boolean; isSet: boolean }) {
  if (isSaving) return <span className="spin" aria-hidden="true" />;
  return isSet ? <Check className="i s ok" aria-hidden="true" /> : null;
}

/** Keys that go to the stock of another row, and how many rows down. */
const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

function stepTo(from: HTMLInputElement, rows: number): void {
  const table = from.closest("table");
  const fields = [...(table?.querySelectorAll<HTMLInputElement>("input[name=stock]") ?? [])];
  fields[fields.indexOf(from) + rows]?.focus();
}
