import { type SQL, sql } from "drizzle-orm";
import { added, recorded } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import { foldForSearch, foldText } from "~/db/text";
import type { DocumentLine, SaleDocument } from "../document";
import { byMode, type DocumentPayment, linesByMode, mainMode } from "../payments";

/** Payments of a document `d` as JSON, for `toPayments`. */
export const PAYMENTS = `iif(d.is_paid_in_parts, (SELECT json_group_array(json_object('mode', p.mode, 'amountCents', p.amount_cents, 'quoteId', p.quote_id))
    FROM payments AS p WHERE p.document_id = d.id), iif(d.total_cents = 0, '[]',
    json_array(json_object('mode', d.payment_mode, 'amountCents', d.total_cents, 'quoteId', NULL))))`;

export const toPayments = (json: unknown) => JSON.parse(String(json)) as DocumentPayment[];

/** Columns of a document with its lines, for `toDocument`. */
export const DOCUMENT_COLUMNS =
  sql.raw(`d.id, d.kind, d.number, d.business_type AS businessType, d.customer_id AS customerId,
  d.customer_name AS customerName, d.chat_id AS chatId, d.source, d.payment_mode AS paymentMode, d.tax_name AS taxName,
  d.tax_rate AS taxRate, d.tax_cents AS taxCents, d.tax_included AS taxIncluded, d.tax_number AS taxNumber,
  d.rounding_cents AS roundingCents, d.total_cents AS totalCents, d.discount_cents AS discountCents, d.original_id AS originalId,
  (SELECT o.number FROM documents AS o WHERE o.id = d.original_id) AS originalNumber, d.reason,
  d.created_at AS createdAt, d.created_by AS createdBy, d.request_hash AS requestHash, d.recorded_at AS recordedAt,
  ${PAYMENTS} AS payments,
  (SELECT json_group_array(json_object('line', l.line, 'invoiceId', l.invoice_id, 'productId', l.product_id, 'unitId', l.unit_id,
    'description', l.description, 'category', l.category, 'quantity', l.quantity, 'amountCents', l.amount_cents,
    'taxCents', l.tax_cents, 'discountCents', l.discount_cents, 'discountReason', l.discount_reason, 'discountBasisPoints', l.discount_basis_points, 'returned', l.returned,
    'creditedCents', l.credited_cents, 'creditedTaxCents', l.credited_tax_cents))
   FROM document_lines AS l WHERE l.document_id = d.id) AS lines`);

interface DocumentRow extends Omit<SaleDocument, "lines" | "payments" | "taxIncluded"> {
  lines: string;
  payments: string;
  taxIncluded: number;
  requestHash: string;
  recordedAt: number;
}

/** Document with what its readers don't see; `recordedAt` is when it was issued, epoch seconds. */
export type StoredDocument = SaleDocument & Pick<DocumentRow, "requestHash" | "recordedAt">;

export function toDocument(row: Record<string, unknown>): StoredDocument {
  const stored = row as unknown as DocumentRow;
  return {
    ...stored,
    payments: toPayments(stored.payments),
    // Sorted here, because D1 would read each line twice to sort it.
    lines: (JSON.parse(stored.lines) as DocumentLine[]).sort((a, b) => a.line - b.line),
    taxIncluded: stored.taxIncluded === 1,
  };
}

export const selectDocument = (id: string) =>
  sql`SELECT ${DOCUMENT_COLUMNS} FROM documents AS d WHERE d.id = ${id}`;
/** Selects the documents that a request made, in their order. */
export const selectRequest = (requestId: string) =>
  sql`SELECT ${DOCUMENT_COLUMNS} FROM documents AS d WHERE d.request_id = ${requestId} ORDER BY d.row`;

/** Selects those of some ids that documents of other requests have. */
export const selectTaken = (ids: string[], requestId: string) =>
  sql`SELECT id FROM documents
    WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND request_id <> ${requestId}`;

/**
 * Selects the credit notes of a sale: their number, their cash rounding, and what was paid back beside the sales in their
 * place, from the first sale of a chain of corrections.
 */
export const selectCredits = (saleId: string) =>
  sql`WITH RECURSIVE found (id) AS (SELECT ${saleId} UNION
      SELECT c.original_id FROM found CROSS JOIN documents AS s ON s.id = found.id AND s.kind = 'sale'
        CROSS JOIN documents AS c ON c.request_id = s.request_id AND c.kind = 'credit')
    SELECT count(*) FILTER (WHERE c.original_id = ${saleId}) AS credits,
      coalesce(sum(c.rounding_cents) FILTER (WHERE c.original_id = ${saleId}), 0) AS roundingCents,
      coalesce(sum(max(0, -c.total_cents - coalesce((SELECT sum(s.total_cents) FROM documents AS s
        WHERE s.request_id = c.request_id AND s.kind = 'sale'), 0))), 0) AS creditedCents
    FROM found CROSS JOIN documents AS c ON c.original_id = found.id`;

