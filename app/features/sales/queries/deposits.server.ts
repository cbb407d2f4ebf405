import { type SQL, sql } from "drizzle-orm";
import { added, difference, recorded } from "~/db/audit";
import { type Db, runBatch, type Statement } from "~/db/client.server";
import { type Business, businessOf, type PaymentMode } from "~/domain/enums";
import type { Deposit } from "../deposit";
import type { PaymentPart } from "../payments";
import { drawNumber, selectDrawn } from "./documents.server";
import { addedTaxOf, QUOTE_COLUMNS, type StoredQuote, toQuote } from "./holds-and-quotes.server";
import { DEPOSITS } from "./sale.server";

/** Deposit as it is stored, with its quote, which a deletion of personal data takes away. */
export interface StoredDeposit extends Deposit {
  businessType: Business;
  quoteId: string;
  note: string;
  requestHash: string;
  /** Epoch seconds. */
  createdAt: number;
  createdBy: string;
  /** Sum of the quote's deposits with this one. */
  paidCents: number;
  title: string | null;
  totalCents: number | null;
  /** Tax that the sale will add to the quote; null where prices hold it, or there is none. */
  addedTax: string | null;
  chatId: string | null;
  customerId: string | null;
  /** Name at the time of the deposit; empty without a customer. */
  customerName: string;
  /** Time of issue, epoch seconds. */
  recordedAt: number;
}

const COLUMNS =
  sql.raw(`p.id, p.number, p.business_type AS businessType, p.mode, p.amount_cents AS amountCents,
  p.quote_id AS quoteId, p.note, p.request_hash AS requestHash, p.created_at AS createdAt, p.created_by AS createdBy,
  p.recorded_at AS recordedAt, p.customer_name AS customerName,
  (SELECT sum(e.amount_cents) FROM payments AS e WHERE e.quote_id = p.quote_id AND e.document_id IS NULL AND e."row" <= p."row") AS paidCents,
  ${addedTaxOf("p.business_type")} AS addedTax,
  q.title, q.total_cents AS totalCents, q.chat_id AS chatId, q.customer_id AS customerId`);

const select = (where: SQL): SQL =>
  sql`SELECT ${COLUMNS} FROM payments AS p LEFT JOIN quotes AS q ON q.id = p.quote_id
    WHERE ${where} AND p.document_id IS NULL ORDER BY p."row"`;

