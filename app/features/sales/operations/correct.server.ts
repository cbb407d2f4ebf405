import { z } from "zod";
import { runBatch } from "~/db/client.server";
import { dollars } from "~/domain/money";
import { MAX_STOCK } from "~/domain/stock-levels";
import { Dollars } from "~/http/answers";
import { AppError, type ErrorDetail, fieldError } from "~/http/errors";
import { operation, type StaffContext } from "~/http/operation.server";
import { writeOrExplain } from "~/http/refused-write.server";
import { type RequestKey, repeatedAnswer, requestKey } from "~/http/repeated-request.server";
import { fullName } from "~/session/caller.server";
import { Document } from "../answers";
import { expectCard, sendReceiptCards } from "../cards.server";
import {
  type ComparedLine,
  correctionOf,
  piecesLeft,
  remainingParts,
  rulesOf,
  type settleCorrection,
} from "../correction";
import { mainMode, type PaymentPart, paidCents, type Tender, tenderedMode } from "../payments";
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
  selectSoldProducts,
  selectUnitsOfDocument,
  settleHolds,
  stockMoves,
  toSoldProducts,
} from "../queries/sale.server";
import { CorrectInput, type CorrectRequest } from "../sale-schema";
import { unitIdOf } from "../schema";
import { lineConflict, lineProblems, missingUnits } from "../shortages.server";
import { tenderOf } from "../tender.server";
import { checkStock, creditDocument, nothingLeft, paidSale, requireSale } from "./credit.server";
import { apiDocument, refuseTotalAbove } from "./documents.server";
import { type CompleteLine, completeLines, ID_TAKEN, SERIES, taxedLines } from "./record.server";
import { refuseAboveSellerLimit } from "./seller-limit.server";

/**
 * Corrects a sale: one batch issues the credit note of the lines that were wrong, and the sale of those in their place. Lines
 * that stay as they are stand in neither. The tax rules are those of the corrected sale
 * (docs/decisions/0074-discounts-and-corrections.md).
 *
 * @throws AppError notFound; invalid for payments that are not the difference; conflict when nothing is changed or left, when
 * the sale was credited since the caller saw it, and as `recordSale` and `creditSale`
 */
export const correctSale = operation({
  route: "POST sale/:saleId/correct",
  summary: "Correct a sale",
  answer: z.object({
    credit: Document,
    sale: Document.nullable().meta({ description: "Null where lines were only taken away" }),
    difference: Dollars.meta({ description: "To pay; negative: paid back" }),
  }),
  errors: [409],
  access: "staff",
  input: CorrectInput,
  status: 201,
  async run({ input, ...context }) {
    const { credit, sale } = await storeCorrection(context, input);
    return {
      credit: apiDocument(credit),
      sale: sale && apiDocument(sale),
      difference: ((sale?.totalCents ?? 0) + credit.totalCents) / 100,
    };
  },
});

export interface Correction {
  credit: StoredDocument;
  sale: StoredDocument | null;
}

export async function storeCorrection(context: StaffContext, input: CorrectRequest): Promise<Correction> {
  const { id: sentId, ...content } = input;
  const request = await requestKey(sentId, content);
  let seen = input.credits;
  const attempt = async () => {
    const { earlier, isIdTaken, ...state } = await readCorrected(context, input, request.requestId);
    if (earlier.length > 0) return repeated(context, earlier, request.requestHash);
    if (isIdTaken) throw new AppError("conflict", ID_TAKEN);
    const { original, credits, products } = state;
    if (!original) throw new AppError("notFound", "Sale not found");
    requireSale(original);
    // Planned again, a sale that was credited meanwhile would sell its lines twice.
    if (seen !== undefined && seen !== credits.credits) throw creditedMeanwhile(original);
    seen = credits.credits;
    expectCard(context, original.chatId);
    const documents = newDocuments(context, input, { ...state, original }, request);
    if (documents.gone.size > 0)
      throw lineConflict(await correctedProblems(context, input, original, documents.gone));
    return store(context, input, documents, products);
  };
  return writeOrExplain(attempt, () => explainRefusal(context, input, { ...request, seen }));
}

/** Lists what is wrong with lines, whose own sale gives its pieces back. @param only their indexes; all without it */
async function correctedProblems(
  context: StaffContext,
  { lines }: CorrectRequest,
  original: StoredDocument,
  only?: ReadonlySet<number>,
): Promise<ErrorDetail[]> {
  const problems = await lineProblems(context, { lines, returned: piecesLeft(original) });
  return problems.filter(({ path }) => only === undefined || only.has(Number(path.split(".")[1])));
}