export async function findDocument(db: Db, id: string): Promise<StoredDocument | undefined> {
  const [row] = await db.all<Record<string, unknown>>(selectDocument(id));
  return row && toDocument(row);
}

/** Document by which another one is known. */
export type DocumentRef = Pick<SaleDocument, "id" | "number">;

/** Selects the sales that corrections put in the place of a sale's lines, in their order. */
export const selectReplacements = (saleId: string) =>
  sql`SELECT s.id, s.number FROM documents AS c JOIN documents AS s ON s.request_id = c.request_id AND s.kind = 'sale'
    WHERE c.original_id = ${saleId} ORDER BY s."row"`;

export const findReplacements = (db: Db, saleId: string): Promise<DocumentRef[]> =>
  db.all<DocumentRef>(selectReplacements(saleId));

/** Number of a sale's credit notes, and their cash rounding. */
export interface CreditsSoFar {
  credits: number;
  roundingCents: number;
  /** Paid back by them, and by those of the sales that it has corrected. */
  creditedCents: number;
}

/** Finds a sale with its credit notes so far, in one round trip. */
export async function findCorrected(db: Db, id: string) {
  const [[row] = [], credits = []] = await runBatch(db, [selectDocument(id), selectCredits(id)]);
  return row && { document: toDocument(row), credits: credits[0] as unknown as CreditsSoFar };
}

/** Finds documents and their credit notes, in the order of the ids. */
export async function findDocuments(db: Db, ids: string[]): Promise<StoredDocument[]> {
  const rows = await db.all<Record<string, unknown>>(sql`
    SELECT ${DOCUMENT_COLUMNS} FROM json_each(${JSON.stringify(ids)}) AS wanted
    CROSS JOIN documents AS d WHERE d.id = wanted.value ORDER BY wanted.key`);
  return rows.map(toDocument);
}

/** Selects when the first of documents was recorded, epoch seconds. */
export const recordedAt = (ids: string[]) =>
  sql`(SELECT min(recorded_at) FROM documents WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)})))`;

/** Finds the latest documents of a chat, newest first. */
export async function findChatDocuments(
  db: Db,
  chatId: string | SQL,
  limit: number,
): Promise<StoredDocument[]> {
  const rows = await db.all<Record<string, unknown>>(sql`SELECT ${DOCUMENT_COLUMNS} FROM documents AS d
    WHERE d.chat_id = ${chatId} ORDER BY d.created_at DESC, d."row" DESC LIMIT ${limit}`);
  return rows.map(toDocument);
}

/** New document; its number is drawn from the series when it is stored. */
export interface NewDocument extends Omit<SaleDocument, "number" | "lines" | "originalNumber"> {
  /** `E-2026`. */
  series: string;
  requestId: string;
  requestHash: string;
  day: string;
  /** Epoch seconds. */
  recordedAt: number;
  lines: Omit<DocumentLine, "returned" | "creditedCents" | "creditedTaxCents">[];
  /** Credit notes that its sale had when a credit note was computed. */
  creditsBefore?: number;
  /** Ledger row of the cash rounding. */
  roundingInvoiceId: string;
}

/** Statement that draws the next number of a series. */
export const drawNumber = (series: string): SQL =>
  sql`INSERT INTO document_series (series, last) VALUES (${series}, 1) ON CONFLICT (series) DO UPDATE SET last = last + 1`;

/** Selects the number that was drawn last from a series, as `number`. */
export const selectDrawn = (series: string): SQL =>
  sql`SELECT series || '-' || format('%06d', last) AS number FROM document_series WHERE series = ${series}`;

/** Stores the payments of documents: before them, as a trigger asks for. */
export const paymentsStatement = (documents: NewDocument[]): SQL =>
  sql`INSERT INTO payments (id, business_type, mode, amount_cents, quote_id, document_id, created_at, day, created_by)
    SELECT value ->> 'id', value ->> 'businessType', value ->> 'mode', value ->> 'amountCents', value ->> 'quoteId',
      value ->> 'documentId', value ->> 'createdAt', value ->> 'day', value ->> 'createdBy'
    FROM json_each(${JSON.stringify(
      documents.flatMap(({ id, payments, businessType, createdAt, day, createdBy }) =>
        payments.map((payment, i) => ({
          ...payment,
          id: i === 0 ? `${id}-paid` : `${id}-paid-${i + 1}`,
          documentId: id,
          ...{ businessType, createdAt, day, createdBy },
        })),
      ),
    )})`;

