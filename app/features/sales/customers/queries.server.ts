import { type SQL, sql } from "drizzle-orm";
import { batched, type Db } from "~/db/client.server";
import { textMatches } from "~/db/search";
import { CUSTOMER_COLUMNS, type CustomerRow } from "../customers.queries.server";
import type { OpenFilter } from "../urls";

/** Row of the list of customers, with what is open. */
export interface CustomerListRow {
  id: string;
  name: string;
  email: string;
  phoneNumber: string;
  chats: number;
  sales: number;
  totalCents: number;
  lastSeen: number;
  /** Pieces in active holds, 0 for none, and the end of the latest. */
  heldPieces: number;
  heldUntil: number | null;
  /** End of the open quote that expires last. */
  quoteUntil: number | null;
  /** Accepted quotes that are no sale yet. */
  acceptedQuotes: number;
  /** Another customer with the same e-mail address. */
  duplicate: string | null;
}

const CHATS = "SELECT chat_id FROM chat_customers WHERE customer_id = c.id";
const QUOTES = `quotes AS q WHERE q.chat_id IN (${CHATS})`;
const HELD = `holds AS h WHERE h.customer_id = c.id AND h.state = 'active' AND h.until > unixepoch()`;

/** Columns of a row of the screen, for `CustomerListRow`. */
export const ROW_COLUMNS =
  sql.raw(`c.id, c.name, c.email, c.phone_number AS phoneNumber, c.chats, c.sales, c.total_cents AS totalCents,
  c.last_seen AS lastSeen,
  (SELECT coalesce(sum(l.quantity), 0) FROM hold_lines AS l WHERE l.hold_id IN (SELECT h.id FROM ${HELD})) AS heldPieces,
  (SELECT max(h.until) FROM ${HELD}) AS heldUntil,
  (SELECT max(q.valid_until) FROM ${QUOTES} AND q.state = 'sent' AND q.valid_until > unixepoch()) AS quoteUntil,
  (SELECT count(*) FROM ${QUOTES} AND q.state = 'accepted' AND q.document_id IS NULL) AS acceptedQuotes,
  (SELECT o.name FROM customers AS o WHERE o.email_key = c.email_key AND o.email_key <> '' AND o.id <> c.id
    LIMIT 1) AS duplicate`);

const ACTIVE_HOLDS = "holds WHERE state = 'active' AND until > unixepoch() AND customer_id IS NOT NULL";
const SENT_QUOTES = "quotes WHERE state = 'sent' AND valid_until > unixepoch()";
const ACCEPTED_QUOTES = "quotes WHERE state = 'accepted' AND document_id IS NULL";
const OPEN_CHATS = `SELECT chat_id FROM ${SENT_QUOTES} UNION SELECT chat_id FROM ${ACCEPTED_QUOTES}`;

const FILTERS: Record<OpenFilter, SQL> = {
  held: sql.raw(`k.id IN (SELECT customer_id FROM ${ACTIVE_HOLDS})`),
  quote: sql.raw(`k.id IN (SELECT customer_id FROM chat_customers WHERE chat_id IN (${OPEN_CHATS}))`),
  duplicate: sql.raw(`k.email_key IN (SELECT email_key FROM customers WHERE email_key <> ''
    GROUP BY email_key HAVING count(*) > 1)`),
};

interface CustomerQuery {
  /** NFC, lower case. */
  q: string;
  open?: OpenFilter | undefined;
  sort: "name" | "lastSeen";
  dir: "asc" | "desc";
  limit: number;
  offset: number;
}

/**
 * Finds a page of customers and the numbers of matches with and without the filter, in one round trip.
 *
 * @param columns of `customers AS c`
 */
