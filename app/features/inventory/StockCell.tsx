import { Form, useLocation } from "@remix-run/react";
import { type FormEvent, type KeyboardEvent, useId } from "react";
import { Icon } from "~/ui/Icon";
import type { StockRow } from "./queries.server";
import { useStockField } from "./useStockField";

/** Edits a stock in place: Enter and Tab save and move on, Escape restores; without JavaScript a form with a button. */
export function StockCell({ row }: { row: StockRow }) {
  const field = useStockField(row);
  const { pathname, search } = useLocation();
  const statusId = useId();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    field.save(true);
  };
  return (
    <Form method="post" action={pathname + search} className="set-stock" onSubmit={onSubmit}>
      <input type="hidden" name="id" value={row.id} />
      <input type="hidden" name="was" value={row.stock} />
      <SaveMark {...field} />
      <StockInput name={row.name} statusId={statusId} field={field} />
      <button type="submit" name="intent" value="setStock" className="btn without-script">
        Save
      </button>
      <Status id={statusId} {...field} />
    </Form>
  );
}

type Field = ReturnType<typeof useStockField>;

interface StockInputProps {
  /** Name of the product. */
  name: string;
  statusId: string;
  field: Field;
}

function StockInput({ name, statusId, field }: StockInputProps) {
  return (
    <input
      className="input num"
      name="stock"
      aria-label={`Stock of ${name}`}
      aria-describedby={statusId}
      aria-invalid={field.error ? true : undefined}
      inputMode="numeric"
      autoComplete="off"
      maxLength={12}
      value={field.value}
      onChange={({ target }) => field.change(target.value)}
      onFocus={({ target }) => target.select()}
      onBlur={() => field.save(false)}
      onKeyDown={(event) => onKey(event, field)}
    />
  );
}

function onKey(event: KeyboardEvent<HTMLInputElement>, { save, restore }: Field): void {
  const { key, currentTarget } = event;
  const rows = ROW_STEPS[key];
  if (rows === undefined && key !== "Escape") return;
  event.preventDefault();
  if (key === "Escape") restore();
  if (key === "Enter") save(true);
  if (rows !== undefined) focusRow(currentTarget, rows);
}

function Status({ id, error, isSaved }: { id: string } & Pick<Field, "error" | "isSaved">) {
  return (
    <span id={id} role="status" className="status-message">
      {error && (
        <span className="err">
          <Icon name="circle-alert" className="i s" />
          {error}
        </span>
      )}
      {isSaved && <span className="visually-hidden">Saved</span>}
    </span>
  );
}

function SaveMark({ isSaving, isSaved }: Pick<Field, "isSaving" | "isSaved">) {
  if (isSaving) return <span className="spinner" aria-hidden="true" />;
  return isSaved ? <Icon name="check" className="i s ok" /> : null;
}

/** Rows that a key moves the focus down. */
const ROW_STEPS: Record<string, number> = { Enter: 1, ArrowDown: 1, ArrowUp: -1 };

function focusRow(from: HTMLInputElement, rows: number): void {
  const table = from.closest("table");
  const fields = [...(table?.querySelectorAll<HTMLInputElement>("input[name=stock]") ?? [])];
  fields[fields.indexOf(from) + rows]?.focus();
}
