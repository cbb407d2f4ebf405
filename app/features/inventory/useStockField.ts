import { useActionData, useFetcher } from "@remix-run/react";
import { createContext, useContext, useEffect, useRef, useState } from "react";
import { INVENTORY } from "./list-params";
import type { StockRow } from "./queries.server";
import { currentStock, type StockResponse, stockError } from "./stock-response";

/** Notes that a product's stock is another one now. */
export const OnStockSaved = createContext<(id: string, stock: number) => void>(() => {});

/**
 * A stock that is edited in place: saved by itself when it is left or asked for, restored by Escape.
 *
 * @param row whose `stock` is the last one that was read
 */
export function useStockField({ id, stock }: StockRow) {
  const refused = usePlainAnswer(id);
  const { data, state, submit } = useFetcher<StockResponse>({ key: `stock-${id}` });
  const [typed, setTyped] = useState<string | null>(() => textOf(refused?.lastResult?.initialValue?.stock));
  const [restored, setRestored] = useState<StockResponse | null>(null);
  const sent = useRef<string | null>(null);
  const isWaiting = useRef(false);
  const note = useContext(OnStockSaved);
  const isSaving = state !== "idle";
  const answer = data ?? refused;
  const error = isSaving || answer === restored ? null : stockError(answer);

  const save = (isAsked: boolean) => {
    if (typed === null || (typed === sent.current && (isSaving || !isAsked))) return;
    isWaiting.current = isSaving;
    if (isSaving) return;
    if (typed.trim() === String(stock)) return restore();
    sent.current = typed;
    submit({ intent: "setStock", id, stock: typed.trim(), was: stock, quietly: "1" }, POST);
  };
  const restore = () => {
    isWaiting.current = false;
    setTyped(null);
    setRestored(answer ?? null);
  };
  useAnswered(isSaving ? undefined : data, (told) => {
    const stored = sent.current;
    const now = currentStock(told);
    if (now !== null) note(id, now);
    if (told.failure === null && stored !== null) {
      sent.current = null;
      note(id, Number(stored));
      setTyped((text) => (text === stored ? null : text));
    }
    if (isWaiting.current) save(true);
  });
  const isSet = !isSaving && data?.failure === null && typed === null;
  return { value: typed ?? String(stock), type: setTyped, save, restore, error, isSaving, isSet };
}

const POST = { method: "post", action: INVENTORY } as const;

const textOf = (value: unknown) => (typeof value === "string" ? value : null);

/** What the page's action answered about this product, where it was asked without a script. */
function usePlainAnswer(id: string): StockResponse | undefined {
  const plain = useActionData<StockResponse>();
  return plain?.lastResult?.initialValue?.id === id ? plain : undefined;
}

/** Looks at each answer once, when it has come and the rows have been read again. */
function useAnswered(answer: StockResponse | undefined, then: (answer: StockResponse) => void): void {
  const latest = useRef(then);
  latest.current = then;
  useEffect(() => {
    if (answer) latest.current(answer);
  }, [answer]);
}
