import { z } from "zod";
import { runBatch } from "~/db/client.server";
import { refuseWhilePlanned } from "~/db/erasures";
import { type Business, businessOf, ownCategory } from "~/domain/enums";
import { dollars } from "~/domain/money";
import type { TaxRules } from "~/domain/tax";
import { refuseFarDate } from "~/features/ledger/operations/far-dates.server";
import { AppError, fieldError } from "~/http/errors";
import { operation, type StaffContext } from "~/http/operation.server";
import { writeOrExplain } from "~/http/refused-write.server";
import { type RequestKey, repeatedAnswer, requestKey } from "~/http/repeated-request.server";
import type { ShopSettings } from "~/http/shop-settings.server";
import { fullName } from "~/session/caller.server";
import { Document } from "../answers";
import { expectCard, sendReceiptCards } from "../cards.server";
import { discountCents, discountProblem, spreadDiscount } from "../discount";
import { cashOf, mainMode, notPaidText, settle, tenderedMode } from "../payments";
import {
  documentStatements,
  type NewDocument,
  paymentsStatement,
  recordDocuments,
  type StoredDocument,
  selectRequest,
  toDocument,
} from "../queries/documents.server";
import {
  createAccountCustomer,
  linkChat,
  moveStock,
  readSaleState,
  refuseUnlessStored,
  type SaleState,
  type SoldProduct,
  saleDocumentId,
  sellHold,
  sellQuote,
  settleHolds,
  stockMoves,
} from "../queries/sale.server";
import { SaleInput, type SaleLine, type SaleRequest } from "../sale-schema";
import { ACCOUNT_CUSTOMER, unitIdOf } from "../schema";
import { lineConflict, lineProblems, missingUnits } from "../shortages.server";
import { NO_TAX, saleTotals, sum } from "../tax";
import { tenderOf } from "../tender.server";
import { refusePlannedDeletion, rejectErased } from "./customers.server";
import { apiDocument, documentDay, refuseTotalAbove } from "./documents.server";

/**
 * Records a sale: documents, ledger rows, stock and the end of its hold in one D1 batch (docs/decisions/0025-sales.md).
 * Two businesses make two documents. Repeating a request with its id returns the same documents.
 *
 * @throws AppError invalid, also for payments that are not what is to pay; notFound for a chat, hold, quote or customer; conflict when stock does not suffice (a detail
 * for each line), the hold or quote is sold already or belongs to another conversation, the quote is not accepted, the
 * customer's data were deleted, or the id belongs to another request
 */
export const recordSale = operation({
  route: "POST sale",
  summary: "Record a sale",
  answer: z.object({ documents: z.array(Document) }),
  errors: [404, 409],
  access: "staff",
  input: SaleInput,
  status: 201,
  async run({ input, ...context }) {
    await refuseFarDate(context, input.createdAt);
    const documents = await storeSale(context, input);
    return { documents: documents.map(apiDocument) };
  },
});

export async function storeSale(context: StaffContext, input: SaleRequest): Promise<StoredDocument[]> {
  const { id: sentId, ...content } = input;
  const unitIds = [...new Set(input.lines.flatMap((line) => unitIdOf(line) ?? []))];
  const request = { ...(await requestKey(sentId, content)), unitIds };
  return writeOrExplain(
    () => attemptSale(context, input, request),
    () => explainRefusal(context, input, request),
  );
}

async function attemptSale(
  context: StaffContext,
  input: SaleRequest,
  request: SaleKey,
): Promise<StoredDocument[]> {
  expectCard(context, input.chatId ?? input.quoteId ?? input.holdId);
  const state = await readSaleState(context.db, { ...input, ...request });
  if (state.earlier.length > 0) return repeatedSale(context, state.earlier, request.requestHash);
  checkSaleState(input, state);
  if (linksExisting(state)) await refusePlannedDeletion(context, [state.customer.id], state.chat.id);
  if (missingUnits(input.lines, state.products).length > 0)
    throw lineConflict(await lineProblems(context, input));
  const sale = newSale(context, input, state, request);
  if (sale.some(({ id }) => state.takenIds.includes(id))) throw new AppError("conflict", ID_TAKEN);
  for (const { totalCents } of sale) refuseTotalAbove(totalCents);
  return store(context, input, state, sale, request);
}

