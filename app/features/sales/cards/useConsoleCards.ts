import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import type { ChatMessage } from "~/features/chat/protocol";
import type { SaleCardsData } from "./card-data";
import { useSaleCards } from "./useSaleCards";

const statesOf = ({ holds, quotes, receipts }: SaleCardsData) =>
  JSON.stringify([[...holds, ...quotes].map(({ id, state }) => [id, state]), receipts]);

/**
 * Reads the cards of a conversation, and loads the console again when one has changed: its column and the amount of the
 * next sale depend on them.
 *
 * @param loaded data that the page came with
 */
export function useConsoleCards(messages: ChatMessage[], loaded: SaleCardsData | undefined) {
  const { data } = useSaleCards(messages, loaded);
  const { revalidate } = useRevalidator();
  const requested = useRef("");
  useEffect(() => {
    if (!data || !loaded || statesOf(data) === statesOf(loaded) || requested.current === statesOf(data))
      return;
    requested.current = statesOf(data);
    revalidate();
  }, [data, loaded, revalidate]);
  return data;
}
