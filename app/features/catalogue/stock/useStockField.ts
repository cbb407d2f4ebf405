import { useActionData, useFetcher } from "@remix-run/react";
import { createContext, useContext, useEffect, useRef, useState } from "react";
import { type StockAnswer, stockNow, wrongWith } from "./answer";
import { INVENTORY } from "./place";
import type { StockRow } from "./stock.queries.server";

/** Notes that a product's stock is another one now. */
export const NoteStock = createContext<(id: string, stock: number) => void>(() => {});

/**
 * A stock that is edited in place: saved by itself when it is left or asked for, restored by Escape.
 *
 * @param row whose `stock` is the last one that was read
 */
export function useStockField({ id, stock }: StockRow) {
  const refused = usePlainAnswer(id);
  const { data, state, submit } = useFetcher<StockAnswer>({ key: `stock-${id}` });
  const [typed, setTyped] = useState<string | null>(() => textOf(refused?.lastResult?.initialValue?.stock));
  const [restored, setRestored] = useState<StockAnswer | null>(null);
  const sent = useRef<string | null>(null);
  const isSaving = state !== "idle";
  const answer = data ?? refused;
  const error = isSaving || answer === restored ? null : wrongWith(answer);
  useAnswered(id, isSaving ? undefined : data, (isSet) => {
    if (isSet) setTyped((now) => (now === sent.current ? null : now));
    sent.current = isSet ? null : sent.current;
  });

  const save = (isAsked: boolean) => {
    if (typed === null || (typed === sent.current && (isSaving || !isAsked))) return;
    if (typed.trim() === String(stock)) return restore();
    sent.current = typed;
    submit({ intent: "setStock", id, stock: typed.trim(), was: stock, quietly: "1" }, POST);
  };
  const restore = () => {
    setTyped(null);
    setRestored(answer ?? null);
  };
  const isSet = !isSaving && data?.failure === null && typed === null;
  return { value: typed ?? String(stock), type: setTyped, save, restore, error, isSaving, isSet };
}

const POST = { method: "post", action: INVENTORY } as const;

const textOf = (value: unknown) => (typeof value === "string" ? value : null);

/** What the page's action answered about this product, where it was asked without a script. */
function usePlainAnswer(id: string): StockAnswer | undefined {
  const plain = useActionData<StockAnswer>();
  return plain?.lastResult?.initialValue?.id === id ? plain : undefined;
}

/** Looks at each answer once, when it has come. */
function useAnswered(id: string, answer: StockAnswer | undefined, then: (isSet: boolean) => void): void {
  const note = useContext(NoteStock);
  const latest = useRef(then);
  latest.current = then;
  useEffect(() => {
    if (!answer) return;
    const now = stockNow(answer);
    if (now !== null) note(id, now);
    latest.current(answer.failure === null);
  }, [id, answer, note]);
}
