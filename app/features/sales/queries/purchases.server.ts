import { type SQL, sql } from "drizzle-orm";
import { type Db, runBatch, runNamedBatch } from "~/db/client.server";
import type { AccountRef } from "~/db/schema";
import type { Deposit } from "../deposit";
import type { SaleDocument } from "../document";
import { type LinePictures, storedLinePicture } from "../line-picture";
import { PAYMENTS, toPayments } from "./documents.server";
import {
  addedTaxOn,
  HOLD_COLUMNS,
  paidOn,
  QUOTE_COLUMNS,
  type StoredHold,
  type StoredQuote,
  toHold,
  toQuote,
} from "./holds-and-quotes.server";

/** Documents and deposits that are read for a page, of all conversations together; the newest of each conversation. */
const MAX_FOUND = 45;
/** Least number that is read of one conversation: a correction of two businesses makes four documents in one second. */
const MIN_FOUND = 5;
/** Most that is read of one conversation or customer. */
const MAX_FOUND_OF_ONE = 9;
/** Conversations of an account whose purchases are listed, the latest. */
const MAX_PURCHASE_CHATS = 20;
/** Open quotes or holds of one conversation or customer. */
const MAX_OPEN = 3;
/** Quotes of one conversation whose deposits are listed, the latest. */
const MAX_DEPOSITED = 5;

/** Id with the time of issue, epoch seconds. */
type Issued = [id: string, at: number];

/** Ids of what a conversation or a customer has bought, receipts newest first. */
export interface PurchaseSource {
  /** Id of the conversation; null for the account's customer. */
  chatId: string | null;
  /** Account of the conversation or customer. */
  userId: string | null;
  documents: Issued[];
  deposits: Issued[];
  quotes: string[];
  holds: string[];
  /** Receipts up to this time may be missing; 0 for none. */
  isCompleteAfter: number;
}

export interface PurchaseQuery {
  /** Conversations of the browser. */
  chatIds: string[];
  account: AccountRef | null;
  /** Time before which receipts were issued, epoch seconds. */
  before: number;
  now: number;
}

const list = (columns: SQL, rows: SQL): SQL => sql`(SELECT json_group_array(${columns}) FROM (${rows}))`;
const newest = (limit: number, time = "created_at"): SQL =>
  sql`ORDER BY ${sql.raw(time)} DESC LIMIT ${limit}`;
const ISSUED = sql`json_array(id, created_at)`;

/** Columns with the ids of conversation `c`. */
function ofChat({ before, now }: PurchaseQuery, limit: number): SQL {
  const documents = sql`SELECT id, created_at FROM documents INDEXED BY documents_chat
    WHERE chat_id = c.id AND created_at < ${before} ${newest(limit)}`;
  const deposits = sql`SELECT p.id, p.created_at
    FROM (SELECT id FROM quotes INDEXED BY quotes_chat WHERE chat_id = c.id ${newest(MAX_DEPOSITED)}) AS q
    CROSS JOIN payments AS p WHERE p.quote_id = q.id AND p.document_id IS NULL AND p.created_at < ${before}
    ${newest(limit, "p.created_at")}`;
  const quotes = sql`SELECT id FROM (SELECT id FROM quotes INDEXED BY quotes_sent_chat
      WHERE chat_id = c.id AND state = 'sent' AND valid_until > ${now} ${newest(MAX_OPEN)})
    UNION ALL SELECT id FROM (SELECT id FROM quotes INDEXED BY quotes_accepted
      WHERE state = 'accepted' AND chat_id = c.id AND document_id IS NULL LIMIT ${MAX_OPEN})`;
  const holds = sql`SELECT id FROM holds INDEXED BY holds_active_chat
    WHERE chat_id = c.id AND state = 'active' AND until > ${now} ORDER BY until LIMIT ${MAX_OPEN}`;
  return sql`c.id AS chatId, c.user_id AS userId, ${list(ISSUED, documents)} AS documents,
    ${list(ISSUED, deposits)} AS deposits, ${list(sql`id`, quotes)} AS quotes, ${list(sql`id`, holds)} AS holds`;
}

