import type { MessageCard } from "~/features/chat/protocol";
import type { HoldState } from "../holds.server";
import type { QuoteState } from "../quotes.server";

/** Hold as its card shows it. */
export interface HoldCardData {
  id: string;
  state: HoldState;
  /** In the shop's time zone: `Sunday 18:00, when we close`. */
  until: string;
  /** Epoch seconds. */
  endsAt: number;
  lines: { productId: string; name: string; quantity: number }[];
}

/** Quote as its card shows it. */
export interface QuoteCardData {
  id: string;
  state: QuoteState;
  title: string;
  lines: { text: string; quantity: number; amountCents: number }[];
  files: { key: string; name: string }[];
  totalCents: number;
  note: string;
  /** `28th Nov`, or empty. */
  readyBy: string;
  validUntil: string;
  /** A sale was recorded. */
  isSold: boolean;
}

/** Receipt or credit note as its card shows it. */
export interface ReceiptCardData {
  id: string;
  kind: "sale" | "credit";
  number: string;
  totalCents: number;
  /** `2 × Walnut lamp, 1 × Oat balm`. */
  items: string;
  /** `Paid, cash`. */
  payment: string;
}

/** Current data of a chat's cards. */
export interface SaleCardsData {
  holds: HoldCardData[];
  quotes: QuoteCardData[];
  receipts: ReceiptCardData[];
}

/** Card of a message with its current data. */
export type DrawnCard =
  | { type: "hold"; data: HoldCardData }
  | { type: "quote"; data: QuoteCardData }
  | { type: "receipt"; data: ReceiptCardData };

/** Finds the cards of a message that can be drawn; its text stands for the others. */
export function drawnCards(cards: MessageCard[] | undefined, data: SaleCardsData | null): DrawnCard[] {
  if (!cards || !data) return [];
  return cards.flatMap((card): DrawnCard[] => {
    if (card.type === "hold") {
      const hold = data.holds.find(({ id }) => id === card.holdId);
      return hold ? [{ type: "hold", data: hold }] : [];
    }
    if (card.type === "quote") {
      const quote = data.quotes.find(({ id }) => id === card.quoteId);
      return quote ? [{ type: "quote", data: quote }] : [];
    }
    if (card.type !== "receipt") return [];
    const receipt = data.receipts.find(({ id }) => id === card.documentId);
    return receipt ? [{ type: "receipt", data: receipt }] : [];
  });
}

/** Detects messages whose cards need data. */
export const hasSaleCards = (messages: { cards?: MessageCard[] | undefined }[]): boolean =>
  messages.some(({ cards }) =>
    cards?.some(({ type }) => type === "hold" || type === "quote" || type === "receipt"),
  );
