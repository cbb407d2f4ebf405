import { useActionData, useFetcher } from "@remix-run/react";
import { createContext, useContext, useEffect, useRef, useState } from "react";
import { INVENTORY_PATH } from "./list-params";
import type { StockRow } from "./queries.server";

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