/** Refuses a request whose id belongs to another document. */
export const ID_TAKEN = "Another document was issued with this id.";

/** Answers a repeated request; its receipt is sent to the chat in case the first attempt ended before. */
async function repeatedSale(
  context: StaffContext,
  documents: StoredDocument[],
  requestHash: string,
): Promise<StoredDocument[]> {
  repeatedAnswer(documents[0], { requestHash, kind: "sale" }, ID_TAKEN);
  await sendReceiptCards(context, documents);
  return documents;
}

type Linking = SaleState & { customer: { id: string }; chat: { id: string } };

/** Tells that the sale links its chat to a customer whom the shop knows from elsewhere. */
const linksExisting = (state: SaleState): state is Linking =>
  state.customer !== undefined &&
  state.chat?.customerId === null &&
  (state.chat.userId === null || state.customer.userId !== state.chat.userId);

type Named = Partial<Record<"holdId" | "quoteId", string | null | undefined>>;

/** Refuses a hold or quote that is named and not stored. @throws AppError notFound */
export function refuseUnknown(
  { holdId, quoteId }: Named,
  { hold, quote }: { hold?: unknown; quote?: unknown },
) {
  if (holdId && !hold) throw new AppError("notFound", "Hold not found");
  if (quoteId && !quote) throw new AppError("notFound", "Quote not found");
}

function checkSaleState(input: SaleRequest, { chat, hold, quote, customer }: SaleState): void {
  if (input.chatId && !chat) throw new AppError("notFound", "Chat not found");
  refuseUnknown(input, { hold, quote });
  if (input.customerId && !customer) throw new AppError("notFound", "Customer not found");
  if (customer) rejectErased(customer);
  const otherChat = [hold?.chatId, quote?.chatId].some((id) => id && input.chatId && id !== input.chatId);
  if (otherChat) throw new AppError("conflict", "The hold or quote belongs to another conversation.");
  if (hold?.state === "sold") throw new AppError("conflict", "This hold was sold already.");
  if (quote?.documentId) throw new AppError("conflict", "This quote was sold already.");
  if (quote && quote.state !== "accepted")
    throw new AppError("conflict", "Only an accepted quote can be recorded as a sale.");
}

interface SaleKey extends RequestKey {
  /** Units of the lines. */
  unitIds: string[];
}

/** Returns the customer: that of the request, hold or chat, or of the account that wrote in the chat. */
function customerOf({ customer, chat }: SaleState): { id: string; name: string } | undefined {
  if (customer || !chat?.userId) return customer;
  return { id: `${ACCOUNT_CUSTOMER}${chat.userId}`, name: chat.userName };
}

export interface CompleteLine {
  productId: string | null;
  unitId: string | null;
  description: string;
  category: string;
  businessType: Business;
  quantity: number;
  /** Agreed price of all pieces, without the discount. */
  amountCents: number;
  discountCents: number;
  discountReason: string;
  /** Of the line's own discount; null for an amount. */
  discountBasisPoints: number | null;
}

/** Names what a line sells: its product, and the unit of a product that has several. */
const lineUnit = (product: SoldProduct | undefined) => ({
  productId: product?.productId ?? null,
  unitId: product && product.id !== product.productId ? product.id : null,
});

function completeLine(line: SaleLine, products: Map<string, SoldProduct>): CompleteLine {
  const product = products.get(unitIdOf(line) ?? "");
  const category = line.category ?? product?.category ?? ownCategory(line.businessType ?? "EMPORIA");
  return {
    ...lineUnit(product),
    description: line.description || (product?.name ?? ""),
    category,
    businessType: line.businessType ?? businessOf(category),
    quantity: line.quantity,
    amountCents: line.amount,
    discountCents: discountCents(line.amount, line.discount),
    discountReason: line.reason,
    discountBasisPoints: line.discount && "basisPoints" in line.discount ? line.discount.basisPoints : null,
  };
}

