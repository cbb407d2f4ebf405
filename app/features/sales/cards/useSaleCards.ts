import { useCallback, useEffect, useState } from "react";
import type { ChatMessage } from "~/features/chat/protocol";
import { hasSaleCards, type SaleCardsData } from "./card-data";

/** Cards of a chat with their current data. */
export interface ChatSaleCards {
  /** null until it is read. */
  data: SaleCardsData | null;
  /** Reads the data again; a failure keeps what is known. */
  refresh: () => Promise<void>;
}

/** Longest wait of a timer, ms. */
const MAX_WAIT = 3_600_000;

/**
 * Reads the cards of a chat: once it has any, with each new message, which may tell of a decision, when the page becomes
 * visible and when a hold ends.
 *
 * @param initial data that the page came with; later data replaces what is known
 */
export function useSaleCards(messages: ChatMessage[], initial: SaleCardsData | null = null): ChatSaleCards {
  const [data, setData] = useState(initial);
  useEffect(() => setData((known) => initial ?? known), [initial]);
  const { chatId, id: lastId } = messages.at(-1) ?? {};
  const isNeeded = hasSaleCards(messages);
  const refresh = useCallback(async () => {
    if (!chatId || !isNeeded) return;
    const read = await fetchCards(chatId).catch(() => null);
    if (read) setData(read);
  }, [chatId, isNeeded]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message may change what the cards show
  useEffect(() => {
    const update = () => void (document.hidden || refresh());
    update();
    document.addEventListener("visibilitychange", update);
    return () => document.removeEventListener("visibilitychange", update);
  }, [refresh, lastId]);
  useEnd(data, refresh);
  return { data, refresh };
}

async function fetchCards(chatId: string): Promise<SaleCardsData | null> {
  const answer = await fetch(`/chat/${encodeURIComponent(chatId)}/cards`, { cache: "no-store" });
  return answer.ok ? ((await answer.json()) as SaleCardsData) : null;
}

/** Interval in ms after the end of a hold by this device's clock, which may be ahead of the shop's. */
const CLOCK_RETRY = 60_000;

/** Reads the cards again when the next hold ends, until the shop says that it has ended. */
function useEnd(data: SaleCardsData | null, refresh: () => Promise<void>): void {
  const ends = (data?.holds ?? []).flatMap(({ state, endsAt }) => (state === "active" ? endsAt : []));
  const next = ends.length > 0 ? Math.min(...ends) : null;
  useEffect(() => {
    if (next === null) return;
    const wait = Math.min(Math.max(next * 1000 - Date.now() + 1000, 1000), MAX_WAIT);
    const update = () => {
      void refresh();
      timer = setTimeout(update, CLOCK_RETRY);
    };
    let timer = setTimeout(update, wait);
    return () => clearTimeout(timer);
  }, [next, refresh]);
}
