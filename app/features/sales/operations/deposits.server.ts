import { dollars } from "~/domain/money";
import { refuseFarDate } from "~/features/ledger/operations/far-dates.server";
import { AppError, fieldError } from "~/http/errors";
import { timestamp } from "~/http/fields";
import { operation, type StaffContext } from "~/http/operation.server";
import { writeOrExplain } from "~/http/refused-write.server";
import { type RequestKey, repeatedAnswer, requestKey } from "~/http/repeated-request.server";
import { fullName } from "~/session/caller.server";
import { Payment } from "../answers";
import { expectCard, postCard, postDecision } from "../cards.server";
import { depositTitle, toPayText } from "../deposit";
import { cashOf, type PaymentPart, paidCents, refundParts } from "../payments";
import {
  type DepositState,
  insertDeposit,
  type NewDeposit,
  type QuoteWithDeposits,
  readDepositState,
  type StoredDeposit,
} from "../queries/deposits.server";
import { QUOTE_REFUSALS, quoteState } from "../quote-state";
import { PaymentInput, type PaymentRequest } from "../schema";
import { cashStepOf, refuseCoins } from "../tender.server";
import { documentDay } from "./documents.server";
import { SERIES } from "./record.server";
import { refuseAboveSellerLimit } from "./seller-limit.server";

/** Converts a deposit to the format of the API. */
const apiPayment = ({ id, number, businessType, amountCents, mode, note, ...rest }: StoredDeposit) => ({
  id,
  number,
  businessType,
  amount: amountCents / 100,
  mode,
  note,
  for: { quoteId: rest.quoteId },
  createdAt: timestamp(rest.createdAt),
  createdBy: rest.createdBy,
});

/**
 * Takes a deposit on an accepted quote, or pays one back (a negative amount). Repeating a request with its id returns the
 * same payment.
 *
 * @throws AppError notFound; conflict above the total of the quote, below 0 in sum, for a quote that is not accepted or is
 * sold, in a closed month, and when the id belongs to another payment
 */
export const takePayment = operation({
  route: "POST quote/:quoteId/payment",
  summary: "Take a deposit on a quote, or pay it back",
  answer: Payment,
  errors: [404, 409],
  access: "staff",
  input: PaymentInput,
  status: 201,
  async run({ input, ...context }) {
    await refuseFarDate(context, input.createdAt);
    return apiPayment(await storeDeposit(context, input));
  },
});

export async function storeDeposit(context: StaffContext, input: PaymentRequest): Promise<StoredDeposit> {
  const { id, ...content } = input;
  const request = await requestKey(id, content);
  expectCard(context, input.quoteId);
  const deposit = await writeOrExplain(() => attemptDeposit(context, input, request));
  await postDeposits(context, [deposit]);
  return deposit;
}

const ID_TAKEN = "Another payment was taken with this id.";

async function attemptDeposit(
  context: StaffContext,
  input: PaymentRequest,
  { requestId, requestHash }: RequestKey,
): Promise<StoredDeposit> {
  const { db, user } = context;
  const { known, isIdTaken, of } = await readDepositState(db, input.quoteId, requestId);
  if (isIdTaken) {
    const repeated = repeatedAnswer(known, { requestHash }, ID_TAKEN);
    // In case the first attempt ended before.
    if (input.accept && of) await postAcceptance(context, of.quote);
    return repeated;
  }
  const open = requireOpen(of, input, context);
  const { quote, deposits } = open;
  const { amount: amountCents, mode, note, accept } = input;
  if (amountCents < 0) refuseAboveSellerLimit(context, paidBackCents(open) - amountCents, "amount");
  const date = documentDay(input.createdAt, context.now, context.settings.timezone);
  const deposit: NewDeposit = {
    ...{ id: requestId, requestHash, mode, amountCents, note, ...date },
    recordedAt: context.now,
    quoteId: quote.id,
    businessType: businessOfDeposits(open),
    series: depositSeries(businessOfDeposits(open), date.day),
    createdBy: fullName(user),
  };
  const stored = await insertDeposit(db, deposit, accept, deposits.length);
  if (accept && quote.state === "sent") await postAcceptance(context, quote);
  return stored;
}