/**
 * Explains a refused batch by what is stored now.
 *
 * @returns the documents, if a concurrent attempt of the same request has stored them; undefined when the reason is gone
 * @throws AppError with the reason
 */
async function explainRefusal(
  context: StaffContext,
  input: CorrectRequest,
  { requestId, requestHash, seen }: RequestKey & { seen: number | undefined },
): Promise<Correction | undefined> {
  const { earlier, original, credits } = await readCorrected(context, input, requestId);
  if (earlier.length > 0) return repeated(context, earlier, requestHash);
  if (!original) return undefined;
  if (seen !== credits.credits) throw creditedMeanwhile(original);
  const problems = await correctedProblems(context, input, original);
  if (problems.length > 0) throw lineConflict(problems);
  return undefined;
}

const creditedMeanwhile = ({ number }: StoredDocument) =>
  new AppError("conflict", `${number} was credited in the meantime. Nothing was corrected.`);

/** Returns the id of a correction's credit note. */
const creditId = (requestId: string) => `${requestId}-c`;

async function readCorrected({ db }: StaffContext, { saleId, lines }: CorrectRequest, requestId: string) {
  const unitIds = lines.flatMap((line) => unitIdOf(line) ?? []);
  const [earlier = [], taken = [], original = [], credits = [], sold = [], before = []] = await runBatch(db, [
    selectRequest(requestId),
    selectTaken([requestId, creditId(requestId)], requestId),
    selectDocument(saleId),
    selectCredits(saleId),
    selectSoldProducts([...new Set(unitIds)]),
    selectUnitsOfDocument(saleId),
  ]);
  return {
    earlier: earlier.map(toDocument),
    isIdTaken: taken.length > 0,
    original: original.map(toDocument)[0],
    credits: credits[0] as unknown as CreditsSoFar,
    products: toSoldProducts([...before, ...sold]),
  };
}

/** Answers a repeated request; its cards are sent in case the first attempt ended before. */
async function repeated(
  context: StaffContext,
  documents: StoredDocument[],
  requestHash: string,
): Promise<Correction> {
  const first = documents.find(({ kind }) => kind === "credit");
  const credit = repeatedAnswer(first, { requestHash }, ID_TAKEN);
  await sendReceiptCards(context, documents);
  return { credit, sale: documents.find(({ kind }) => kind === "sale") ?? null };
}

interface Corrected {
  original: StoredDocument;
  credits: CreditsSoFar;
  products: Map<string, SoldProduct>;
}

interface NewCorrection {
  credit: NewDocument;
  sale: NewDocument | null;
  /** Indexes of lines whose units are no longer sold. */
  gone: ReadonlySet<number>;
}

/**
 * Builds the documents of a correction.
 *
 * @throws AppError invalid for payments that are not the difference; conflict when nothing is left, or nothing of it is wrong
 */
function newDocuments(
  context: StaffContext,
  input: CorrectRequest,
  { original, credits, products }: Corrected,
  request: RequestKey,
): NewCorrection {
  const tender = tenderOf(input, context.settings);
  const { roundingSoFarCents } = paidSale(original, credits);
  const wanted = wantedLines(input, original, products);
  const { parts, lines, totals, payment } = correctionOf(original, roundingSoFarCents, wanted, tender);
  if (remainingParts(original).length === 0) throw nothingLeft(original);
  if (parts.length === 0) throw unchanged(original, lines.length > 0);
  if (!payment.isPaid) throw notTheDifference(payment.differenceCents, tender);
  if (payment.differenceCents < 0)
    refuseAboveSellerLimit(context, credits.creditedCents - payment.differenceCents, "lines");
  const credit = creditDocument(context, {
    ...{ original, credits, parts, totals, reason: input.reason || "Correction" },
    request: { ...request, id: creditId(request.requestId) },
    ...paidBy(payment.credit, tender, -1),
  });
  if (lines.length === 0) return { credit, sale: null, gone: new Set() };
  const gone = goneLines(input, lines, products);
  const taxed = taxedLines(
    lines.map(({ line }) => line),
    rulesOf(original),
  );
  return { credit, sale: newSale(context, credit, { ...taxed, ...payment }, tender), gone };
}

/** Finds the lines of units that are no longer sold, among those that are sold anew. @returns their indexes */
function goneLines({ lines }: CorrectRequest, anew: { index: number }[], products: Map<string, SoldProduct>) {
  const indexes = new Set(anew.map(({ index }) => index));
  const missing = missingUnits(lines, products).map(({ index }) => index);
  return new Set(missing.filter((index) => indexes.has(index)));
}

