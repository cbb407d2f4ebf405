import { useActionData, useFetcher } from "@remix-run/react";
import { createContext, useContext, useEffect, useRef, useState } from "react";
import { INVENTORY_PATH } from "./list-params";
import type { StockRow } from "./queries.server";
import { parseStockEdit, stockAfter } from "./stock-edit";

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
  const sent = useRef<SentStock | null>(null);
  const isQueued = useRef(false);
  const onSaved = useContext(OnStockSaved);
  const isSaving = state !== "idle";
  const response = data ?? pageResult;
  const error = isSaving || response === restored ? null : stockError(response);

  const save = (isExplicit: boolean) => {
    const isSent = sent.current?.typed === typed;
    if (typed === null || (isSent && (isSaving || !isExplicit))) return;
    isQueued.current = isSaving;
    if (isSaving) return;
    if (typed.trim() === String(stock)) return restore();
    sent.current = sentStock(typed, stock, isSent && data?.isUnsent ? sent.current : null);
    submit(setStockFields(id, stock, sent.current), POST);
  };
  const restore = () => {
    isQueued.current = false;
    setTyped(null);
    setRestored(response ?? null);
  };
  useResponse(isSaving ? undefined : data, (response) => {
    const submitted = response.failure === null ? sent.current : null;
    const now = submitted?.after ?? currentStock(response);
    if (now !== null) onSaved(id, now);
    if (submitted) {
      sent.current = null;
      setTyped((text) => (text === submitted.typed ? null : text));
    }
    if (isQueued.current) save(true);
  });
  const states = { error, isSaving, isSaved: !isSaving && data?.failure === null && typed === null };
  const value = typed ?? String(stock);
  return { stock, typed, value, change: setTyped, save, restore, ...states };
}

const setStockFields = (id: string, was: number, { typed, change }: SentStock) => ({
  intent: "setStock",
  id,
  stock: typed.trim(),
  was,
  change,
  quietly: "1",
});

interface SentStock {
  typed: string;
  /** Stock that it leads to; null for an invalid one. */
  after: number | null;
  /** Id of the change. */
  change: string;
}

/** Describes what is sent. @param lost the same, whose connection broke: its id makes sure that it is done once */
function sentStock(typed: string, stock: number, lost: SentStock | null): SentStock {
  const edit = parseStockEdit(typed);
  return { typed, after: edit && stockAfter(stock, edit), change: lost?.change ?? newChangeId() };
}

/** Generates an id; randomUUID exists in secure contexts only. */
function newChangeId(): string {
  return [...crypto.getRandomValues(new Uint8Array(12))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
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
  /** The request got lost (app/ui/retrying-action.ts). */
  isUnsent?: boolean;
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
