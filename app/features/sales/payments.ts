import { PAYMENT_MODES, type PaymentMode } from "~/domain/enums";
import { decimalDollars, dollars } from "~/domain/money";
import { cashRounding } from "~/domain/tax";
import { parseAmount } from "~/domain/typed-amount";
import { allocate, type CashRest, sum } from "./tax";

/** Part of what a document is paid with; negative for what is paid back. */
export interface PaymentPart {
  mode: PaymentMode;
  amountCents: number;
}

/** Payment of a document. */
export interface DocumentPayment extends PaymentPart {
  /** Quote whose deposit counts towards the document; null for what was paid with it. */
  quoteId: string | null;
}

/** Stated parts, and the mode that pays what they leave; without one they pay all of it. */
export interface Tender {
  parts: PaymentPart[];
  rest: PaymentMode | null;
  /** Cents to whose multiples cash is rounded. */
  stepCents: number;
}

/** Names of the form fields for the part that each mode pays. */
export const PART_FIELDS = { CASH: "paidCash", EMT: "paidEmt", CARD: "paidCard" } as const;

/** Part of a payment as it was typed. */
interface TypedPart {
  mode: PaymentMode;
  /** Plain decimals where the text is an amount, else the text. */
  amount: string;
}

/** Writes a typed amount as the API takes it; other text stays, for a schema to reject. */
export function plainAmount(typed: string): string {
  const amount = parseAmount(typed);
  return amount?.isCertain ? decimalDollars(amount.cents) : typed.trim();
}

/** Lists the parts that a form states, other than of the mode that pays the rest; empty and zero ones are none. */
export function typedParts(fields: Record<string, unknown>, rest: string): TypedPart[] {
  return PAYMENT_MODES.flatMap((mode) => {
    const typed = fields[PART_FIELDS[mode]];
    const text = typeof typed === "string" ? typed.trim() : "";
    if (mode === rest || text === "" || parseAmount(text)?.cents === 0) return [];
    return [{ mode, amount: plainAmount(text) }];
  });
}

/** Returns what a form pays with, without parts that can't be read. @param stepCents to whose multiples cash is rounded */
export function draftTender(fields: Record<string, unknown>, rest: PaymentMode, stepCents: number): Tender {
  const parts = typedParts(fields, rest).flatMap(({ mode, amount }) => {
    const read = parseAmount(amount);
    return read?.isCertain ? [{ mode, amountCents: read.cents }] : [];
  });
  return { parts, rest, stepCents };
}

/** Returns the amounts of each mode, without those of 0. */
export function byMode(parts: PaymentPart[]): PaymentPart[] {
  return [...Map.groupBy(parts, ({ mode }) => mode)]
    .map(([mode, group]) => ({ mode, amountCents: sum(group.map(({ amountCents }) => amountCents)) }))
    .filter(({ amountCents }) => amountCents !== 0);
}

/** Adds up payments. */
export const paidCents = (parts: PaymentPart[]): number => sum(parts.map(({ amountCents }) => amountCents));

/** Adds up what is paid in cash. */
export const cashOf = (parts: PaymentPart[]): number =>
  paidCents(parts.filter(({ mode }) => mode === "CASH"));

/** Returns the mode of the largest payment, by which a document is listed. @param otherwise without any payment */
export function mainMode(parts: PaymentPart[], otherwise: PaymentMode): PaymentMode {
  const [largest] = byMode(parts).sort((a, b) => Math.abs(b.amountCents) - Math.abs(a.amountCents));
  return largest?.mode ?? otherwise;
}

/** Mode of a document that nobody paid. */
const DEFAULT_MODE: PaymentMode = "CASH";

/** Returns the mode that a tender names first. */
export const tenderedMode = ({ parts, rest }: Pick<Tender, "parts" | "rest">): PaymentMode =>
  rest ?? parts[0]?.mode ?? DEFAULT_MODE;

/** Returns the parts that are not cash. */
const withoutCash = (parts: PaymentPart[]): PaymentPart[] => parts.filter(({ mode }) => mode !== "CASH");

/** Returns the cash that pays what the other modes of a tender leave; null where none does. */
export function cashLeaves({ parts, rest, stepCents }: Tender): CashRest | null {
  const hasCash = parts.some(({ mode }) => mode === "CASH");
  const isRounded = rest === "CASH" || (rest === null && hasCash);
  return isRounded ? { otherCents: paidCents(withoutCash(parts)), stepCents } : null;
}