/** Statements that store a document with its lines and ledger rows, after its payments. */
export function documentStatements(document: NewDocument): SQL[] {
  const d = document;
  const search = foldForSearch([d.customerName, ...d.lines.map((line) => line.description)].join(" "));
  return [
    drawNumber(d.series),
    sql`INSERT INTO documents (id, kind, number, business_type, customer_id, customer_name, chat_id, source, payment_mode,
        tax_name, tax_rate, tax_cents, tax_included, tax_number, rounding_cents, total_cents, original_id, reason,
        request_id, request_hash, created_at, day, recorded_at, search_text, created_by, is_paid_in_parts, discount_cents)
      SELECT ${d.id}, ${d.kind}, number, ${d.businessType}, ${d.customerId}, ${d.customerName}, ${d.chatId}, ${d.source},
        ${d.paymentMode}, ${d.taxName}, ${d.taxRate}, ${d.taxCents}, ${d.taxIncluded ? 1 : 0}, ${d.taxNumber},
        ${d.roundingCents}, ${d.totalCents}, ${d.originalId}, ${d.reason}, ${d.requestId}, ${d.requestHash},
        ${d.createdAt}, ${d.day}, ${d.recordedAt}, lower(number) || ' ' || ${search}, ${d.createdBy}, ${isPaidInParts(d) ? 1 : 0},
        ${d.discountCents}
      FROM (${selectDrawn(d.series)})`,
    linesStatement(d),
    invoicesStatement(d),
  ];
}

const isPaidInParts = ({ payments }: NewDocument): boolean =>
  payments.length > 1 || payments.some(({ quoteId }) => quoteId !== null);

/** Stores the lines; a credit note is refused when its sale has other credit notes than when it was computed. */
function linesStatement({ id, originalId, lines, creditsBefore }: NewDocument): SQL {
  const quantity =
    creditsBefore === undefined
      ? sql`value ->> 'quantity'`
      : sql`CASE (SELECT count(*) FROM documents WHERE original_id = ${originalId}) WHEN ${creditsBefore + 1}
        THEN value ->> 'quantity' END`;
  return sql`INSERT INTO document_lines (document_id, line, invoice_id, product_id, unit_id, description, category, quantity, amount_cents, tax_cents,
      discount_cents, discount_reason, discount_basis_points)
    SELECT ${id}, value ->> 'line', value ->> 'invoiceId', value ->> 'productId', value ->> 'unitId', value ->> 'description',
      value ->> 'category', ${quantity}, value ->> 'amountCents', value ->> 'taxCents', value ->> 'discountCents',
      value ->> 'discountReason', value ->> 'discountBasisPoints'
    FROM json_each(${JSON.stringify(lines)})`;
}

function invoicesStatement(document: NewDocument): SQL {
  const rows = ledgerRows(document).map((row) => ({ ...row, key: foldText(row.description) }));
  return sql`INSERT INTO invoices (id, description, description_key, business_type, amount_cents, created_at, day, version,
      updated_at, category, quantity, payment_mode, document_id, tax_cents, tax_stated)
    SELECT value ->> 'invoiceId', value ->> 'description', value ->> 'key', ${document.businessType},
      value ->> 'amountCents', ${document.createdAt}, ${document.day}, 1, ${document.createdAt}, value ->> 'category',
      value ->> 'quantity', value ->> 'mode', ${document.id}, value ->> 'taxCents', ${document.taxNumber !== "" && document.taxRate > 0 ? 1 : 0}
    FROM json_each(${JSON.stringify(rows)})`;
}

/** Returns the ledger rows of a document: its lines by payment mode, and the cash rounding. */
function ledgerRows({ lines, payments, paymentMode, roundingCents, roundingInvoiceId }: NewDocument) {
  const paid = byMode(payments);
  const roundingMode = paid.some(({ mode }) => mode === "CASH") ? "CASH" : mainMode(paid, paymentMode);
  const ofLines = [...paid, { mode: roundingMode, amountCents: -roundingCents }];
  const rounding = {
    invoiceId: roundingInvoiceId,
    description: "Cash rounding",
    category: "OTHERS",
    quantity: 0,
    amountCents: roundingCents,
    taxCents: 0,
    mode: roundingMode,
  };
  return [...linesByMode(lines, ofLines, paymentMode), ...(roundingCents === 0 ? [] : [rounding])];
}

/** Statement that records the documents of a request, after their stock has moved. */
export const recordDocuments = (
  db: Db,
  requestId: string,
  ended: { holdId?: string | undefined; quoteId?: string | undefined } = {},
) =>
  recorded(db, {
    object: "document",
    action: sql`iif(d.kind = 'credit', 'credited', 'recorded')`,
    id: sql`d.id`,
    changes: {
      number: added(sql`d.number`),
      totalCents: added(sql`d.total_cents`),
      taxCents: added(sql`d.tax_cents`),
      paymentMode: added(sql`d.payment_mode`),
      original: sql`CASE WHEN d.original_id IS NOT NULL THEN json_array(NULL, d.original_id) END`,
      lines: added(sql`(SELECT count(*) FROM document_lines WHERE document_id = d.id)`),
      pieces: sql`json((SELECT nullif(json_group_object(coalesce(unit_id, product_id), json_array(stock_after - quantity, stock_after)), '{}')
        FROM stock_movements WHERE document_id = d.id))`,
      ...(ended.holdId !== undefined && { hold: sql`json_array('active', 'sold')` }),
      ...(ended.quoteId !== undefined && { quote: sql`json_array('accepted', 'sold')` }),
    },
    rows: sql`FROM documents AS d WHERE d.request_id = ${requestId}`,
  });