/**
 * Completes the lines of a sale, and takes the discounts off: those of lines, and their parts of the document's.
 *
 * @throws AppError invalid for a document's discount above its lines
 */
export function completeLines(
  { lines, discount }: Pick<SaleRequest, "lines"> & Partial<Pick<SaleRequest, "discount">>,
  products: Map<string, SoldProduct>,
): CompleteLine[] {
  const complete = lines.map((line) => completeLine(line, products));
  const prices = complete.map((line) => ({
    priceCents: line.amountCents,
    discountCents: line.discountCents,
  }));
  const message = discountProblem(sum(prices.map((line) => line.priceCents - line.discountCents)), discount);
  if (message) throw fieldError("invalid", "discount", message);
  const discounts = spreadDiscount(prices, discount);
  return complete.map((line, i) => {
    const off = discounts[i] ?? 0;
    return {
      ...line,
      amountCents: line.amountCents - off,
      discountCents: off,
      discountReason: off > 0 ? line.discountReason : "",
      discountBasisPoints: off === line.discountCents ? line.discountBasisPoints : null,
    };
  });
}

/** First letter of a business's numbers. */
export const SERIES: Record<Business, string> = { EMPORIA: "E", LASER: "L" };

/** Builds the documents of a sale, one for each business, with their payments. */
function newSale(
  { now, settings, user }: StaffContext,
  input: SaleRequest,
  state: SaleState,
  { requestId, requestHash }: RequestKey,
): NewDocument[] {
  const { chat } = state;
  const customer = customerOf(state);
  const date = documentDay(input.createdAt, now, settings.timezone);
  const byBusiness = linesByBusiness(input, state);
  const exact = byBusiness.map(({ exactCents }) => exactCents);
  const first = byBusiness.findIndex(({ businessType }) => businessType === state.quote?.depositBusiness);
  const payments = paymentsOf(exact, { input, settings }, state.quote, Math.max(0, first));
  return byBusiness.map(({ businessType, exactCents, ...taxed }, i) => ({
    requestId,
    requestHash,
    ...date,
    ...taxed,
    ...paymentOf(exactCents, payments[i]),
    id: saleDocumentId(requestId, i),
    kind: "sale",
    series: `${SERIES[businessType]}-${date.day.slice(0, 4)}`,
    businessType,
    customerId: customer?.id ?? null,
    customerName: input.customerName || (customer?.name ?? ""),
    chatId: chat?.id ?? null,
    source: input.source ?? (chat ? "chat" : "counter"),
    originalId: null,
    reason: "",
    recordedAt: now,
    createdBy: fullName(user),
    roundingInvoiceId: crypto.randomUUID(),
  }));
}

/** Computes the lines of each business. */
function linesByBusiness(input: SaleRequest, { products, rules }: SaleState) {
  const lines = completeLines(input, products);
  return [...Map.groupBy(lines, ({ businessType }) => businessType)].map(([businessType, group]) => ({
    businessType,
    ...taxedLines(group, rules.get(businessType) ?? NO_TAX),
  }));
}

/**
 * Computes how the documents of a sale are paid.
 *
 * @param totals before rounding
 * @param first document of the business that took the deposits
 * @throws AppError invalid when the payments are not what is to pay; conflict when the deposits are more
 */
function paymentsOf(
  totals: number[],
  { input, settings }: { input: SaleRequest; settings: ShopSettings },
  quote: SaleState["quote"],
  first: number,
) {
  const tender = tenderOf(input, settings);
  const deposits = quote?.deposits ?? [];
  const { documents, overpaidCents, toPayCents, isPaid } = settle(totals, deposits, tender, first);
  if (overpaidCents > 0)
    throw new AppError(
      "conflict",
      `The deposit is ${dollars(overpaidCents)} more than this sale. Pay it back first.`,
    );
  if (!isPaid) throw fieldError("invalid", "payments", notPaidText(tender.parts, toPayCents));
  const cashCents = cashOf(documents.flatMap(({ paid }) => paid));
  if (input.cashReceived !== undefined && input.cashReceived < cashCents)
    throw fieldError("invalid", "cashReceived", `Less than ${dollars(cashCents)}, which is to pay in cash`);
  return documents.map(({ deposits, paid, roundingCents }) => ({
    roundingCents,
    payments: [
      ...deposits.map((part) => ({ ...part, quoteId: quote?.id ?? null })),
      ...paid.map((part) => ({ ...part, quoteId: null })),
    ],
    otherwise: tenderedMode(tender),
  }));
}