export async function readCustomerList<Row>(
  db: Db,
  { q, open, sort, dir, limit, offset }: CustomerQuery,
  columns: SQL,
): Promise<{ rows: Row[]; total: number; all: number }> {
  const direction = sql.raw(dir === "desc" ? "DESC" : "ASC");
  const key = sql.raw(sort === "name" ? "name_key" : "last_seen");
  const from = q
    ? sql`${textMatches("customer", q)} CROSS JOIN customers AS k ON k."row" = found."row"`
    : sql`customers AS k`;
  const where = open ? sql`WHERE ${FILTERS[open]}` : sql``;
  // The rows of the page first: the columns would otherwise be computed for every match.
  const page = sql`SELECT k."row" AS id FROM ${from} ${where} ORDER BY k.${key} ${direction}, k.id ${direction}
    LIMIT ${limit} OFFSET ${offset}`;
  const count = (matches: SQL) => sql`SELECT count(*) AS total FROM ${from} ${matches}`;
  const [rows = [], all = [], filtered = all] = await batched(db, [
    sql`SELECT ${columns} FROM (${page}) AS page CROSS JOIN customers AS c ON c."row" = page.id
      ORDER BY c.${key} ${direction}, c.id ${direction}`,
    q ? count(sql``) : sql`SELECT customers AS total FROM customer_counts WHERE one = 1`,
    ...(open ? [count(where)] : []),
  ]);
  const total = ([row]: Record<string, unknown>[]) => Number(row?.total ?? 0);
  return { rows: rows as unknown as Row[], total: total(filtered), all: total(all) };
}

/** Numbers of customers with something open, up to MAX_COUNTED, which bounds the rows read. */
type OpenCounts = Record<"held" | "quote", number>;
export const MAX_COUNTED = 10;

export async function countOpen(db: Db): Promise<OpenCounts> {
  const distinct = (column: string, from: string) =>
    sql.raw(`SELECT DISTINCT ${column} FROM (SELECT ${column} FROM ${from} LIMIT ${MAX_COUNTED})`);
  const [row] = await db.all<OpenCounts>(sql`SELECT
    (SELECT count(*) FROM (${distinct("customer_id", ACTIVE_HOLDS)})) AS held,
    (SELECT count(DISTINCT customer_id) FROM chat_customers WHERE chat_id IN (
      ${distinct("chat_id", SENT_QUOTES)} UNION ${distinct("chat_id", ACCEPTED_QUOTES)})) AS quote`);
  return row ?? { held: 0, quote: 0 };
}

interface OpenHold {
  id: string;
  chatId: string | null;
  until: number;
  createdAt: number;
  createdBy: string;
  items: string;
  /** At today's prices. */
  worthCents: number;
}

interface OpenQuote {
  id: string;
  chatId: string;
  title: string;
  state: "sent" | "accepted";
  validUntil: number;
  readyBy: string;
  totalCents: number;
}

interface CustomerChat {
  id: string;
  userName: string;
  lastMessage: string;
  at: number;
}

interface CustomerSums {
  sales: number;
  salesCents: number;
  credits: number;
  creditsCents: number;
  /** Epoch seconds; null without a sale. */
  lastSale: number | null;
}

const MAX_OPEN = 20;
const MAX_CHATS = 10;

/** Reads what stands beside a customer's timeline. */
export async function findCustomerDetails(db: Db, { id, email }: CustomerRow) {
  const chats = sql`(SELECT chat_id FROM chat_customers WHERE customer_id = ${id})`;
  const [holds, quotes, chatRows, [sums], duplicates] = await Promise.all([
    db.all<OpenHold>(sql`SELECT h.id, h.chat_id AS chatId, h.until, h.created_at AS createdAt, h.created_by AS createdBy,
      (SELECT group_concat(quantity || ' × ' || name, ', ') FROM hold_lines WHERE hold_id = h.id) AS items,
      (SELECT coalesce(sum(l.quantity * p.price_cents), 0) FROM hold_lines AS l JOIN products AS p ON p.id = l.product_id
        WHERE l.hold_id = h.id) AS worthCents
      FROM holds AS h WHERE h.customer_id = ${id} AND h.state = 'active' AND h.until > unixepoch()
      ORDER BY h.created_at DESC LIMIT ${MAX_OPEN}`),
    db.all<OpenQuote>(sql`SELECT q.id, q.chat_id AS chatId, q.title, q.state, q.valid_until AS validUntil,
      q.ready_by AS readyBy, q.total_cents AS totalCents FROM quotes AS q WHERE q.chat_id IN ${chats}
      AND ((q.state = 'sent' AND q.valid_until > unixepoch()) OR (q.state = 'accepted' AND q.document_id IS NULL))
      ORDER BY q.created_at DESC LIMIT ${MAX_OPEN}`),
    db.all<CustomerChat>(sql`SELECT chats.id, chats.user_name AS userName, chats.last_message AS lastMessage,
      chats.last_message_at / 1000 AS at FROM chat_customers AS l JOIN chats ON chats.id = l.chat_id
      WHERE l.customer_id = ${id} ORDER BY l.linked_at DESC LIMIT ${MAX_CHATS}`),
    db.all<CustomerSums>(sql`SELECT coalesce(sum(kind = 'sale'), 0) AS sales,
      coalesce(sum(iif(kind = 'sale', total_cents, 0)), 0) AS salesCents,
      coalesce(sum(kind = 'credit'), 0) AS credits,
      coalesce(sum(iif(kind = 'credit', total_cents, 0)), 0) AS creditsCents,
      max(iif(kind = 'sale', created_at, NULL)) AS lastSale FROM documents WHERE customer_id = ${id}`),
    db.all<CustomerRow>(sql`SELECT ${CUSTOMER_COLUMNS} FROM customers AS c
      WHERE c.email_key = (SELECT email_key FROM customers WHERE id = ${id}) AND c.email_key <> '' AND c.id <> ${id}
      AND ${email} <> '' LIMIT 5`),
  ]);
  if (!sums) throw new Error("A sum has one row");
  return { holds, quotes, chats: chatRows, sums, duplicates };
}