/** Selects the ids of an account's customer. Quotes belong to their conversations, which prove who asked. */
function selectOfCustomer({ account, before, now }: PurchaseQuery): SQL {
  const documents = sql`SELECT id, created_at FROM documents INDEXED BY documents_customer
    WHERE customer_id = k.id AND created_at < ${before} ${newest(MAX_FOUND_OF_ONE)}`;
  const holds = sql`SELECT id FROM holds INDEXED BY holds_open
    WHERE customer_id = k.id AND state = 'active' AND until > ${now} ORDER BY until LIMIT ${MAX_OPEN}`;
  return sql`SELECT NULL AS chatId, k.user_id AS userId, ${list(ISSUED, documents)} AS documents,
    '[]' AS deposits, '[]' AS quotes, ${list(sql`id`, holds)} AS holds FROM customers AS k WHERE k.user_id = ${account}`;
}

/**
 * Finds what the conversations of a browser, and the account's conversations and customer have bought, in one round trip.
 *
 * @returns each of them; the caller selects those that are the reader's
 */
export async function findPurchaseSources(db: Db, query: PurchaseQuery): Promise<PurchaseSource[]> {
  const { chatIds, account } = query;
  const sources = chatIds.length + (account === null ? 0 : MAX_PURCHASE_CHATS);
  const limit = Math.min(MAX_FOUND_OF_ONE, Math.max(MIN_FOUND, Math.floor(MAX_FOUND / (sources + 1))));
  const columns = ofChat(query, limit);
  const ofBrowser = sql`SELECT ${columns} FROM chats AS c
    WHERE c.id IN (SELECT value FROM json_each(${JSON.stringify(chatIds)}))`;
  const ofAccount = sql`SELECT ${columns} FROM (SELECT id, user_id FROM chats INDEXED BY chats_user
    WHERE user_id = ${account} ORDER BY last_message_at DESC LIMIT ${MAX_PURCHASE_CHATS}) AS c`;
  const found = await runBatch(db, [
    ...(chatIds.length > 0 ? [ofBrowser] : []),
    ...(account === null ? [] : [ofAccount, selectOfCustomer(query)]),
  ]);
  return found.flat().map((row) => toSource(row, row.chatId === null ? MAX_FOUND_OF_ONE : limit));
}

function toSource(row: Record<string, unknown>, limit: number): PurchaseSource {
  const parsed = <T>(name: string) => JSON.parse(String(row[name])) as T[];
  const [documents, deposits] = [parsed<Issued>("documents"), parsed<Issued>("deposits")];
  const ends = [documents, deposits].map((issued) => issued[limit - 1]?.[1] ?? 0);
  return {
    chatId: row.chatId as string | null,
    userId: row.userId as string | null,
    ...{ documents, deposits, quotes: parsed("quotes"), holds: parsed("holds") },
    isCompleteAfter: Math.max(...ends),
  };
}

/** Pictures of what a line is of, for `storedLinePicture`. @param line selects `unit_id` and `text` */
const picturesOf = (line: string) =>
  sql.raw(`(SELECT json_object('unit', u.image, 'name', p.name, 'text', l.text, 'colors', json(p.colors),
      'images', json(p.image_urls), 'alts', json(p.image_alts))
    FROM (${line} LIMIT 1) AS l CROSS JOIN units AS u ON u.id = l.unit_id CROSS JOIN products AS p ON p.id = u.product_id)`);
const QUOTED = `SELECT coalesce(value ->> 'unitId', value ->> 'productId') AS unit_id, value ->> 'description' AS text
  FROM json_each(q.lines) WHERE coalesce(value ->> 'unitId', value ->> 'productId') IS NOT NULL`;
const SOLD = `SELECT coalesce(unit_id, product_id) AS unit_id, description AS text FROM document_lines
  WHERE document_id = d.id AND product_id IS NOT NULL`;
const HELD = "SELECT unit_id, name AS text FROM hold_lines WHERE hold_id = h.id";

interface Pictured {
  /** Entry of the picture of what is in its first line; null without one. */
  image: string | null;
}

/** Receipt or credit note as a list shows it. */
export type PurchasedDocument = Pictured &
  Pick<
    SaleDocument,
    "id" | "kind" | "number" | "chatId" | "totalCents" | "paymentMode" | "payments" | "createdAt"
  > & { originalNumber: string | null; items: { quantity: number; description: string }[] };

/** Deposit as a list shows it. */
export type PurchasedDeposit = Pictured &
  Deposit & {
    createdAt: number;
    title: string | null;
    chatId: string | null;
    /** Its quote is sold; accepted. SQLite has 1 and 0. */
    isSold: number;
    isAccepted: number;
  };

