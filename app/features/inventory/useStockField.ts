import { useActionData, useFetcher } from "@remix-run/react";
import { createContext, type MutableRefObject, useContext, useEffect, useRef, useState } from "react";
import { MAX_STOCK } from "~/domain/stock-levels";
import { unusualStock } from "~/domain/unusual-change";
import { useDelay } from "~/ui/hooks";
import { useLatest } from "~/ui/latest";
import { INVENTORY_PATH } from "./list-params";
import type { StockRow } from "./queries.server";
import { parseStockEdit, stockAfter } from "./stock-edit";

/** Receives a product's stock after it was saved. */
export const OnStockSaved = createContext<(id: string, stock: number) => void>(() => {});

/** Pause after which steps are saved, ms. */
const STEP_PAUSE = 800;

/**
 * Edits a stock in place: saves on blur, a pause after steps, when the page is left, or on request; restores the stored value.
 *
 * @param row with the latest stock
 */
export function useStockField({ id, stock, held }: StockRow) {
  const pageResult = usePageResult(id);
  const text = useTypedStock(stock, held, textOrNull(pageResult?.lastResult?.initialValue?.stock));
  const sending = useSending(id, stock, held);
  const { data, isSaving, sent, send } = sending;
  const { typed, before } = text;
  const confirmed = textOrNull(pageResult?.lastResult?.initialValue?.confirmed);
  const [restored, setRestored] = useState<StockResponse | null>(null);
  const onSaved = useContext(OnStockSaved);
  const response = data ?? pageResult;
  const failure = isSaving || response === restored ? null : stockError(response);
  const { save, restore, isQueued } = useSave(stock, text, sending, () => setRestored(response ?? null));
  const { soon, cancel } = useDelay(() => save(false), STEP_PAUSE);
  const step = (pieces: number) => {
    text.step(pieces);
    soon();
  };
  /** Takes what is typed, which a step before it does not save half. */
  const change = (typed: string) => {
    cancel();
    text.change(typed);
  };
  useSaveOnLeave({ id, stock, held, text, sending, save, isQueued });
  useResponse(isSaving ? undefined : data, (response) => {
    sending.isUnanswered.current = false;
    const submitted = takeSaved(sent, response);
    const now = submitted?.after ?? currentStock(response);
    if (now !== null) onSaved(id, now);
    if (submitted) text.accept(submitted);
    if (isQueued.current) save(true);
  });
  const error = text.asked ?? failure;
  const states = { error, isSaving, isSaved: !isSaving && data?.failure === null && typed === null };
  const undo = before === null || before === stock ? null : () => send(String(before), { isUndo: true });
  const value = typed ?? String(stock);
  return { ...text, ...states, stock, confirmed, value, change, save, step, restore, undo };
}

type TypedStock = ReturnType<typeof useTypedStock>;
type Sending = ReturnType<typeof useSending>;

/** Saves what is typed, at once or after the change that is being saved, or restores the stored stock. */
function useSave(stock: number, text: TypedStock, { isSaving, sent, send }: Sending, onRestore: () => void) {
  const { typed, edit } = text;
  const isQueued = useRef(false);
  const restore = () => {
    isQueued.current = false;
    if (!isSaving) sent.current = null;
    text.clear();
    onRestore();
  };
  const save = (isExplicit: boolean) => {
    // The same text may be typed again while it is saved: +5 twice.
    const isSent = sent.current?.edit === edit.current;
    if (typed === null || (isSent && (isSaving || !isExplicit))) return;
    isQueued.current = isSaving;
    if (isSaving) return;
    const { steps } = edit.current;
    if (steps === undefined ? typed.trim() === String(stock) : steps === 0) return restore();
    if (text.asks(isExplicit)) return;
    send(typed, edit.current);
  };
  return { save, restore, isQueued };
}

/** Sends changes of a product's stock, and holds what was sent last. */
function useSending(id: string, stock: number, held: number) {
  const { data, state, submit } = useFetcher<StockResponse>({ key: `stock-${id}` });
  const sent = useRef<SentStock | null>(null);
  const isUnanswered = useRef(false);
  const send = (text: string, edit: TypedEdit) => {
    sent.current = sentStock(text, stock, edit);
    isUnanswered.current = true;
    submit(setStockFields(id, held, sent.current), POST);
  };
  return { data, isSaving: state !== "idle", sent, isUnanswered, send };
}

interface SaveOnLeave extends Pick<ReturnType<typeof useSave>, "save" | "isQueued"> {
  id: string;
  stock: number;
  held: number;
  text: TypedStock;
  sending: Sending;
}

/** Saves as leaving the field does, and sends again what the page may not live to send. */
function useSaveOnLeave({ id, stock, held, text, sending, save, isQueued }: SaveOnLeave): void {
  const { typed, edit, confirmation } = text;
  const { data, sent, isUnanswered } = sending;
  useOnLeave(() => {
    const earlier = sent.current;
    save(false);
    const isLost = data?.isUnsent && typed !== null && earlier?.edit === edit.current;
    const latest = sent.current;
    if (latest && (isUnanswered.current || isLost)) sendOnLeave(id, held, latest);
    if (!isQueued.current || !earlier || typed === null || confirmation !== null) return;
    sendOnLeave(id, held, sentStock(typed, earlier.after ?? stock, edit.current, earlier.edit));
  });
}

