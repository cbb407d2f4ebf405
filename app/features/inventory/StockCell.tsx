import { Form, useLocation } from "@remix-run/react";
import { type FormEvent, type KeyboardEvent, useId } from "react";
import { Icon } from "~/ui/Icon";
import type { StockRow } from "./queries.server";
import { useStockField } from "./useStockField";

/**
 * A product's stock, edited in place: Enter and Tab save and move on, Escape restores. Without a script it is a form
 * with its button.
 */
export function StockCell({ row }: { row: StockRow }) {
  const field = useStockField(row);
  const { pathname, search } = useLocation();
  const told = useId();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    field.save(true);
  };
  return (
    <Form method="post" action={pathname + search} className="set-stock" onSubmit={onSubmit}>
      <input type="hidden" name="id" value={row.id} />
      <input type="hidden" name="was" value={row.stock} />
      <Mark {...field} />
      <StockInput name={row.name} told={told} field={field} />
      <button type="submit" name="intent" value="setStock" className="btn without-script">
        Save
      </button>
      <Told id={told} {...field} />
    </Form>
  );
}

type Field = ReturnType<typeof useStockField>;

interface StockInputProps {
  /** The product's. */
  name: string;
  /** The id of what is said about it. */
  told: string;
  field: Field;
}

function StockInput({ name, told, field }: StockInputProps) {
  return (
    <input
      className="input num"
      name="stock"
      aria-label={`Stock of ${name}`}
      aria-describedby={told}
      aria-invalid={field.error ? true : undefined}
      inputMode="numeric"
      autoComplete="off"
      maxLength={12}
      value={field.value}
      onChange={({ target }) => field.type(target.value)}
      onFocus={({ target }) => target.select()}
      onBlur={() => field.save(false)}
      onKeyDown={(event) => onKey(event, field)}
    />
  );
}

function onKey(event: KeyboardEvent<HTMLInputElement>, { save, restore }: Field): void {
  const { key, currentTarget } = event;
  const rows = STEPS[key];
  if (rows === undefined && key !== "Escape") return;
  event.preventDefault();
  if (key === "Escape") restore();
  if (key === "Enter") save(true);
  if (rows !== undefined) stepTo(currentTarget, rows);
}

function Told({ id, error, isSet }: { id: string } & Pick<Field, "error" | "isSet">) {
  return (
    <span id={id} role="status" className="status-message">
      {error && (
        <span className="err">
          <Icon name="circle-alert" className="i s" />
          {error}
        </span>
      )}
      {isSet && <span className="visually-hidden">Saved</span>}
    </span>
  );
}

function Mark({ isSaving, isSet }: Pick<Field, "isSaving" | "isSet">) {
  if (isSaving) return <span className="spinner" aria-hidden="true" />;
  return isSet ? <Icon name="check" className="i s ok" /> : null;
}

/** Keys that go to the stock of another row, and how many rows down. */
const STEPS: Record<string, number> = { Enter: 1, ArrowDown: 1, ArrowUp: -1 };

function stepTo(from: HTMLInputElement, rows: number): void {
  const table = from.closest("table");
  const fields = [...(table?.querySelectorAll<HTMLInputElement>("input[name=stock]") ?? [])];
  fields[fields.indexOf(from) + rows]?.focus();
}
