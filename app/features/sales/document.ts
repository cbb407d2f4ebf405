import type { Business, PaymentMode } from "~/domain/enums";
import { dollars } from "~/domain/money";
import type { DocumentPayment } from "./payments";

/** Lines of a sale, a hold or a quote. */
export const MAX_LINES = 100;
/** Characters that describe a line; an emoji is one. */
export const MAX_DESCRIPTION = 500;
/** Longest title of a quote. */
export const MAX_TITLE = 200;
/** Longest note of a quote. */
export const MAX_NOTE = 1000;

/** Shortens a description that was joined from several texts to what the form of a sale accepts. */
export const fittingDescription = (text: string): string => [...text].slice(0, MAX_DESCRIPTION).join("");

/** Longest reason of a line's discount. */
export const MAX_DISCOUNT_REASON = 200;

/** Message for a price below 0. */
export const BELOW_ZERO = "To give a discount, lower the price";

/** Documents of sales: a sale, or a credit note that takes back lines of one (docs/decisions/0025-sales.md). */
export const DOCUMENT_KINDS = ["sale", "credit"] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];
/** Places where sales are recorded. */
export const SALE_SOURCES = ["chat", "counter"] as const;

/** States of a hold by the clock. */
export const HOLD_STATES = ["active", "ended", "released", "sold"] as const;
export type HoldState = (typeof HOLD_STATES)[number];
export const QUOTE_STATES = ["sent", "accepted", "declined", "withdrawn", "expired"] as const;

/** Line of a document; amounts of a credit note are negative. */
export interface DocumentLine {
  /** 1 or more, the line's number on its document; a credit note repeats the number of the sale's line. */
  line: number;
  /** Its ledger row. */
  invoiceId: string;
  productId: string | null;
  /** Null: the unit with the product's id. */
  unitId: string | null;
  description: string;
  category: string;
  /** Pieces, negative on a credit note. */
  quantity: number;
  /** Amount that the customer paid for all pieces, tax included. */
  amountCents: number;
  /** Tax within `amountCents`. */
  taxCents: number;
  /** Reduction of the price that `amountCents` and tax were computed from; negative on a credit note. */
  discountCents: number;
  /** Empty without one. */
  discountReason: string;
  /** Percentage that the discount is, basis points; null for an amount, and where it has a share of the document's. */
  discountBasisPoints: number | null;
  /** Pieces taken back by credit notes; 0 on a credit note. */
  returned: number;
  /** Amount and tax taken back by credit notes, with pieces or without; 0 on a credit note. */
  creditedCents: number;
  creditedTaxCents: number;
}

/** Detects a line of a sale that can be credited: one with pieces left, unless its whole amount was and no stock belongs to it. */
export const isCreditable = ({
  quantity,
  returned,
  amountCents,
  creditedCents,
  productId,
}: DocumentLine): boolean =>
  returned < quantity && (productId !== null || creditedCents === 0 || creditedCents < amountCents);

/** Says what was taken off a line's price; empty without a discount. */
export function discountText({ discountCents, discountReason }: DocumentLine): string {
  if (discountCents === 0) return "";
  const reason = discountReason && `: ${discountReason}`;
  return `Discount ${dollars(-discountCents)}${reason}`;
}

/** Says what credit notes took back of a line; empty for nothing. */
export function creditedText({
  returned,
  creditedCents,
}: Pick<DocumentLine, "returned" | "creditedCents">): string {
  if (returned > 0) return `${returned} credited`;
  return creditedCents > 0 ? `${dollars(creditedCents)} credited` : "";
}

/** Issued document; it never changes, except that its lines count what credit notes took back. */
export interface SaleDocument {
  id: string;
  kind: DocumentKind;
  /** `E-2026-000123`. */
  number: string;
  businessType: Business;
  customerId: string | null;
  /** Name at the time of the sale; empty when nobody asked for it. */
  customerName: string;
  chatId: string | null;
  source: "chat" | "counter";
  /** Mode of the largest payment. */
  paymentMode: PaymentMode;
  /** Their sum is the total. */
  payments: DocumentPayment[];
  lines: DocumentLine[];
  /** Empty without tax: the business was not registered. */
  taxName: string;
  /** Basis points: 1300 is 13 %. */
  taxRate: number;
  taxCents: number;
  /** True when the agreed prices held the tax. */
  taxIncluded: boolean;
  /** Registration number of the business; empty when it was not registered. */
  taxNumber: string;
  /** Cash rounding, may be negative. */
  roundingCents: number;
  /** Sum of the lines and the rounding. */
  totalCents: number;
  /** Sum of the lines' discounts. */
  discountCents: number;
  originalId: string | null;
  originalNumber: string | null;
  /** Reason for taking products back; empty on a sale. */
  reason: string;
  /** Epoch seconds. */
  createdAt: number;
  /** Name of the member of staff who issued it. */
  createdBy: string;
}