/** Takes cents from a purse of positive and negative parts, the negative ones first. @param purse what is left, changed */
function take(purse: PaymentPart[], cents: number): PaymentPart[] {
  let open = cents;
  const taken = [];
  for (const part of [...purse].sort((a, b) => Math.min(a.amountCents, 0) - Math.min(b.amountCents, 0))) {
    const amountCents = Math.min(part.amountCents, open);
    if (amountCents !== 0) taken.push({ mode: part.mode, amountCents });
    part.amountCents -= amountCents;
    open -= amountCents;
  }
  return taken;
}

/** Divides the sum of deposits among the modes in which they were taken, the largest first; no mode gets more than its own. */
export function refundParts(parts: PaymentPart[]): PaymentPart[] {
  return firstParts(parts, paidCents(parts));
}

/** Takes cents from parts, the largest first; no mode gives more than its own. */
export const firstParts = (parts: PaymentPart[], cents: number): PaymentPart[] =>
  take(
    byMode(parts)
      .filter(({ amountCents }) => amountCents > 0)
      .sort((a, b) => b.amountCents - a.amountCents),
    cents,
  );

/** Payment of the documents of one act. */
export interface Settlement {
  /** Of each document. */
  documents: { deposits: PaymentPart[]; paid: PaymentPart[]; roundingCents: number }[];
  /** Deposits that no document takes: more was paid than is due. */
  overpaidCents: number;
  /** Sum that the tender has to have, with its cash rounded. */
  toPayCents: number;
  /** The tender pays all of it. */
  isPaid: boolean;
}

/**
 * Pays documents: deposits count first, then what is paid now. Modes other than cash fill the documents in their order;
 * cash pays what is left of each, and is rounded by itself.
 *
 * @param totals of the documents before rounding, 0 or more
 * @param deposits sum of each mode
 * @param first document to which the deposits count before the others: that of their business
 */
export function settle(totals: number[], deposits: PaymentPart[], tender: Tender, first = 0): Settlement {
  const kept = deposits.map((part) => ({ ...part }));
  const dueCents = Math.max(0, sum(totals) - paidCents(kept));
  const { shares, left: depositsLeft } = depositShares(totals, paidCents(kept), first);
  const purse = purseOf(tender, dueCents);
  const hasCash = tender.rest === "CASH" || tender.parts.some(({ mode }) => mode === "CASH");
  const documents = totals.map((total, i) => {
    const counted = shares[i] ?? 0;
    const paid = take(purse, total - counted);
    const rest = total - counted - paidCents(paid);
    const roundingCents = hasCash ? cashRounding(rest, tender.stepCents) : 0;
    const cash: PaymentPart = { mode: "CASH", amountCents: hasCash ? rest + roundingCents : 0 };
    return {
      // An exchange of modes among the deposits is that of their business.
      deposits: i === first || counted > 0 ? take(kept, counted) : [],
      paid: cash.amountCents === 0 ? paid : [...paid, cash],
      roundingCents,
    };
  });
  const paidNow = sum(documents.map(({ paid }) => paidCents(paid)));
  const toPayCents = hasCash ? paidNow : dueCents;
  const isPaid = paidNow === toPayCents && isTendered(tender, toPayCents);
  return { documents, overpaidCents: depositsLeft, toPayCents, isPaid };
}

/** Divides deposits among documents: the first one, then the others in their order. */
function depositShares(totals: number[], cents: number, first: number) {
  const shares = totals.map(() => 0);
  let left = cents;
  for (const i of [first, ...totals.keys()]) {
    const share = Math.min((totals[i] ?? 0) - (shares[i] ?? 0), left);
    shares[i] = (shares[i] ?? 0) + share;
    left -= share;
  }
  return { shares, left };
}

/** Lists the parts that are not cash, with what their rest is. */
function purseOf({ parts, rest }: Tender, dueCents: number): PaymentPart[] {
  const others = withoutCash(parts).map((part) => ({ ...part }));
  const left = dueCents - paidCents(parts);
  return rest !== null && rest !== "CASH" && left > 0
    ? [...others, { mode: rest, amountCents: left }]
    : others;
}

/** Says that stated payments are not what is to pay. */
export const notPaidText = (parts: PaymentPart[], toPayCents: number): string =>
  `The payments are ${dollars(paidCents(parts))}, ${dollars(toPayCents)} is to pay`;

