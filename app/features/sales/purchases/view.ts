/** Label and amount below an open purchase: what was paid, what is left to pay. */
export interface PurchaseSum {
  label: string;
  amount: string;
}

/** Row of the list of purchases, formatted. */
export interface Purchase {
  /** Kind and id. */
  key: string;
  kind: "quote" | "order" | "hold" | "receipt" | "credit" | "deposit";
  id: string;
  title: string;
  image: string | null;
  /** Number and date, or what it is. */
  details: string;
  /** `Waits for you until 5th Dec`; empty for nothing. */
  waits: string;
  amount: string;
  /** Modes of payment; empty while nothing was paid. */
  payment: string;
  sums: PurchaseSum[];
  /** Its receipt; null for a quote and a hold. */
  receipt: { page: string; pdf: string } | null;
  /** Its conversation, for which the reader has access; null without one. */
  chatId: string | null;
  /** Page with the question about it begun. */
  ask: string;
}

/** Sold-out unit that the reader waits for, formatted. */
export interface AwaitedUnit {
  /** Of the request. */
  id: string;
  title: string;
  image: string | null;
  path: string;
  amount: string;
  isAvailable: boolean;
  /** `We’ll write to ines@mail.example, once`. */
  promise: string;
}
