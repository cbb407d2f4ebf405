import { type SQL, sql } from "drizzle-orm";
import { type Db, runBatch } from "~/db/client.server";
import type { PaymentMode } from "~/domain/enums";
import type { DocumentKind } from "../document";
import type { DocumentPayment } from "../payments";
import { type StoredDeposit, selectDepositsOf } from "./deposits.server";
import {
  type DocumentRef,
  PAYMENTS,
  type StoredDocument,
  selectDocument,
  selectReplacements,
  toDocument,
  toPayments,
} from "./documents.server";
import type { OutboxEntry } from "./outbox.server";

/** Row of the ledger that a document made. */
export interface LedgerRow {
  id: string;
  description: string;
  category: string;
  paymentMode: PaymentMode;
  amountCents: number;
}

/** Other document of the same act or a credit note. */
export interface RelatedDocument {
  id: string;
  kind: DocumentKind;
  number: string;
  businessType: string;
  paymentMode: PaymentMode;
  payments: DocumentPayment[];
  roundingCents: number;
  totalCents: number;
  reason: string;
  createdAt: number;
  createdBy: string;
}

/** Change of stock that a document made. */
export interface DocumentMovement {
  row: number;
  name: string;
  quantity: number;
  stockAfter: number;
  createdAt: number;
}

/** Mail of a document that was sent or waits. */
export type DocumentMail = Pick<
  OutboxEntry,
  "id" | "recipient" | "createdBy" | "createdAt" | "doneAt" | "attempts"
>;

/** Unit of a line with its current stock. */
export interface LineProduct {
  id: string;
  productId: string;
  stock: number;
}

export interface DocumentDetails {
  document: StoredDocument;
  rows: LedgerRow[];
  credits: RelatedDocument[];
  twins: RelatedDocument[];
  movements: DocumentMovement[];
  products: LineProduct[];
  chat: { id: string; userName: string; lastMessage: string } | undefined;
  hold: { id: string; pieces: number } | undefined;
  quote: { id: string; title: string } | undefined;
  /** Of the quotes whose deposits count towards it, in their order. */
  deposits: StoredDeposit[];
  /** Sales that corrections put in its place. */
  replacements: DocumentRef[];
  /** The latest, newest first. */
  mails: DocumentMail[];
  /** E-mail address that the customer or visitor left; "" for none. */
  email: string;
}

const MAX_MAILS = 20;
const RELATED =
  sql.raw(`d.id, d.kind, d.number, d.business_type AS businessType, d.payment_mode AS paymentMode, ${PAYMENTS} AS payments,
  d.rounding_cents AS roundingCents, d.total_cents AS totalCents, d.reason, d.created_at AS createdAt, d.created_by AS createdBy`);

/** Reads a document with everything that its page shows, in one round trip. */
export async function findDocumentDetails(db: Db, id: string): Promise<DocumentDetails | undefined> {
  const [documents = [], ...rest] = await runBatch(db, detailStatements(id));
  const [document] = documents;
  if (!document) return undefined;
  const [
    rows,
    credits,
    twins,
    movements,
    products,
    chats,
    holds,
    quotes,
    emails,
    mails,
    deposits,
    replacements,
  ] = rest as unknown[][];
  return {
    document: toDocument(document),
    rows: rows as LedgerRow[],
    credits: toRelated(credits),
    twins: toRelated(twins),
    movements: movements as DocumentMovement[],
    products: products as LineProduct[],
    chat: chats?.[0] as DocumentDetails["chat"],
    hold: holds?.[0] as DocumentDetails["hold"],
    quote: quotes?.[0] as DocumentDetails["quote"],
    mails: mails as DocumentMail[],
    deposits: deposits as StoredDeposit[],
    replacements: replacements as DocumentRef[],
    email: (emails as { email: string }[]).map(({ email }) => email).join(""),
  };
}

const toRelated = (rows: unknown[] = []) =>
  (rows as Record<string, unknown>[]).map(
    (row) => ({ ...row, payments: toPayments(row.payments) }) as RelatedDocument,
  );

/** Selects a document and everything that its page shows. */
function detailStatements(id: string): SQL[] {
  const own = sql`(SELECT coalesce(unit_id, product_id) FROM document_lines WHERE document_id = ${id} AND product_id IS NOT NULL)`;
  const act = sql`(SELECT request_id FROM documents WHERE id = ${id})`;
  const chat = sql`(SELECT chat_id FROM documents WHERE id = ${id})`;
  const ofAct = sql`document_id IN (SELECT id FROM documents WHERE request_id = ${act})`;
  return [
    selectDocument(id),
    // By time, since the ledger has no index of documents; the cash rounding is no line of the document.
    sql`SELECT i.id, i.description, i.category, i.payment_mode AS paymentMode, i.amount_cents AS amountCents FROM invoices AS i INDEXED BY invoices_created
      WHERE i.created_at = (SELECT created_at FROM documents WHERE id = ${id}) AND i.document_id = ${id} ORDER BY i."row"`,
    sql`SELECT ${RELATED} FROM documents AS d WHERE d.original_id = ${id} ORDER BY d."row"`,
    sql`SELECT ${RELATED} FROM documents AS d WHERE d.request_id = ${act} AND d.id <> ${id} ORDER BY d."row"`,
    sql`SELECT m."row", (SELECT description FROM document_lines WHERE document_id = ${id} AND product_id = m.product_id
        AND unit_id IS m.unit_id) AS name,
      m.quantity, m.stock_after AS stockAfter, m.created_at AS createdAt
      FROM stock_movements AS m WHERE m.document_id = ${id} ORDER BY m."row"`,
    sql`SELECT id, product_id AS productId, stock FROM units WHERE id IN ${own}`,
    sql`SELECT id, user_name AS userName, last_message AS lastMessage FROM chats WHERE id = ${chat}`,
    sql`SELECT h.id, (SELECT sum(quantity) FROM hold_lines WHERE hold_id = h.id) AS pieces
      FROM holds AS h INDEXED BY holds_sold WHERE h.${ofAct} LIMIT 1`,
    sql`SELECT q.id, q.title FROM quotes AS q INDEXED BY quotes_sold WHERE q.${ofAct} LIMIT 1`,
    sql`SELECT coalesce(nullif((SELECT c.email FROM documents AS d JOIN customers AS c ON c.id = d.customer_id
      WHERE d.id = ${id}), ''), (SELECT user_email FROM chats WHERE id = ${chat}), '') AS email`,
    sql`SELECT id, recipient, created_by AS createdBy, created_at AS createdAt, done_at AS doneAt, attempts
      FROM sale_outbox INDEXED BY sale_outbox_latest WHERE document_id = ${id} ORDER BY created_at DESC LIMIT ${MAX_MAILS}`,
    selectDepositsOf(sql`SELECT quote_id FROM payments WHERE document_id = ${id} AND quote_id IS NOT NULL`),
    selectReplacements(id),
  ];
}
