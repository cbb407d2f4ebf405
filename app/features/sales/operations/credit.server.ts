import { runBatch } from "~/db/client.server";
import type { Business } from "~/domain/enums";
import { dollars } from "~/domain/money";
import { MAX_STOCK } from "~/domain/stock-levels";
import { AppError, type ErrorDetail, fieldError, validationError } from "~/http/errors";
import { operation, type StaffContext } from "~/http/operation.server";
import { concurrentChange, writeOrExplain } from "~/http/refused-write.server";
import { type RequestKey, repeatedAnswer, requestKey } from "~/http/repeated-request.server";
import { fullName } from "~/session/caller.server";
import { Document } from "../answers";
import { sendReceiptCards } from "../cards.server";
import { type Part, remainingParts } from "../correction";
import type { DocumentLine } from "../document";
import {
  byMode,
  cashLeaves,
  type DocumentPayment,
  mainMode,
  paidCents,
  type Tender,
  tenderedMode,
} from "../payments";
import {
  type CreditsSoFar,
  documentStatements,
  type NewDocument,
  paymentsStatement,
  recordDocuments,
  type StoredDocument,
  selectCredits,
  selectDocument,
  selectRequest,
  selectTaken,
  toDocument,
} from "../queries/documents.server";
import {
  moveStock,
  refuseStockAbove,
  refuseUnlessNamed,
  type SoldProduct,
  type StockMove,
  selectUnitsOfDocument,
  stockMoves,
  toSoldProducts,
} from "../queries/sale.server";
import { CreditInput, type CreditRequest } from "../sale-schema";
import { lineConflict } from "../shortages.server";
import { type CreditTotals, creditTotals, leftOfLine, sum } from "../tax";
import { tenderOf } from "../tender.server";
import { apiDocument, documentDay } from "./documents.server";
import { ID_TAKEN } from "./record.server";
import { refuseAboveSellerLimit } from "./seller-limit.server";

/**
 * Issues a credit note for lines of a sale, or for everything that is left of it.
 *
 * @throws AppError notFound; conflict when more is to be taken back than was sold (a detail for each line), or when the
 * id belongs to another request
 */
export const creditSale = operation({
  route: "POST sale/:saleId/credit",
  summary: "Credit lines of a sale",
  answer: Document,
  errors: [409],
  access: "staff",
  input: CreditInput,
  status: 201,
  run: async ({ input, ...context }) => apiDocument(await storeCredit(context, input)),
});

/** Attempts of a credit note: each met another one of the same sale, and is repeated with what that left. */
const MAX_ATTEMPTS = 60;

export async function storeCredit(context: StaffContext, input: CreditRequest): Promise<StoredDocument> {
  const { id: sentId, ...content } = input;
  const request = await requestKey(sentId, content);
  let creditsAtRefusal: number | undefined;
  const attempt = async () => {
    const { earlier, isIdTaken, original, credits, products } = await readSale(
      context,
      request.requestId,
      input.saleId,
    );
    if (earlier) return repeated(context, earlier, request.requestHash);
    if (isIdTaken) throw new AppError("conflict", ID_TAKEN);
    if (!original) throw new AppError("notFound", "Sale not found");
    const credit = newCredit(context, input, { original, credits }, request);
    if (input.restock) checkStock(stockMoves([credit]), products);
    // No other credit note came in between: repeating it would change nothing.
    if (credits.credits === creditsAtRefusal) throw concurrentChange();
    creditsAtRefusal = credits.credits;
    return store(context, credit, input.restock);
  };
  return writeOrExplain(attempt, undefined, MAX_ATTEMPTS);
}

