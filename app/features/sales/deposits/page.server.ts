import { localDay } from "~/domain/days";
import { consoleUrl } from "~/features/chat/console-params";
import { visitorLabel } from "~/features/chat/visitor-label";
import { AppError } from "~/http/errors";
import { operation, parseInput, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import { businessOfDeposits } from "../operations/deposits.server";
import { paidCents, refundParts } from "../payments";
import { readDepositState } from "../queries/deposits.server";
import { readSaleState, type SaleState } from "../queries/sale.server";
import { QUOTE_REFUSALS, type QuoteState, quoteState } from "../quote-state";
import { PathId } from "../schema";
import { NO_TAX } from "../tax";
import { formHeading } from "../urls";

/** Data of the forms that take a deposit and that withdraw a quote. */
export type DepositPageData = ResultOf<typeof readDepositPage | typeof readWithdrawPage>;

/** Reads the form that takes a deposit on a quote (`quote`). @throws AppError notFound */
export const readDepositPage = operation({
  access: "staff",
  input: PageInput,
  run: ({ input, ...context }) => readPage(context, input.url, "deposit", "Deposit"),
});

/** Reads the form that withdraws a quote (`quote`). @throws AppError notFound */
export const readWithdrawPage = operation({
  access: "staff",
  input: PageInput,
  run: ({ input, ...context }) => readPage(context, input.url, "withdraw", "Withdraw the quote"),
});

async function readPage<Form extends string>(context: StaffContext, url: string, form: Form, title: string) {
  const { db, now, settings } = context;
  const { id } = parseInput(PathId, { id: new URL(url).searchParams.get("quote") ?? "" });
  const [{ of }, sale] = await Promise.all([
    readDepositState(db, id, ""),
    readSaleState(db, { requestId: "", unitIds: [], quoteId: id }),
  ]);
  if (!of) throw new AppError("notFound", "Quote not found");
  const { quote, deposits, paid } = of;
  const state = quoteState(quote, now);
  const business = businessOfDeposits(of);
  const rules = sale.rules.get(business) ?? NO_TAX;
  return {
    form,
    heading: formHeading(title, quote.chatId),
    // Idempotency key of the form: repeating its POST takes the deposit once.
    id: crypto.randomUUID() as string,
    quote: { id, title: quote.title, totalCents: quote.totalCents, state },
    refusal: refusalOf(state, quote.documentId),
    name: nameOf(sale, settings.timezone),
    email: sale.customer?.email || sale.chat?.userEmail || "",
    deposits: deposits.map(({ id: depositId, number, mode, amountCents }) => ({
      ...{ id: depositId, number, mode, amountCents },
    })),
    paidCents: paidCents(paid),
    refunds: refundParts(paid),
    business,
    rules,
    /** Tax that the sale will add; null for none. */
    addedTax: rules.number !== "" && !rules.isIncluded ? rules.name : null,
    businessNames: settings.businesses,
    today: localDay(now, settings.timezone),
    back: consoleUrl({ chat: quote.chatId }),
  };
}

/** Says why a quote takes no deposit any more; null where it does. */
function refusalOf(state: QuoteState, documentId: string | null): string | null {
  if (documentId !== null) return "This quote was sold already.";
  return state === "accepted" || state === "sent" ? null : QUOTE_REFUSALS[state];
}

function nameOf({ customer, chat }: SaleState, timezone: string): string {
  if (customer) return customer.name;
  return chat ? visitorLabel({ chatId: chat.id, name: chat.userName, began: chat.createdAt }, timezone) : "";
}
