import { cashRounding, type TaxRules } from "~/domain/tax";
import { type DocumentLine, isCreditable, type SaleDocument } from "./document";
import { byMode, cashLeaves, firstParts, type PaymentPart, paidCents, settle, type Tender } from "./payments";
import {
  type CashRest,
  type CreditPart,
  type CreditTotals,
  creditTotals,
  keptCents,
  leftOfLine,
  saleTotals,
} from "./tax";

/** Sale that is corrected, as its document states it. */
export type CorrectedSale = Pick<
  SaleDocument,
  "lines" | "payments" | "roundingCents" | "taxNumber" | "taxName" | "taxRate" | "taxIncluded"
>;

/** Line as it is compared: its price is that of all pieces, with the discount taken off. */
export interface ComparedLine {
  /** Id of its unit, which for a product of one unit is that of the product. */
  unit: string | null;
  description: string;
  category: string;
  quantity: number;
  priceCents: number;
}

/** Part of a sale that is taken back. */
export type Part = CreditPart<DocumentLine>;

/** Returns the tax rules by which a sale was recorded. */
export const rulesOf = ({ taxNumber, taxName, taxRate, taxIncluded }: CorrectedSale): TaxRules => ({
  number: taxNumber,
  name: taxName,
  rate: taxRate,
  isIncluded: taxIncluded || taxNumber === "",
});

/** Lists everything that is left of a sale. */
export const remainingParts = ({ lines }: Pick<SaleDocument, "lines">): Part[] =>
  lines.filter(isCreditable).map((line) => ({ line, quantity: line.quantity - line.returned }));

/** Adds up the pieces that are left of each unit on a sale. */
export function piecesLeft(sale: Pick<SaleDocument, "lines">): Map<string, number> {
  const pieces = new Map<string, number>();
  for (const { line, quantity } of remainingParts(sale)) {
    const unit = line.unitId ?? line.productId;
    if (unit !== null) pieces.set(unit, (pieces.get(unit) ?? 0) + quantity);
  }
  return pieces;
}

/** Returns what is left of a line, at the price that was agreed. */
export function leftLine({ line, quantity }: Part, { taxIncluded }: CorrectedSale): ComparedLine {
  const addedTax = taxIncluded ? 0 : line.taxCents - line.creditedTaxCents;
  return {
    unit: line.unitId ?? line.productId,
    description: line.description,
    category: line.category,
    quantity,
    priceCents: leftOfLine(line) - addedTax,
  };
}

const keyOf = ({ unit, description, category, quantity, priceCents }: ComparedLine) =>
  JSON.stringify([unit, description, category, quantity, priceCents]);

/**
 * Compares what is left of a sale with what it should have been.
 *
 * @returns the parts that are wrong, and the lines in their place
 */
function compare<Line extends ComparedLine>(sale: CorrectedSale, wanted: Line[]) {
  const lines = [...wanted];
  const parts = remainingParts(sale).filter((part) => {
    const key = keyOf(leftLine(part, sale));
    const same = lines.findIndex((line) => keyOf(line) === key);
    if (same >= 0) lines.splice(same, 1);
    return same < 0;
  });
  return { parts, lines };
}

/**
 * Computes a correction: the credit note of the lines that were wrong, and the sale of those in their place.
 *
 * @param wanted all lines, as they should have been
 * @param roundingSoFarCents cash rounding of the sale and its credit notes
 */
export function correctionOf<Line extends ComparedLine>(
  sale: CorrectedSale,
  roundingSoFarCents: number,
  wanted: Line[],
  tender: Tender,
) {
  const { parts, lines } = compare(sale, wanted);
  const paid = { lines: sale.lines, roundingSoFarCents };
  const exact = creditTotals(parts, paid, null);
  const sold = saleTotals(
    lines.map(({ priceCents }) => priceCents),
    rulesOf(sale),
  );
  const sums = { creditCents: 0 - exact.totalCents, saleCents: sold.exactCents, keptCents: keptCents(paid) };
  const payment = settleCorrection({ ...sums, before: sale.payments }, tender);
  const totalCents = 0 - paidCents(payment.credit);
  const totals: CreditTotals = { ...exact, totalCents, roundingCents: totalCents - exact.exactCents };
  const { roundingCents } = payment;
  const soldTotals = { ...sold, totalCents: sold.exactCents + roundingCents, roundingCents };
  return { parts, lines, totals, soldTotals, payment };
}

/** Sums of a correction before cash rounding, in cents. */
interface CorrectionSums {
  /** Amount taken back. */
  creditCents: number;
  /** Amount sold in its place. */
  saleCents: number;
  /** Rest of the corrected sale's payment: no more is paid back. */
  keptCents: number;
  /** Payments of the corrected sale. */
  before: PaymentPart[];
}

/** Payment of a correction. */
interface CorrectionPayment {
  /** Parts that the credit note gives back, and those that pay the sale. */
  credit: PaymentPart[];
  sale: PaymentPart[];
  /** Cash rounding of the sale. */
  roundingCents: number;
  /** Difference that the tender has to have, with its cash rounded; negative for what is paid back. */
  differenceCents: number;
  /** The tender pays all of it. */
  isPaid: boolean;
}

/**
 * Pays a correction: the credit note gives back what the sale takes, in the modes of the corrected sale, so that no money
 * moves; the tender pays the difference, or is what it is paid back in.
 */
export function settleCorrection(sums: CorrectionSums, tender: Tender): CorrectionPayment {
  const { creditCents, saleCents, before } = sums;
  const moved = firstParts(before, Math.min(creditCents, saleCents));
  if (saleCents < creditCents) return payBack(sums, moved, tender);
  const { documents, toPayCents, isPaid } = settle([saleCents - creditCents], [], tender);
  const { paid = [], roundingCents = 0 } = documents[0] ?? {};
  return {
    credit: moved,
    sale: byMode([...moved, ...paid]),
    roundingCents,
    differenceCents: toPayCents,
    isPaid,
  };
}

function payBack(sums: CorrectionSums, moved: PaymentPart[], tender: Tender): CorrectionPayment {
  const { creditCents, saleCents, keptCents } = sums;
  const cents = roundedBack(creditCents - saleCents, keptCents - saleCents, cashLeaves(tender));
  const left = cents - paidCents(tender.parts);
  const rest = tender.rest === null ? [] : [{ mode: tender.rest, amountCents: left }];
  return {
    credit: byMode([...moved, ...tender.parts, ...rest]),
    sale: moved,
    roundingCents: 0,
    differenceCents: -cents,
    isPaid: tender.rest === null ? left === 0 : left >= 0,
  };
}

/** Rounds what is paid back where cash pays a part. @param cash null without any */
function roundedBack(cents: number, most: number, cash: CashRest | null): number {
  if (cash === null) return cents;
  const { otherCents, stepCents } = cash;
  const rounded = Math.min(cents + cashRounding(Math.max(0, cents - otherCents), stepCents), most);
  return rounded - (Math.max(0, rounded - otherCents) % stepCents);
}
