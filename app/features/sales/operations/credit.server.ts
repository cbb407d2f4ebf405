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
  selectUnitsOfDocument,
  stockMoves,
  toSoldProducts,
} from "../queries/sale.server";
import { CreditInput, type CreditRequest, tenderOf } from "../schema";
import { lineConflict } from "../shortages.server";
import { creditTotals } from "../tax";
import { apiDocument, documentDay } from "./documents.server";
import { ID_TAKEN } from "./record.server";

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
    if (input.restock) checkStock(credit, products);
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
function checkStock(credit: NewDocument, products: Map<string, SoldProduct>): void {
  const details = stockMoves([credit]).flatMap(({ unitId, quantity }): ErrorDetail[] => {
    const product = products.get(unitId);
    if (!product || product.stock + quantity <= MAX_STOCK) return [];
    const message = `${product.name}: the stock would be above ${MAX_STOCK.toLocaleString("en")}. Take it back without returning it to stock.`;
    return [{ path: "restock", message }];
  });
  if (details.length > 0) throw lineConflict(details);
}

interface CreditsSoFar {
  credits: number;
  roundingCents: number;
}

async function repeated(context: StaffContext, credit: StoredDocument, requestHash: string) {
  repeatedAnswer(credit, { requestHash }, ID_TAKEN);
  await sendReceiptCards(context, [credit]);
  return credit;
}

const SERIES: Record<Business, string> = { EMPORIA: "EC", LASER: "LC" };

function newCredit(
  { now, settings, user }: StaffContext,
  input: CreditRequest,
  { original, credits: { credits, roundingCents } }: { original: StoredDocument; credits: CreditsSoFar },
  request: RequestKey,
): NewDocument {
  if (original.kind !== "sale")
    throw new AppError("conflict", `${original.number} is a credit note. Only a sale can be credited.`);
  const returned = returnedLines(input, original);
  const paid = { lines: original.lines, roundingSoFarCents: original.roundingCents + roundingCents };
  const tender = tenderOf(input);
  const { amounts, taxes, exactCents: _exact, ...totals } = creditTotals(returned, paid, cashLeaves(tender));
  const payments = refundsOf(-totals.totalCents, tender);
  const { id: _, number: _number, lines: _lines, originalNumber: _original, ...snapshot } = original;
  const date = documentDay(undefined, now, settings.timezone);
  return {
    ...snapshot,
    ...request,
    ...date,
    ...totals,
    id: request.requestId,
    kind: "credit",
    series: `${SERIES[original.businessType]}-${date.day.slice(0, 4)}`,
    recordedAt: now,
    paymentMode: mainMode(payments, tenderedMode(tender)),
    payments,
    originalId: original.id,
    reason: input.reason,
    createdBy: fullName(user),
    lines: returned.map(({ line, quantity }, i) => ({
      ...creditedFields(line),
      invoiceId: crypto.randomUUID(),
      quantity: -quantity,
      amountCents: amounts[i] ?? 0,
      taxCents: taxes[i] ?? 0,
    })),
    creditsBefore: credits,
    roundingInvoiceId: crypto.randomUUID(),
  };
}

/** Returns what a credit note pays back, negative. @throws AppError invalid when the payments are not its total */
function refundsOf(totalCents: number, { parts, rest }: Tender): DocumentPayment[] {
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

interface ReturnedLine {
  line: DocumentLine;
  quantity: number;
}

/** Resolves the lines to take back. @throws AppError invalid for an unknown line; conflict for more than is left */
function returnedLines({ lines }: CreditRequest, original: StoredDocument): ReturnedLine[] {
  const returned = lines ? requestedLines(lines, original) : remainingLines(original);
  if (returned.length === 0)
    throw new AppError("conflict", `Everything on ${original.number} has been taken back already.`);
  const details = returned.flatMap(({ line, quantity }): ErrorDetail[] => {
    const left = line.quantity - line.returned;
    const index = lines?.findIndex((each) => each.line === line.line) ?? 0;
    return quantity > left
      ? [{ path: `lines.${index}`, message: `${line.description}: ${left} left to take back` }]
      : [];
  });
  if (details.length > 0) throw lineConflict(details);
  return returned;
}

const remainingLines = (original: StoredDocument): ReturnedLine[] =>
  original.lines
    .map((line) => ({ line, quantity: line.quantity - line.returned }))
    .filter(({ quantity }) => quantity > 0);

function requestedLines(
  lines: NonNullable<CreditRequest["lines"]>,
  original: StoredDocument,
): ReturnedLine[] {
  const pieces = new Map<number, number>();
  for (const { line, quantity } of lines) pieces.set(line, (pieces.get(line) ?? 0) + quantity);
  return [...pieces].map(([number, quantity]) => {
    const line = original.lines.find((each) => each.line === number);
    if (!line) throw validationError([{ path: "lines", message: `There is no line ${number}` }]);
    return { line, quantity };
  });
}

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