/** Entry of a customer's timeline. */
export interface TimelineRow {
  type: "chat" | "hold" | "quote" | "document";
  id: string;
  /** Epoch seconds. */
  at: number;
  title: string;
  amountCents: number | null;
  state: string;
}

/** Finds a window of a customer's chats, holds, quotes and documents, newest first. */
export function findTimeline(
  db: Db,
  customerId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<TimelineRow[]> {
  const most = limit + offset;
  const chats = sql`SELECT chat_id FROM chat_customers WHERE customer_id = ${customerId}`;
  return db.all<TimelineRow>(sql`SELECT * FROM (
    SELECT * FROM (SELECT 'chat' AS type, chats.id, chats.last_message_at / 1000 AS at, chats.last_message AS title,
      NULL AS amountCents, chats.state FROM chat_customers AS l JOIN chats ON chats.id = l.chat_id
      WHERE l.customer_id = ${customerId} ORDER BY chats.last_message_at DESC LIMIT ${most})
    UNION ALL SELECT * FROM (SELECT 'hold', h.id, h.created_at,
      (SELECT group_concat(quantity || ' × ' || name, ', ') FROM hold_lines WHERE hold_id = h.id), NULL,
      CASE WHEN h.state = 'active' AND h.until <= unixepoch() THEN 'ended' ELSE h.state END
      FROM holds AS h WHERE h.customer_id = ${customerId} ORDER BY h.created_at DESC LIMIT ${most})
    UNION ALL SELECT * FROM (SELECT 'quote', q.id, q.created_at, q.title, q.total_cents,
      CASE WHEN q.state = 'sent' AND q.valid_until <= unixepoch() THEN 'expired' ELSE q.state END
      FROM quotes AS q WHERE q.chat_id IN (${chats}) ORDER BY q.created_at DESC LIMIT ${most})
    UNION ALL SELECT * FROM (SELECT 'document', d.id, d.created_at, d.number, d.total_cents, d.kind
      FROM documents AS d WHERE d.customer_id = ${customerId} ORDER BY d.created_at DESC LIMIT ${most}))
    ORDER BY at DESC LIMIT ${limit} OFFSET ${offset}`);
}

/** Counts the entries of a customer's timeline. */
export async function countTimeline(db: Db, customerId: string): Promise<number> {
  const chats = sql`SELECT chat_id FROM chat_customers WHERE customer_id = ${customerId}`;
  const [counted] = await db.all<{ total: number }>(sql`SELECT
    (SELECT count(*) FROM chats WHERE id IN (${chats}))
    + (SELECT count(*) FROM holds WHERE customer_id = ${customerId})
    + (SELECT count(*) FROM quotes WHERE chat_id IN (${chats}))
    + (SELECT count(*) FROM documents WHERE customer_id = ${customerId}) AS total`);
  return counted?.total ?? 0;
}