/** Selects deposits by their ids. */
const selectDeposits = (ids: string[]): SQL =>
  select(sql`p.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);

/** Selects the deposits of a quote, or of the quotes that an expression selects. */
export const selectDepositsOf = (quoteIds: SQL): SQL => select(sql`p.quote_id IN (${quoteIds})`);

export async function findDeposit(db: Db, id: string): Promise<StoredDeposit | undefined> {
  const [deposit] = await db.all<StoredDeposit>(selectDeposits([id]));
  return deposit;
}

/** Number of a deposit, or its beginning. */
const DEPOSIT_NUMBER = /^[EL]D(?:-\d{0,4}|-\d{4}-\d{0,9})?$/;

/** Finds the deposits whose number begins with a text, such as `ld-2026`, the latest first; none for another text. */
export async function findNumberedDeposits(db: Db, q: string, limit: number): Promise<StoredDeposit[]> {
  const number = q.trim().toUpperCase();
  if (!DEPOSIT_NUMBER.test(number)) return [];
  return db.all(sql`SELECT ${COLUMNS} FROM payments AS p LEFT JOIN quotes AS q ON q.id = p.quote_id
    WHERE p.number >= ${number} AND p.number < ${`${number}~`} ORDER BY p.number DESC LIMIT ${limit}`);
}

/** Selects when a deposit was recorded, epoch seconds. */
export const depositedAt = (id: string): SQL => sql`(SELECT recorded_at FROM payments WHERE id = ${id})`;

/** Quote with what is paid of it. */
export interface QuoteWithDeposits {
  quote: StoredQuote;
  deposits: StoredDeposit[];
  /** Deposits that count towards no sale yet, by mode. */
  paid: PaymentPart[];
  /** Business of the larger part of its lines. */
  business: Business;
  /** Documents towards which its deposits count. */
  documentIds: string[];
}

/** State on which a deposit or a withdrawal depends. */
export interface DepositState {
  /** Payment of the request's id. */
  known: StoredDeposit | undefined;
  /** The id belongs to a payment of a document. */
  isIdTaken: boolean;
  of: QuoteWithDeposits | undefined;
}

/** Reads a quote with its deposits, and the payment of an id, in one round trip. */
export async function readDepositState(db: Db, quoteId: string, id: string): Promise<DepositState> {
  const [known = [], taken = [], quotes = [], deposits = [], lines = [], documents = []] = await runBatch(
    db,
    [
      selectDeposits([id]),
      sql`SELECT 1 FROM payments WHERE id = ${id}`,
      sql`SELECT ${QUOTE_COLUMNS}, ${DEPOSITS} AS deposits FROM quotes WHERE id = ${quoteId}`,
      selectDepositsOf(sql`${quoteId}`),
      sql`SELECT l.value ->> 'amountCents' AS cents, (SELECT p.category FROM units AS u JOIN products AS p ON p.id = u.product_id
        WHERE u.id = coalesce(l.value ->> 'unitId', l.value ->> 'productId')) AS category
      FROM quotes AS q CROSS JOIN json_each(q.lines) AS l WHERE q.id = ${quoteId}`,
      sql`SELECT DISTINCT document_id AS id FROM payments WHERE quote_id = ${quoteId} AND document_id IS NOT NULL`,
    ],
  );
  const [row] = quotes;
  return {
    known: known[0] as unknown as StoredDeposit | undefined,
    isIdTaken: taken.length > 0,
    of: row && {
      quote: toQuote(row),
      deposits: deposits as unknown as StoredDeposit[],
      paid: JSON.parse(String(row.deposits)) as PaymentPart[],
      business: mainBusiness(lines as unknown as QuotedLine[]),
      documentIds: documents.map(({ id: documentId }) => String(documentId)),
    },
  };
}

interface QuotedLine {
  cents: number;
  /** Null for a line of no product. */
  category: string | null;
}

/** Returns the business of most of a quote's amount. Lines of no product are engravings, as in the form of a sale. */
function mainBusiness(lines: QuotedLine[]): Business {
  const cents: Record<Business, number> = { EMPORIA: 0, LASER: 0 };
  for (const line of lines) cents[line.category === null ? "LASER" : businessOf(line.category)] += line.cents;
  return cents.EMPORIA > cents.LASER ? "EMPORIA" : "LASER";
}

/** Deposit that is to be stored; its number is drawn then. */
export interface NewDeposit {
  id: string;
  /** `LD-2026`. */
  series: string;
  businessType: Business;
  mode: PaymentMode;
  amountCents: number;
  quoteId: string;
  note: string;
  requestHash: string;
  createdAt: number;
  /** Epoch seconds. */
  recordedAt: number;
  day: string;
  createdBy: string;
}

/**
 * Statements that store a deposit; triggers refuse it where its quote is not open for it.
 *
 * @param known deposits on which its amount depends: with others nothing is stored
 */
function depositStatements(db: Db, deposit: NewDeposit, known?: number): Statement[] {
  const { id, series, businessType, mode, amountCents, quoteId, note } = deposit;
  const { requestHash, createdAt, recordedAt, day, createdBy } = deposit;
  const amount =
    known === undefined
      ? sql`${amountCents}`
      : sql`CASE (SELECT count(*) FROM payments WHERE quote_id = ${quoteId} AND document_id IS NULL) WHEN ${known} THEN ${amountCents} END`;
  return [
    drawNumber(series),
    sql`INSERT INTO payments (id, number, business_type, mode, amount_cents, quote_id, note, customer_name, request_hash, created_at, recorded_at, day, created_by)
      SELECT ${id}, number, ${businessType}, ${mode}, ${amount}, ${quoteId}, ${note},
        coalesce((SELECT c.name FROM quotes AS q JOIN customers AS c ON c.id = q.customer_id WHERE q.id = ${quoteId}), ''),
        ${requestHash}, ${createdAt}, ${recordedAt}, ${day}, ${createdBy}
      FROM (${selectDrawn(series)})`,
    recorded(db, {
      object: "quote",
      action: amountCents < 0 ? "depositPaidBack" : "depositTaken",
      id: quoteId,
      changes: {
        deposit: added(sql`p.number`),
        amountCents: added(sql`p.amount_cents`),
        paymentMode: added(sql`p.mode`),
      },
      rows: sql`FROM payments AS p WHERE p.id = ${id}`,
    }),
  ];
}

/** Condition of a quote that its visitor may accept now. */
const isOpen = (id: string): SQL => sql`id = ${id} AND state = 'sent' AND valid_until > unixepoch()`;

/**
 * Stores a deposit.
 *
 * @param accepts an open quote first, for the customer
 * @param known number of the quote's deposits: what is paid back depends on them
 * @throws when its id is taken, its quote is not accepted, or the sum would be above the total or below 0
 */
export async function insertDeposit(
  db: Db,
  deposit: NewDeposit,
  accepts: boolean,
  known: number,
): Promise<StoredDeposit> {
  const { quoteId, amountCents } = deposit;
  const acceptance = [
    recorded(db, {
      object: "quote",
      action: "accepted",
      id: quoteId,
      changes: { state: difference(sql`state`, "accepted") },
      rows: sql`FROM quotes WHERE ${isOpen(quoteId)}`,
    }),
    sql`UPDATE quotes SET state = 'accepted' WHERE ${isOpen(quoteId)}`,
  ];
  const results = await runBatch(db, [
    ...(accepts ? acceptance : []),
    ...depositStatements(db, deposit, amountCents < 0 ? known : undefined),
    selectDeposits([deposit.id]),
  ]);
  const [stored] = results.at(-1) ?? [];
  if (!stored) throw new Error("A stored deposit was not found");
  return stored as unknown as StoredDeposit;
}

/** End of a quote's deposits: what is paid back, or the statements of the sale that keeps them, before and after. */
export interface DepositEnd {
  refunds: NewDeposit[];
  before: Statement[];
  after: Statement[];
}

/**
 * Withdraws an accepted quote and settles its deposits in one batch.
 *
 * @returns rows of the last of `after`
 * @throws when the quote is decided otherwise by now, or has other deposits
 */
export async function withdrawQuote(
  db: Db,
  id: string,
  { refunds, before, after }: DepositEnd,
): Promise<{ deposits: StoredDeposit[]; rows: Record<string, unknown>[] }> {
  const isUnsold = sql`id = ${id} AND state = 'accepted' AND document_id IS NULL`;
  const results = await runBatch(db, [
    ...refunds.flatMap((refund) => depositStatements(db, refund)),
    ...before,
    recorded(db, {
      object: "quote",
      action: "withdrawn",
      id,
      changes: {
        state: difference(sql`state`, "withdrawn"),
        ...(refunds.length + after.length > 0 && {
          deposit: added(refunds.length > 0 ? "paid back" : "kept"),
        }),
      },
      rows: sql`FROM quotes WHERE ${isUnsold}`,
    }),
    // Invalid JSON raises an error: another decision came first.
    sql`SELECT json(iif(EXISTS (SELECT 1 FROM quotes WHERE ${isUnsold}), '1', 'decided'))`,
    sql`UPDATE quotes SET state = 'withdrawn' WHERE ${isUnsold}`,
    selectDeposits(refunds.map((refund) => refund.id)),
    ...after,
  ]);
  const deposits = results[results.length - 1 - after.length] ?? [];
  return { deposits: deposits as unknown as StoredDeposit[], rows: results.at(-1) ?? [] };
}
