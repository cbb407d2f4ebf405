import type { FileCard, MessageCard, ProductCard } from "~/features/chat/protocol";
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

/** Card of a message that names a hold, a quote or a document by its only other field. */
type SaleCard = Exclude<MessageCard, ProductCard | FileCard>;
type SaleCardType = SaleCard["type"];

/** Data of each type of card; one that the protocol adds has an entry here, and a component in SaleCards.tsx. */
interface CardData extends Record<SaleCardType, { id: string }> {
  hold: HoldCardData;
  quote: QuoteCardData;
  receipt: ReceiptCardData;
}

/** Current data of a chat's cards, such as `holds`. */
export type SaleCardsData = { [Type in SaleCardType as `${Type}s`]: CardData[Type][] };

/** Card of a message with its current data. */
export type DrawnCard = { [Type in SaleCardType]: { type: Type; data: CardData[Type] } }[SaleCardType];

/** Something for each type of card, made from its data. */
export type ForEachCard<Made> = { [Type in SaleCardType]: (data: CardData[Type]) => Made };

const isSaleCard = (card: MessageCard): card is SaleCard => card.type !== "product" && card.type !== "file";

/** Finds the cards of a message that can be drawn; its text stands for the others. */
export function drawnCards(cards: MessageCard[] = [], known: SaleCardsData | null = null): DrawnCard[] {
  return cards.filter(isSaleCard).flatMap(({ type, ...named }) => {
    const [id] = Object.values(named);
    const data = known?.[`${type}s`].find((one) => one.id === id);
    return data ? [{ type, data } as DrawnCard] : [];
  });
}

/** Detects messages whose cards need data. */
export const hasSaleCards = (messages: { cards?: MessageCard[] | undefined }[]): boolean =>
  messages.some(({ cards }) => cards?.some(isSaleCard));