/** Computes total, rounding and mode of a document. */
export function paymentOf(exactCents: number, payment: ReturnType<typeof paymentsOf>[number] | undefined) {
  const { payments = [], roundingCents = 0, otherwise = "CASH" } = payment ?? {};
  return {
    payments,
    roundingCents,
    totalCents: exactCents + roundingCents,
    paymentMode: mainMode(payments, otherwise),
  };
}

/** Computes the lines and the tax of one document. */
export function taxedLines(group: CompleteLine[], rules: TaxRules) {
  const prices = group.map(({ amountCents }) => amountCents);
  const { amounts, taxes, ...totals } = saleTotals(prices, rules);
  const isTaxed = rules.number !== "";
  return {
    ...totals,
    discountCents: sum(group.map((line) => line.discountCents)),
    taxName: isTaxed ? rules.name : "",
    taxRate: isTaxed ? rules.rate : 0,
    taxIncluded: isTaxed && rules.isIncluded,
    taxNumber: rules.number,
    lines: group.map(({ businessType: _, ...line }, n) => ({
      ...line,
      line: n + 1,
      invoiceId: crypto.randomUUID(),
      amountCents: amounts[n] ?? 0,
      taxCents: taxes[n] ?? 0,
    })),
  };
}

/** Stores everything in one batch, then shows the receipt in the chat. */
async function store(
  context: StaffContext,
  { holdId, quoteId }: SaleRequest,
  state: SaleState,
  sale: NewDocument[],
  { requestId, unitIds }: SaleKey,
): Promise<StoredDocument[]> {
  const { db, now, user } = context;
  const { chat } = state;
  const customer = customerOf(state);
  const isNew = customer !== undefined && state.customer === undefined;
  const statements = [
    ...(linksExisting(state) ? [refuseWhilePlanned([state.customer.id], state.chat.id)] : []),
    settleHolds(unitIds),
    paymentsStatement(sale),
    ...(holdId ? sellHold(holdId, requestId) : []),
    ...(quoteId ? [sellQuote(quoteId, requestId)] : []),
    ...(isNew && chat?.userId ? createAccountCustomer(db, customer.id, chat.userId, now) : []),
    refuseUnlessStored(chat?.id ?? null, isNew ? { id: customer.id } : state.customer),
    ...sale.flatMap((document) => documentStatements(document)),
    ...moveStock(stockMoves(sale), "sale", fullName(user), now),
    ...(chat && customer ? [linkChat(chat.id, customer.id, now)] : []),
    recordDocuments(db, requestId, { holdId, quoteId }),
    selectRequest(requestId),
  ];
  const stored = (await runBatch(db, statements)).at(-1) ?? [];
  const documents = stored.map(toDocument);
  await sendReceiptCards(context, documents);
  return documents;
}

/**
 * Explains a refused batch by what is stored now.
 *
 * @returns the documents, if a concurrent attempt of the same request has stored them; undefined when the reason is gone
 * @throws AppError with the reason
 */
async function explainRefusal(
  context: StaffContext,
  input: SaleRequest,
  request: SaleKey,
): Promise<StoredDocument[] | undefined> {
  const state = await readSaleState(context.db, { ...input, ...request });
  if (state.earlier.length > 0) return repeatedSale(context, state.earlier, request.requestHash);
  checkSaleState(input, state);
  const problems = await lineProblems(context, input);
  if (problems.length > 0) throw lineConflict(problems);
  return undefined;
}
