import { ownCategory } from "~/domain/enums";
import { dollars } from "~/domain/money";
import { AppError, fieldError } from "~/http/errors";
import type { StaffContext } from "~/http/operation.server";
import { writeOrExplain } from "~/http/refused-write.server";
import { fullName } from "~/session/caller.server";
import { sendReceiptCards } from "../cards.server";
import { type PaymentPart, paidCents, refundParts } from "../payments";
import {
  type DepositEnd,
  type NewDeposit,
  type QuoteWithDeposits,
  readDepositState,
  withdrawQuote,
} from "../queries/deposits.server";
import {
  documentStatements,
  findDocuments,
  type NewDocument,
  paymentsStatement,
  recordDocuments,
  selectRequest,
  toDocument,
} from "../queries/documents.server";
import type { StoredQuote } from "../queries/holds-and-quotes.server";
import { readSaleState, refuseUnlessStored, type SaleState } from "../queries/sale.server";
import { QUOTE_REFUSALS, quoteState } from "../quote-state";
import type { QuoteDecision } from "../schema";
import { NO_TAX } from "../tax";
import { businessOfDeposits, depositSeries, paidBackCents, postDeposits } from "./deposits.server";
import { documentDay } from "./documents.server";
import { paymentOf, SERIES, taxedLines } from "./record.server";
import { refuseAboveSellerLimit } from "./seller-limit.server";

type Withdrawal = Pick<QuoteDecision, "id" | "deposit" | "depositAmount">;

/** Quote that was withdrawn, and what became of its deposit in words; empty without one. */
export interface Withdrawn {
  quote: StoredQuote;
  deposit: string;
}

/**
 * Withdraws an accepted quote without a sale; its deposit is paid back in the modes in which it was taken, or kept as a sale
 * of its amount. Withdrawing it twice in the same way is once.
 *
 * @throws AppError conflict when it is sold or decided otherwise, when nothing says what becomes of a deposit, and when the
 * deposit is another one than the caller saw
 */
export const withdrawAccepted = (context: StaffContext, input: Withdrawal): Promise<Withdrawn> =>
  writeOrExplain(() => attemptWithdrawal(context, input));

async function attemptWithdrawal(context: StaffContext, input: Withdrawal): Promise<Withdrawn> {
  const newId = crypto.randomUUID();
  const [{ of }, sale] = await Promise.all([
    readDepositState(context.db, input.id, newId),
    readSaleState(context.db, { requestId: newId, unitIds: [], quoteId: input.id }),
  ]);
  if (!of) throw new AppError("notFound", "Quote not found");
  const { quote, paid } = of;
  if (quote.state === "withdrawn") return repeatedWithdrawal(context, input, of);
  if (quote.documentId) throw new AppError("conflict", "This quote was sold already.");
  if (quote.state !== "accepted")
    throw new AppError("conflict", QUOTE_REFUSALS[quoteState(quote, context.now)]);
  const cents = paidCents(paid);
  requireEnd(input, cents);
  const kept = cents > 0 && input.deposit === "kept" ? [keptSale(context, of, sale, newId)] : [];
  const refunds = cents > 0 && kept.length === 0 ? refundsOf(context, of) : [];
  if (refunds.length > 0) refuseAboveSellerLimit(context, paidBackCents(of) + cents, "deposit");
  const stored = await withdrawQuote(context.db, quote.id, { refunds, ...keeping(context, kept, sale) });
  await postDeposits(context, stored.deposits);
  if (kept.length > 0) await sendReceiptCards(context, stored.rows.map(toDocument));
  return { quote: { ...quote, state: "withdrawn" }, deposit: endText(cents, input.deposit) };
}

const endText = (cents: number, end: Withdrawal["deposit"]): string =>
  cents > 0 ? `The deposit of ${dollars(cents)} is ${end === "kept" ? "kept" : "paid back"}.` : "";