/** Sends a change that outlives its page; its id makes sure that it is done once. */
function sendOnLeave(id: string, held: number, sent: SentStock): void {
  const fields = Object.entries(setStockFields(id, held, sent)).map(([name, value]) => [name, String(value)]);
  navigator.sendBeacon(INVENTORY_PATH, new URLSearchParams(fields));
}

/** Calls back when the page is hidden or closed, and when the field goes with another list or screen. */
function useOnLeave(leave: () => void): void {
  const latest = useLatest(leave);
  useEffect(() => {
    const run = () => latest.current();
    const onChange = () => document.visibilityState === "hidden" && run();
    document.addEventListener("visibilitychange", onChange);
    window.addEventListener("pagehide", run);
    return () => {
      document.removeEventListener("visibilitychange", onChange);
      window.removeEventListener("pagehide", run);
      run();
    };
  }, [latest]);
}

/** Takes what was sent, once it is saved. @returns null for a refusal, which leaves it in place */
function takeSaved(sent: MutableRefObject<SentStock | null>, response: StockResponse): SentStock | null {
  if (response.failure !== null) return null;
  const saved = sent.current;
  sent.current = null;
  return saved;
}

/** Holds what is typed, the confirmation that it was stopped for, and the stock before the last saved change. */
function useTypedStock(stock: number, held: number, initial: string | null) {
  const [typed, setTyped] = useState(initial);
  const [stoppedFor, setStoppedFor] = useState<string | null>(null);
  const [before, setBefore] = useState<number | null>(null);
  const edit = useRef<TypedEdit>({});
  const parsed = typed === null ? null : parseStockEdit(typed);
  const confirmation = parsed ? unusualStock(stock, stockAfter(stock, parsed), held) : null;
  const mustConfirm = confirmation !== null && stoppedFor !== typed;
  const change = (text: string) => {
    edit.current = {};
    setBefore(null);
    setTyped(text);
  };
  /** Stops an unusual change once; leaving the field never saves it. @returns true for a change that is not saved */
  const asks = (isExplicit: boolean) => {
    if (confirmation === null || (isExplicit && !mustConfirm)) return false;
    setStoppedFor(typed);
    return true;
  };
  const clear = () => {
    setTyped(null);
    setStoppedFor(null);
  };
  const accept = (saved: SentStock) => {
    setBefore(saved.edit.isUndo ? null : saved.was);
    const { steps } = edit.current;
    if (saved.edit === edit.current) setTyped(null);
    else if (steps !== undefined) edit.current.steps = steps - (saved.edit.steps ?? 0);
  };
  /** Changes what is typed by a number of pieces. */
  const step = (pieces: number) => {
    const from = parsed ? stockAfter(stock, parsed) : stock;
    const after = Math.min(Math.max(from + pieces, 0), MAX_STOCK);
    const steps = typed === null ? 0 : edit.current.steps;
    change(String(after));
    if (steps !== undefined) edit.current.steps = steps + after - from;
  };
  const asked = stoppedFor !== null && stoppedFor === typed ? confirmation : null;
  return { typed, before, edit, confirmation, asked, mustConfirm, change, step, asks, clear, accept };
}

const setStockFields = (id: string, held: number, { typed, was, change }: SentStock) => ({
  intent: "setStock",
  id,
  stock: typed.trim(),
  was,
  held,
  change,
  quietly: "1",
});

/** One text of the field, or one Undo. Sent again after a lost request, it has the same id, which changes the stock once. */
interface TypedEdit {
  change?: string;
  /** Pieces that the buttons added: they add up with those of somebody else. Undefined for a text that was typed. */
  steps?: number;
  isUndo?: boolean;
}

interface SentStock {
  typed: string;
  /** Stock before it. */
  was: number;
  /** Stock that it leads to; null for an invalid one. */
  after: number | null;
  /** Id of the change. */
  change: string;
  edit: TypedEdit;
}

/** Composes a request. @param earlier edit that is being saved, whose steps are among those of this one */
function sentStock(text: string, stock: number, edit: TypedEdit, earlier?: TypedEdit): SentStock {
  const steps = edit.steps === undefined ? undefined : edit.steps - (earlier?.steps ?? 0);
  const typed = steps === undefined ? text : `${steps < 0 ? "" : "+"}${steps}`;
  const parsed = parseStockEdit(typed);
  edit.change ??= newChangeId();
  return { typed, was: stock, after: parsed && stockAfter(stock, parsed), change: edit.change, edit };
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
  const latest = useLatest(handle);
  useEffect(() => {
    if (response) latest.current(response);
  }, [response, latest]);
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