/** Checks that stated parts are what is to pay, or leave something of it to the mode of the rest. */
function isTendered({ parts, rest }: Tender, toPayCents: number): boolean {
  const stated = paidCents(parts);
  return rest === null ? stated === toPayCents : stated <= toPayCents;
}

interface LedgerLine {
  invoiceId: string;
  quantity: number;
  amountCents: number;
  taxCents: number;
}

/**
 * Divides the lines of a document by payment mode, so that the rows of each mode add up to what was paid in it: whole
 * lines first, the others in parts, whose tax is allotted by largest remainder. The first part keeps id and pieces of its
 * line, the others have the quantity 0.
 *
 * @param parts amount of each mode; their sum is that of the lines
 * @param otherwise mode of lines that cost nothing, without any part
 */
export function linesByMode<Line extends LedgerLine>(
  lines: Line[],
  parts: PaymentPart[],
  otherwise: PaymentMode,
): (Line & { mode: PaymentMode })[] {
  const sign = sum(lines.map(({ amountCents }) => amountCents)) < 0 ? -1 : 1;
  const signed = byMode(parts).map(({ mode, amountCents }) => ({ mode, left: sign * amountCents }));
  const modes = signed.filter(({ left }) => left > 0).sort((a, b) => b.left - a.left);
  const main = modes[0]?.mode ?? otherwise;
  const exchanged = signed.filter(({ left }) => left < 0).flatMap((part) => exchange(part, modes));
  const whole = new Map(lines.map((line) => [line, fitting(Math.abs(line.amountCents), modes, main)]));
  return lines.flatMap((line, i) => {
    const mode = whole.get(line);
    const pieces = mode ? [{ mode, cents: Math.abs(line.amountCents) }] : portions(line, modes);
    return piecesOf(line, i === 0 ? [...pieces, ...exchanged] : pieces, sign);
  });
}

interface ModeLeft {
  mode: PaymentMode;
  left: number;
}
interface Piece {
  mode: PaymentMode;
  cents: number;
}

/** Finds a mode that pays a whole line, and takes the line from it. */
function fitting(cents: number, modes: ModeLeft[], main: PaymentMode): PaymentMode | undefined {
  if (cents === 0) return main;
  const mode = modes.find(({ left }) => left >= cents);
  if (mode) mode.left -= cents;
  return mode?.mode;
}

/** Pays a line by parts of what the modes have left. */
function portions({ amountCents }: LedgerLine, modes: ModeLeft[]): Piece[] {
  let open = Math.abs(amountCents);
  return modes.flatMap((mode) => {
    const cents = Math.min(mode.left, open);
    mode.left -= cents;
    open -= cents;
    return cents > 0 ? [{ mode: mode.mode, cents }] : [];
  });
}

/** Pairs of pieces for a mode that paid back more than was paid in it: other modes took as much more. */
function exchange(back: ModeLeft, modes: ModeLeft[]): Piece[] {
  let open = -back.left;
  return modes.flatMap((mode) => {
    const cents = Math.min(mode.left, open);
    mode.left -= cents;
    open -= cents;
    if (cents === 0) return [];
    return [
      { mode: mode.mode, cents },
      { mode: back.mode, cents: -cents },
    ];
  });
}

function piecesOf<Line extends LedgerLine>(
  line: Line,
  pieces: Piece[],
  sign: number,
): (Line & { mode: PaymentMode })[] {
  const weights = pieces.map(({ cents }) => Math.max(0, cents));
  const taxes = allocate(Math.abs(line.taxCents), weights);
  return pieces.map(({ mode, cents }, i) => ({
    ...line,
    mode,
    invoiceId: i === 0 ? line.invoiceId : crypto.randomUUID(),
    quantity: i === 0 ? line.quantity : 0,
    // 0 is no negative number.
    amountCents: sign * cents || 0,
    taxCents: sign * (taxes[i] ?? 0) || 0,
  }));
}

/** Notes that people hand over, whose multiples are proposed as received. */
const NOTES = [500, 1_000, 2_000, 5_000, 10_000];
/** Proposed sums, with the exact one. */
const MAX_HANDED = 4;

/** Lists what a customer may hand over for an amount of cash: all of it, and the next multiples of notes. */
export function handedSums(cashCents: number): number[] {
  const rounded = NOTES.map((note) => Math.ceil(cashCents / note) * note);
  return [...new Set([cashCents, ...rounded])].sort((a, b) => a - b).slice(0, MAX_HANDED);
}