/** Requires that a withdrawal says what becomes of the deposit. @throws AppError conflict */
function requireEnd({ deposit, depositAmount }: Withdrawal, cents: number): void {
  const paid = dollars(cents);
  if (!deposit && cents > 0)
    throw fieldError("conflict", "deposit", `A deposit of ${paid} is paid. Is it paid back, or kept?`);
  if (depositAmount !== undefined && depositAmount !== cents)
    throw fieldError("conflict", "deposit", `The deposit is ${paid} by now. Nothing was withdrawn.`);
}

/** Answers a withdrawal that is repeated; its cards are posted in case the first attempt ended before. */
async function repeatedWithdrawal(
  context: StaffContext,
  { deposit }: Withdrawal,
  { quote, deposits, documentIds }: QuoteWithDeposits,
): Promise<Withdrawn> {
  const refunds = deposits.filter(({ amountCents }) => amountCents < 0);
  const end = documentIds.length > 0 ? "kept" : "paidBack";
  if (deposit && deposits.length > 0 && deposit !== end) {
    const done = end === "kept" ? "kept" : "paid back";
    throw new AppError("conflict", `This quote was withdrawn, and its deposit was ${done}.`);
  }
  await postDeposits(context, refunds);
  await sendReceiptCards(context, await findDocuments(context.db, documentIds));
  return { quote, deposit: "" };
}

/** Builds what is paid back, by mode and never more than was taken in it. */
function refundsOf({ now, settings, user }: StaffContext, of: QuoteWithDeposits): NewDeposit[] {
  const date = documentDay(undefined, now, settings.timezone);
  const businessType = businessOfDeposits(of);
  return refundParts(of.paid).map(({ mode, amountCents }: PaymentPart) => ({
    ...{ id: crypto.randomUUID(), mode, amountCents: -amountCents, businessType, ...date },
    series: depositSeries(businessType, date.day),
    quoteId: of.quote.id,
    note: "",
    recordedAt: now,
    requestHash: "",
    createdBy: fullName(user),
  }));
}

const DEPOSIT_KEPT = "Deposit kept";

/** Builds the sale of a kept deposit, whose amount holds the tax. */
function keptSale(
  { now, settings, user }: StaffContext,
  of: QuoteWithDeposits,
  { rules, customer, chat }: SaleState,
  id: string,
): NewDocument {
  const date = documentDay(undefined, now, settings.timezone);
  const businessType = businessOfDeposits(of);
  const line = {
    productId: null,
    unitId: null,
    description: DEPOSIT_KEPT,
    quantity: 1,
    ...{ discountCents: 0, discountReason: "", discountBasisPoints: null },
  };
  const lines = [
    { ...line, category: ownCategory(businessType), businessType, amountCents: paidCents(of.paid) },
  ];
  const { exactCents, ...taxed } = taxedLines(lines, {
    ...(rules.get(businessType) ?? NO_TAX),
    isIncluded: true,
  });
  const payments = of.paid.map((part) => ({ ...part, quoteId: of.quote.id }));
  return {
    ...{ requestId: id, requestHash: "", id, ...date, ...taxed, kind: "sale" as const },
    ...paymentOf(exactCents, { payments, roundingCents: 0, otherwise: "CASH" }),
    series: `${SERIES[businessType]}-${date.day.slice(0, 4)}`,
    businessType,
    customerId: customer?.id ?? null,
    customerName: customer?.name ?? "",
    chatId: chat?.id ?? null,
    source: chat ? "chat" : "counter",
    originalId: null,
    reason: "",
    recordedAt: now,
    createdBy: fullName(user),
    roundingInvoiceId: crypto.randomUUID(),
  };
}

/** Statements around the withdrawal that store the sale of a kept deposit. */
function keeping(
  { db }: StaffContext,
  kept: NewDocument[],
  { chat, customer }: SaleState,
): Omit<DepositEnd, "refunds"> {
  const [sale] = kept;
  if (!sale) return { before: [], after: [] };
  return {
    before: [refuseUnlessStored(chat?.id ?? null, customer), paymentsStatement(kept)],
    after: [...documentStatements(sale), recordDocuments(db, sale.requestId), selectRequest(sale.requestId)],
  };
}