async function readSale({ db }: StaffContext, requestId: string, saleId: string) {
  const [earlier = [], taken = [], original = [], credits = [], products = []] = await runBatch(db, [
    selectRequest(requestId),
    selectTaken([requestId], requestId),
    selectDocument(saleId),
    selectCredits(saleId),
    selectUnitsOfDocument(saleId),
  ]);
  return {
    earlier: earlier.map(toDocument)[0],
    isIdTaken: taken.length > 0,
    original: original.map(toDocument)[0],
    credits: credits[0] as unknown as CreditsSoFar,
    products: toSoldProducts(products),
  };
}

/** Refuses to return more to stock than a unit may have. @throws AppError conflict */
export function checkStock(moves: StockMove[], products: Map<string, SoldProduct>): void {
  const details = moves.flatMap(({ unitId, quantity }): ErrorDetail[] => {
    const product = products.get(unitId);
    if (!product || product.stock + quantity <= MAX_STOCK) return [];
    const message = `${product.name}: the stock would be above ${MAX_STOCK.toLocaleString("en")}. Take it back without returning it to stock.`;
    return [{ path: "restock", message }];
  });
  if (details.length > 0) throw lineConflict(details);
}

async function repeated(context: StaffContext, credit: StoredDocument, requestHash: string) {
  repeatedAnswer(credit, { requestHash }, ID_TAKEN);
  await sendReceiptCards(context, [credit]);
  return credit;
}

const SERIES: Record<Business, string> = { EMPORIA: "EC", LASER: "LC" };

function newCredit(
  context: StaffContext,
  input: CreditRequest,
  { original, credits }: { original: StoredDocument; credits: CreditsSoFar },
  request: RequestKey,
): NewDocument {
  requireSale(original);
  const parts = creditedParts(input, original);
  const tender = tenderOf(input, context.settings);
  const totals = creditTotals(parts, paidSale(original, credits), cashLeaves(tender));
  refuseAboveSellerLimit(context, credits.creditedCents - totals.totalCents, "lines");
  const payments = refundsOf(-totals.totalCents, tender);
  return creditDocument(context, {
    ...{ original, credits, parts, totals, payments, reason: input.reason },
    request: { ...request, id: request.requestId },
    paymentMode: mainMode(payments, tenderedMode(tender)),
  });
}

/** Refuses to credit a credit note. @throws AppError conflict */
export function requireSale({ kind, number }: StoredDocument): void {
  if (kind === "sale") return;
  throw new AppError("conflict", `${number} is a credit note. Only a sale can be credited.`);
}

/** Returns a sale as its next credit note sees it. */
export const paidSale = ({ lines, roundingCents }: StoredDocument, credits: CreditsSoFar) => ({
  lines,
  roundingSoFarCents: roundingCents + credits.roundingCents,
});

/** Ingredients of a credit note. */
interface CreditContent extends Pick<NewDocument, "paymentMode" | "payments" | "reason"> {
  original: StoredDocument;
  credits: CreditsSoFar;
  parts: Part[];
  totals: CreditTotals;
  request: RequestKey & Pick<NewDocument, "id">;
}

/** Builds a credit note, dated today. */
export function creditDocument(
  { now, settings, user }: StaffContext,
  { original, credits, parts, totals, request, ...content }: CreditContent,
): NewDocument {
  const { amounts, taxes, discounts, exactCents: _, ...sums } = totals;
  const { number: _number, lines: _lines, originalNumber: _original, ...snapshot } = original;
  const date = documentDay(undefined, now, settings.timezone);
  return {
    ...{ ...snapshot, ...request, ...date, ...sums, ...content },
    kind: "credit",
    series: `${SERIES[original.businessType]}-${date.day.slice(0, 4)}`,
    recordedAt: now,
    originalId: original.id,
    createdBy: fullName(user),
    discountCents: sum(discounts),
    lines: parts.map(({ line, quantity }, i) => ({
      ...creditedFields(line),
      invoiceId: crypto.randomUUID(),
      quantity: 0 - quantity,
      amountCents: amounts[i] ?? 0,
      taxCents: taxes[i] ?? 0,
      discountCents: discounts[i] ?? 0,
      discountReason: "",
      discountBasisPoints: null,
    })),
    creditsBefore: credits.credits,
    roundingInvoiceId: crypto.randomUUID(),
  };
}