/** Adds up what was paid back of a quote's deposits, cents. */
export const paidBackCents = ({ deposits }: Pick<QuoteWithDeposits, "deposits">): number =>
  deposits.reduce((cents, { amountCents }) => cents - Math.min(0, amountCents), 0);

/** Returns the business of a quote's deposits: that of the first one, although a product may have changed since. */
export const businessOfDeposits = ({ deposits, business }: QuoteWithDeposits) =>
  deposits[0]?.businessType ?? business;

/** Says in the conversation that staff accepted a quote; its id makes it once. */
const postAcceptance = (
  context: StaffContext,
  { id, chatId, title, totalCents }: QuoteWithDeposits["quote"],
) =>
  postDecision(context, chatId, {
    id: `quote-${id}-accepted`,
    message: `Accepted for you: ${title}, ${dollars(totalCents)}`,
    isNotice: true,
  });

/** Names the series of a business's deposits in a year: `LD-2026`. */
export const depositSeries = (business: NewDeposit["businessType"], day: string): string =>
  `${SERIES[business]}D-${day.slice(0, 4)}`;

const NOT_ACCEPTED = "The customer has not accepted this quote yet. A deposit is taken on an accepted one.";

/** Requires a quote that takes the deposit. @throws AppError notFound, conflict; invalid for cash that coins can't pay */
function requireOpen(
  of: DepositState["of"],
  { amount, mode, accept }: Pick<PaymentRequest, "amount" | "mode" | "accept">,
  { now, settings }: Pick<StaffContext, "now" | "settings">,
): QuoteWithDeposits {
  const stepCents = cashStepOf(settings);
  const cashBefore = cashOf(refundParts(of?.paid ?? []));
  // Coins of an earlier rounding go back as they came.
  const isOddRest = amount < 0 && -amount <= cashBefore && (cashBefore + amount) % stepCents === 0;
  if (!isOddRest) refuseCoins([{ mode, amount, path: "amount" }], stepCents);
  if (!of) throw new AppError("notFound", "Quote not found");
  const { quote, paid } = of;
  if (quote.documentId) throw new AppError("conflict", "This quote was sold already.");
  const state = quoteState(quote, now);
  if (state === "sent" && !accept) throw fieldError("conflict", "accept", NOT_ACCEPTED);
  if (state !== "accepted" && state !== "sent") throw new AppError("conflict", QUOTE_REFUSALS[state]);
  const before = paidCents(paid);
  if (before + amount > quote.totalCents) {
    const left = dollars(quote.totalCents - before);
    throw fieldError("conflict", "amount", `At most ${left} of the quote is left to pay`);
  }
  if (before + amount < 0)
    throw fieldError("conflict", "amount", `At most ${dollars(before)} can be paid back`);
  refuseOddCash([...paid, { mode, amountCents: amount }], cashBefore, stepCents);
  return of;
}

/**
 * Refuses payments whose rest could not be paid back in coins, unless it could not before: cash of an earlier rounding.
 *
 * @throws AppError conflict
 */
function refuseOddCash(paid: PaymentPart[], cashBefore: number, stepCents: number): void {
  const cash = cashOf(refundParts(paid));
  if (cash % stepCents === 0 || cash % stepCents === cashBefore % stepCents) return;
  const left = `Cash of ${dollars(cash)} would be left to pay back, for which there are no coins`;
  throw fieldError("conflict", "amount", left);
}

/** Shows deposits in their chat. */
export async function postDeposits(context: StaffContext, deposits: StoredDeposit[]): Promise<void> {
  for (const deposit of deposits) {
    const { id, number, amountCents, totalCents, chatId } = deposit;
    const left = amountCents < 0 || totalCents === null ? null : toPayText({ ...deposit, totalCents });
    const name = `${depositTitle(deposit)} ${number}`;
    await postCard(
      context,
      chatId,
      id,
      { type: "deposit", paymentId: id },
      name,
      Math.abs(amountCents),
      left,
    );
  }
}
