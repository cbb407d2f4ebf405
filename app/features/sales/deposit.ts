import type { PaymentMode } from "~/domain/enums";
import { dollars } from "~/domain/money";

/** Deposit on a quote, or what was paid back of one. */
export interface Deposit {
  id: string;
  /** `LD-2026-000004`. */
  number: string;
  mode: PaymentMode;
  /** Negative for what was paid back. */
  amountCents: number;
}

/** Names a deposit, as its receipt does. */
export const depositTitle = ({ amountCents }: Pick<Deposit, "amountCents">): string =>
  amountCents < 0 ? "Deposit paid back" : "Deposit";

/** Payments of a quote, with the tax that its sale will add; null for none. */
interface PaidQuote {
  /** Deposits without what was paid back, above 0. */
  paidCents: number;
  totalCents: number;
  addedTax: string | null;
}

/** Says after an amount that the sale will add a tax; "" for none. */
export const beforeTax = (addedTax: string | null): string =>
  addedTax === null ? "" : ` before ${addedTax}`;

/** Says what of a quote is left to pay. */
export const toPayText = ({ paidCents, totalCents, addedTax }: PaidQuote): string =>
  `${dollars(totalCents - paidCents)} to pay${beforeTax(addedTax)}`;

/** Says what of a quote is paid. */
export const paidText = (quote: PaidQuote): string =>
  `Deposit ${dollars(quote.paidCents)} paid, ${toPayText(quote)}`;

/** Names the rest of a quote on its card. */
export const dueLabel = ({ addedTax }: Pick<PaidQuote, "addedTax">): string => `To pay${beforeTax(addedTax)}`;

/** Names the rest of a quote after its deposits. @param addedTax tax that the sale will add; null for none */
export const leftLabel = (addedTax: string | null): string =>
  addedTax === null ? "Left to pay" : `Left to pay,${beforeTax(addedTax)}`;

/** Names what can be done about the deposits of a quote. */
export function depositAct(paidCents: number, totalCents: number): string {
  if (paidCents === 0) return "Take deposit";
  return paidCents < totalCents ? "Take more" : "Pay back";
}

/** Beginning of the paths of receipts. */
export const RECEIPTS = "/receipts/";

/** Path of a document's receipt. */
export const receiptPath = (id: string): string => RECEIPTS + encodeURIComponent(id);

/** Path of a deposit's receipt. */
export const depositReceiptPath = (id: string): string => `${RECEIPTS}deposit/${encodeURIComponent(id)}`;