/** Returns what a credit note pays back, negative. @throws AppError invalid when the payments are not its total */
export function refundsOf(
  totalCents: number,
  { parts, rest }: Pick<Tender, "parts" | "rest">,
): DocumentPayment[] {
  const left = totalCents - paidCents(parts);
  if (rest === null ? left !== 0 : left < 0) {
    const message = `The payments are ${dollars(paidCents(parts))}, ${dollars(totalCents)} is to pay back`;
    throw fieldError("invalid", "payments", message);
  }
  const all = rest === null ? parts : [...parts, { mode: rest, amountCents: left }];
  return byMode(all).map(({ mode, amountCents }) => ({ mode, amountCents: -amountCents, quoteId: null }));
}

/** Picks the fields of a line that its credit note repeats. */
const creditedFields = ({ line, productId, unitId, description, category }: DocumentLine) => ({
  line,
  productId,
  unitId,
  description,
  category,
});

export const nothingLeft = ({ number }: StoredDocument) =>
  new AppError("conflict", `Everything on ${number} has been taken back already.`);

/** Resolves what is credited. @throws AppError invalid for an unknown line; conflict for more than is left */
function creditedParts({ lines }: CreditRequest, original: StoredDocument): Part[] {
  const parts = lines ? requestedParts(lines, original) : remainingParts(original);
  if (parts.length === 0) throw nothingLeft(original);
  const details = parts.flatMap((part): ErrorDetail[] => {
    const index = lines?.findIndex((each) => each.line === part.line.line) ?? 0;
    const message = partProblem(part);
    return message ? [{ path: `lines.${index}`, message: `${part.line.description}: ${message}` }] : [];
  });
  if (details.length > 0) throw lineConflict(details);
  return parts;
}

/** Returns the error message of more than is left of a line; null for what can be credited. */
function partProblem({ line, quantity, amountCents }: Part): string | null {
  const pieces = line.quantity - line.returned;
  if (amountCents === undefined) return quantity > pieces ? `${pieces} left to take back` : null;
  const left = leftOfLine(line);
  return amountCents > left ? `${dollars(left)} left to credit` : null;
}

function requestedParts(lines: NonNullable<CreditRequest["lines"]>, original: StoredDocument): Part[] {
  return [...Map.groupBy(lines, ({ line }) => line)].map(([number, group]) => {
    const line = original.lines.find((each) => each.line === number);
    if (!line) throw validationError([{ path: "lines", message: `There is no line ${number}` }]);
    const amounts = group.flatMap(({ amount }) => amount ?? []);
    if (amounts.length === 0) return { line, quantity: sum(group.map(({ quantity = 0 }) => quantity)) };
    if (amounts.length < group.length)
      throw validationError([{ path: "lines", message: MIXED_LINE(number) }]);
    return { line, quantity: 0 as const, amountCents: sum(amounts) };
  });
}

const MIXED_LINE = (line: number) => `Credit line ${line} by pieces or by an amount, not by both at once`;

async function store(context: StaffContext, credit: NewDocument, restock: boolean): Promise<StoredDocument> {
  const { db, now, user } = context;
  const moves = restock ? stockMoves([credit]) : [];
  const statements = [
    refuseUnlessNamed(credit),
    paymentsStatement([credit]),
    ...documentStatements(credit),
    ...moveStock(moves, "return", fullName(user), now),
    refuseStockAbove(MAX_STOCK, moves),
    recordDocuments(db, credit.requestId),
    selectRequest(credit.requestId),
  ];
  const [row] = (await runBatch(db, statements)).at(-1) ?? [];
  if (!row) throw new Error("A stored credit note was not found");
  const document = toDocument(row);
  await sendReceiptCards(context, [document]);
  return document;
}