/** Hold with the price of its pieces as it is today. */
export type PurchasedHold = Pictured & StoredHold & { priceCents: number };

/** Quote with the deposits on it. */
export type PurchasedQuote = Pictured & StoredQuote & { paidCents: number; addedTax: string | null };

type Ids = Record<"documents" | "deposits" | "quotes" | "holds", string[]>;

const SELECTED: Record<keyof Ids, (wanted: SQL) => SQL> = {
  documents: (wanted) => sql`SELECT d.id, d.kind, d.number, d.chat_id AS chatId, d.total_cents AS totalCents,
      d.payment_mode AS paymentMode, ${sql.raw(PAYMENTS)} AS payments, d.created_at AS createdAt,
      (SELECT o.number FROM documents AS o WHERE o.id = d.original_id) AS originalNumber,
      (SELECT json_group_array(json_object('line', line, 'quantity', quantity, 'description', description))
        FROM document_lines WHERE document_id = d.id) AS items,
      ${picturesOf(SOLD)} AS image
    FROM ${wanted} CROSS JOIN documents AS d WHERE d.id = wanted.value`,
  deposits: (wanted) => sql`SELECT pay.id, pay.number, pay.mode, pay.amount_cents AS amountCents,
      pay.created_at AS createdAt, q.title, q.chat_id AS chatId, q.document_id IS NOT NULL AS isSold,
      coalesce(q.state, '') = 'accepted' AS isAccepted, ${picturesOf(QUOTED)} AS image
    FROM ${wanted} CROSS JOIN payments AS pay LEFT JOIN quotes AS q ON q.id = pay.quote_id WHERE pay.id = wanted.value`,
  quotes: (wanted) => sql`SELECT ${QUOTE_COLUMNS}, ${sql.raw(paidOn("quotes"))} AS paidCents,
      ${sql.raw(addedTaxOn("quotes"))} AS addedTax,
      (SELECT ${picturesOf(QUOTED)} FROM (SELECT quotes.lines) AS q) AS image
    FROM ${wanted} CROSS JOIN quotes WHERE quotes.id = wanted.value ORDER BY wanted.key`,
  holds: (wanted) => sql`SELECT ${HOLD_COLUMNS},
      ${picturesOf(HELD)} AS image,
      (SELECT coalesce(sum(l.quantity * coalesce(u.price_cents, p.price_cents)), 0) FROM hold_lines AS l
        JOIN units AS u ON u.id = l.unit_id JOIN products AS p ON p.id = u.product_id WHERE l.hold_id = h.id) AS priceCents
    FROM ${wanted} CROSS JOIN holds AS h WHERE h.id = wanted.value ORDER BY h.until`,
};

/** Finds documents, deposits, quotes and holds by their ids, in one round trip. */
export async function findPurchases(db: Db, ids: Ids) {
  const wanted = (name: keyof Ids) => sql`json_each(${JSON.stringify(ids[name])}) AS wanted`;
  const names = (Object.keys(SELECTED) as (keyof Ids)[]).filter((name) => ids[name].length > 0);
  const statements = names.map((name) => [name, SELECTED[name](wanted(name))] as const);
  const found: Partial<Record<keyof Ids, Record<string, unknown>[]>> =
    names.length > 0 ? await runNamedBatch(db, Object.fromEntries(statements)) : {};
  const { documents = [], deposits = [], quotes = [], holds = [] } = found;
  return {
    documents: documents.map((row) => ({ ...toPurchasedDocument(row), ...pictureIn(row) })),
    deposits: deposits.map((row) => ({ ...row, ...pictureIn(row) }) as unknown as PurchasedDeposit),
    quotes: quotes.map(
      (row) => ({ ...row, ...toQuote(row), ...pictureIn(row) }) as unknown as PurchasedQuote,
    ),
    holds: holds.map((row) => ({ ...row, ...toHold(row), ...pictureIn(row) }) as PurchasedHold),
  };
}

const pictureIn = ({ image }: Record<string, unknown>): Pictured => ({
  image: typeof image === "string" ? storedLinePicture(JSON.parse(image) as LinePictures) : null,
});

function toPurchasedDocument(row: Record<string, unknown>): PurchasedDocument {
  const items = JSON.parse(String(row.items)) as { line: number; quantity: number; description: string }[];
  return {
    ...(row as unknown as PurchasedDocument),
    payments: toPayments(row.payments),
    items: items.sort((a, b) => a.line - b.line),
  };
}
