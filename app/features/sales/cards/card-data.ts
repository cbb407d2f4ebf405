import type { CardOf, MessageCard } from "~/features/chat/protocol";
import type { Deposit } from "../deposit";
import type { HoldState } from "../document";
import type { QuoteState } from "../quote-state";

/** Hold as its card shows it. */
export interface HoldCardData {
  id: string;
  state: HoldState;
  /** In the shop's time zone: `Sunday 18:00, when we close`. */
  until: string;
  /** Epoch seconds. */
  endsAt: number;
  lines: { unitId: string; name: string; quantity: number }[];
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
  /** Deposits and what was paid back of them, while it waits for its sale. */
  deposits: Deposit[];
  /** Their sum. */
  paidCents: number;
  /** Sentence of what is paid; empty without deposits. */
  paid: string;
  /** Label of the rest: `To pay`, or `To pay before HST`. */
  due: string;
}

/** Receipt or credit note as its card shows it. */
export interface ReceiptCardData {
  id: string;
  kind: "sale" | "credit";
  number: string;
  totalCents: number;
  /** `2 × Walnut lamp, 1 × Oat balm`. */
  items: string;
  /** `Paid, cash`, or `Paid, card $20.00, cash $5.00`. */
  payment: string;
}

/** Deposit as its card shows it. */
export interface DepositCardData extends Deposit {
  /** Title of its quote. */
  quote: string;
}

/** Types of cards that name a hold, a quote, a document or a deposit by their only other field. */
const SALE_CARDS = ["hold", "quote", "receipt", "deposit"] as const;
type SaleCardType = (typeof SALE_CARDS)[number];
export type SaleCard = CardOf<SaleCardType>;

/** Data of each type, which has its component in SaleCards.tsx. */
export interface CardData extends Record<SaleCardType, { id: string }> {
  hold: HoldCardData;
  quote: QuoteCardData;
  receipt: ReceiptCardData;
  deposit: DepositCardData;
}

/** Current data of a chat's cards, such as `holds`. */
export type SaleCardsData = { [Type in SaleCardType as `${Type}s`]: CardData[Type][] };

/** Detects messages whose cards need data. */
export const hasSaleCards = (messages: { cards?: MessageCard[] | undefined }[]): boolean =>
  messages.some(({ cards }) => cards?.some(({ type }) => SALE_CARDS.some((each) => each === type)));
