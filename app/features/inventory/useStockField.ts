import { useActionData, useFetcher } from "@remix-run/react";
import { createContext, type MutableRefObject, useContext, useEffect, useRef, useState } from "react";
import { MAX_STOCK } from "~/domain/stock-levels";
import { INVENTORY_PATH } from "./list-params";
import type { StockRow } from "./queries.server";
import { parseStockEdit, stockAfter, stockQuestion } from "./stock-edit";

/** Receives a product's stock after it was saved. */
export const OnStockSaved = createContext<(id: string, stock: number) => void>(() => {});

/**
 * Edits a stock in place: saves on blur or on request and restores the stored value.
 *
 * @param row with the latest stock
 */
export function useStockField({ id, stock }: StockRow) {
  const pageResult = usePageResult(id);
  const text = useTypedStock(stock, textOrNull(pageResult?.lastResult?.initialValue?.stock));
  const { data, isSaving, sent, send } = useSending(id, stock, text.edits);
  const { typed, before } = text;
  const [restored, setRestored] = useState<StockResponse | null>(null);
  const isQueued = useRef(false);
  const onSaved = useContext(OnStockSaved);
  const response = data ?? pageResult;
  const failure = isSaving || response === restored ? null : stockError(response);

  const save = (isExplicit: boolean) => {
    // The same text may be typed again while it is saved: +5 twice.
    const isSent = sent.current?.edits === text.edits.current;
    if (typed === null || (isSent && (isSaving || !isExplicit))) return;
    isQueued.current = isSaving;
    if (isSaving) return;
    if (typed.trim() === String(stock)) return restore();
    if (text.asks(isExplicit)) return;
    send(typed, isSent && data?.isUnsent ? sent.current : null);
  };
  const restore = () => {
    isQueued.current = false;
    text.clear();
    setRestored(response ?? null);
  };
  useResponse(isSaving ? undefined : data, (response) => {
    const submitted = takeSaved(sent, response);
    const now = submitted?.after ?? currentStock(response);
    if (now !== null) onSaved(id, now);
    if (submitted) text.accept(submitted);
    if (isQueued.current) save(true);
  });
  const error = text.question ?? failure;
  const states = { error, isSaving, isSaved: !isSaving && data?.failure === null && typed === null };
  const undo = before === null || before === stock ? null : () => send(String(before), null);
  return { ...text, ...states, stock, value: typed ?? String(stock), save, restore, undo };
}

/** Sends changes of a product's stock, and holds what was sent last. @param edits number of times that the text was changed */
function useSending(id: string, stock: number, edits: MutableRefObject<number>) {
  const { data, state, submit } = useFetcher<StockResponse>({ key: `stock-${id}` });
  const sent = useRef<SentStock | null>(null);
  const send = (text: string, lost: SentStock | null) => {
    sent.current = { ...sentStock(text, stock, lost), edits: edits.current };
    submit(setStockFields(id, stock, sent.current), POST);
  };
  return { data, isSaving: state !== "idle", sent, send };
}

/** Takes what was sent, once it is saved. @returns null for a refusal, which leaves it in place */
function takeSaved(sent: MutableRefObject<SentStock | null>, response: StockResponse): SentStock | null {
  if (response.failure !== null) return null;
  const saved = sent.current;
  sent.current = null;
  return saved;
}

/** Holds what is typed, the question that it was stopped for, and the stock before the last saved change. */
function useTypedStock(stock: number, initial: string | null) {
  const [typed, setTyped] = useState(initial);
  const [asked, setAsked] = useState<string | null>(null);
  const [before, setBefore] = useState<number | null>(null);
  const edits = useRef(0);
  const edit = typed === null ? null : parseStockEdit(typed);
  const question = edit ? stockQuestion(stock, edit) : null;
  const mustAnswer = question !== null && asked !== typed;
  const change = (text: string) => {
    edits.current++;
    setBefore(null);
    setTyped(text);
  };
  /** Stops an unusual change once; leaving the field never saves it. @returns true for a change that is not saved */
  const asks = (isExplicit: boolean) => {
    if (question === null || (isExplicit && !mustAnswer)) return false;
    setAsked(typed);
    return true;
  };
  const clear = () => {
    setTyped(null);
    setAsked(null);
  };
  const accept = (saved: SentStock) => {
    setBefore(saved.was);
    if (saved.edits === edits.current) setTyped(null);
  };
  /** Changes what is typed by a number of pieces. */
  const step = (pieces: number) => {
    const after = (edit ? stockAfter(stock, edit) : stock) + pieces;
    change(String(Math.min(Math.max(after, 0), MAX_STOCK)));
  };
  const shown = asked !== null && asked === typed ? question : null;
  return { typed, before, edits, question: shown, mustAnswer, change, step, asks, clear, accept };
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
  /** Stock before it. */
  was: number;
  /** Stock that it leads to; null for an invalid one. */
  after: number | null;
  /** Id of the change. */
  change: string;
  /** Number of times that the text was changed until then. */
  edits: number;
}

/** Describes what is sent. @param lost the same, whose connection broke: its id makes sure that it is done once */
function sentStock(typed: string, stock: number, lost: SentStock | null): Omit<SentStock, "edits"> {
  const edit = parseStockEdit(typed);
  return { typed, was: stock, after: edit && stockAfter(stock, edit), change: lost?.change ?? newChangeId() };
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
