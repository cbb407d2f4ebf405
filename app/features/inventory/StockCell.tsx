import { Form, useActionData, useFetcher, useLocation } from "@remix-run/react";
import {
  createContext,
  type FormEvent,
  type KeyboardEvent,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { MAX_STOCK } from "~/features/catalogue/product-fields";
import { Icon } from "~/ui/Icon";
import { INVENTORY_PATH } from "./list-params";
import type { StockRow } from "./queries.server";

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

function StockInput({ name, statusId, field }: { name: string; statusId: string; field: Field }) {
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
  // After a rejected value the focus stays, so that it can be corrected.
  if (rows !== undefined && (key !== "Enter" || isStock(currentTarget.value))) focusRow(currentTarget, rows);
}

function isStock(text: string): boolean {
  return /^\d+$/.test(text.trim()) && Number(text) <= MAX_STOCK;
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

/** Receives a product's stock after it was saved. */
export const OnStockSaved = createContext<(id: string, stock: number) => void>(() => {});

/**
 * Edits a stock in place: saves on blur or on request and restores the stored value.
 *
 * @param row with the latest stock
 */
export function useStockField({ id, stock }: StockRow) {
  const pageResult = usePageResult(id);
  const { data, state, submit } = useFetcher<StockResponse>({ key: `stock-${id}` });
  const [typed, setTyped] = useState(() => textOrNull(pageResult?.lastResult?.initialValue?.stock));
  const [restored, setRestored] = useState<StockResponse | null>(null);
  const sent = useRef<string | null>(null);
  const isQueued = useRef(false);
  const onSaved = useContext(OnStockSaved);
  const isSaving = state !== "idle";
  const response = data ?? pageResult;
  const error = isSaving || response === restored ? null : stockError(response);

  const save = (isExplicit: boolean) => {
    if (typed === null || (typed === sent.current && (isSaving || !isExplicit))) return;
    isQueued.current = isSaving;
    if (isSaving) return;
    if (typed.trim() === String(stock)) return restore();
    sent.current = typed;
    submit({ intent: "setStock", id, stock: typed.trim(), was: stock, quietly: "1" }, POST);
  };
  const restore = () => {
    isQueued.current = false;
    setTyped(null);
    setRestored(response ?? null);
  };
  useResponse(isSaving ? undefined : data, (response) => {
    const submitted = sent.current;
    const now = currentStock(response);
    if (now !== null) onSaved(id, now);
    if (response.failure === null && submitted !== null) {
      sent.current = null;
      onSaved(id, Number(submitted));
      setTyped((text) => (text === submitted ? null : text));
    }
    if (isQueued.current) save(true);
  });
  const value = typed ?? String(stock);
  const isSaved = !isSaving && data?.failure === null && typed === null;
  return { value, change: setTyped, save, restore, error, isSaving, isSaved };
}

const POST = { method: "post", action: INVENTORY_PATH } as const;

const textOrNull = (value: unknown) => (typeof value === "string" ? value : null);

/** Returns the result of a form sent without JavaScript, if it concerns this product. */
function usePageResult(id: string): StockResponse | undefined {
  const result = useActionData<StockResponse>();
  return result?.lastResult?.initialValue?.id === id ? result : undefined;
}

/** Handles each response once, after the rows have been read again. */
function useResponse(response: StockResponse | undefined, handle: (response: StockResponse) => void): void {
  const latest = useRef(handle);
  latest.current = handle;
  useEffect(() => {
    if (response) latest.current(response);
  }, [response]);
}

/** Result of the inventory's action (app/http/form-action.server.ts). */
export interface StockResponse {
  lastResult: {
    initialValue?: Record<string, unknown> | undefined;
    error?: Record<string, string[] | null> | null | undefined;
  } | null;
  /** Null when the stock was set. */
  failure: string | null;
}

/** Returns the error of the stock field, else the failure of the whole request. */
function stockError(response: StockResponse | undefined): string | null {
  if (!response || response.failure === null) return null;
  return response.lastResult?.error?.stock?.[0] ?? response.failure;
}

/** Returns the stored stock of an edit conflict. */
function currentStock(response: StockResponse): number | null {
  const stock = response.lastResult?.error?.was?.[0];
  return stock && /^\d+$/.test(stock) ? Number(stock) : null;
}