/** Completes the lines as they should have been, all of the sale's business; what they leave out is as it was. */
function wantedLines(
  { lines }: CorrectRequest,
  original: StoredDocument,
  products: Map<string, SoldProduct>,
) {
  const before = new Map(original.lines.map((line) => [line.unitId ?? line.productId, line]));
  const asSold = lines.map((line) => {
    const sold = before.get(unitIdOf(line) ?? null);
    const { description = "", category } = sold && unitIdOf(line) ? sold : {};
    const shown = line.description || description;
    return {
      ...line,
      businessType: original.businessType,
      description: shown,
      category: line.category ?? (category as typeof line.category),
    };
  });
  return completeLines({ lines: asSold }, products).map((line, index): WantedLine => {
    const unit = unitIdOf(lines[index] ?? {}) ?? null;
    return { ...line, line, index, unit, priceCents: line.amountCents };
  });
}

interface WantedLine extends ComparedLine {
  line: CompleteLine;
  /** In the request. */
  index: number;
}

const unchanged = ({ number }: StoredDocument, isAdded: boolean) =>
  new AppError(
    "conflict",
    isAdded
      ? `Nothing on ${number} is changed. Record what was sold in addition as a sale of its own.`
      : `Nothing on ${number} is changed.`,
  );

function notTheDifference(cents: number, { parts }: Tender): AppError {
  const due = `${dollars(Math.abs(cents))} is to pay${cents < 0 ? " back" : ""}`;
  return fieldError("invalid", "payments", `The payments are ${dollars(paidCents(parts))}, ${due}`);
}

/** Returns the payments of a document and its mode. @param sign -1 for what is paid back */
const paidBy = (parts: PaymentPart[], tender: Tender, sign: 1 | -1) => ({
  payments: parts.map(({ mode, amountCents }) => ({ mode, amountCents: sign * amountCents, quoteId: null })),
  paymentMode: mainMode(parts, tenderedMode(tender)),
});

type Sold = ReturnType<typeof taxedLines> & ReturnType<typeof settleCorrection>;

/** Builds the sale of a correction, of the same customer and conversation as its credit note. */
function newSale(
  { user }: StaffContext,
  { creditsBefore: _, ...credit }: NewDocument,
  { exactCents, credit: _credit, sale, roundingCents, differenceCents: _cents, isPaid: __, ...taxed }: Sold,
  tender: Tender,
): NewDocument {
  const totalCents = exactCents + roundingCents;
  refuseTotalAbove(totalCents);
  return {
    ...{ ...credit, ...taxed, roundingCents, totalCents, ...paidBy(sale, tender, 1) },
    id: credit.requestId,
    kind: "sale",
    series: `${SERIES[credit.businessType]}-${credit.day.slice(0, 4)}`,
    originalId: null,
    reason: "",
    createdBy: fullName(user),
    roundingInvoiceId: crypto.randomUUID(),
  };
}

/** Stores both documents in one batch, then shows them in the chat. */
async function store(
  context: StaffContext,
  input: CorrectRequest,
  { credit, sale }: NewCorrection,
  products: Map<string, SoldProduct>,
): Promise<Correction> {
  const { db, now, user } = context;
  const documents = sale ? [credit, sale] : [credit];
  const sold = sale ? stockMoves([sale]) : [];
  const returned = returnedMoves(stockMoves([credit]), sold, input.restock);
  checkStock(returned, products);
  const statements = [
    refuseUnlessNamed(credit),
    settleHolds(sold.map(({ unitId }) => unitId)),
    paymentsStatement(documents),
    ...documentStatements(credit),
    ...moveStock(returned, "return", fullName(user), now),
    ...(sale ? documentStatements(sale) : []),
    ...moveStock(sold, "sale", fullName(user), now),
    refuseStockAbove(MAX_STOCK, returned),
    recordDocuments(db, credit.requestId),
    selectRequest(credit.requestId),
  ];
  const stored = ((await runBatch(db, statements)).at(-1) ?? []).map(toDocument);
  await sendReceiptCards(context, stored);
  const of = (wanted: NewDocument["kind"]) => stored.find(({ kind }) => kind === wanted);
  const note = of("credit");
  if (!note) throw new Error("A stored credit note was not found");
  return { credit: note, sale: of("sale") ?? null };
}

/** Returns the pieces that go back to stock: all of them, or those that are sold again. */
function returnedMoves(returned: StockMove[], sold: StockMove[], isRestocked: boolean): StockMove[] {
  if (isRestocked) return returned;
  return returned.flatMap((move) => {
    const again = sold.find(({ unitId }) => unitId === move.unitId);
    const quantity = Math.min(move.quantity, -(again?.quantity ?? 0));
    return quantity > 0 ? [{ ...move, quantity }] : [];
  });
}
