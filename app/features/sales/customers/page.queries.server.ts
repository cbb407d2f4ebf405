import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { CUSTOMER_COLUMNS, type CustomerRow } from "../customers.queries.server";

export interface OpenHold {
  id: string;
  chatId: string | null;
  until: number;
  createdAt: number;
  createdBy: string;
  items: string;
  /** At today's prices. */
  worthCents: number;
}

export interface OpenQuote {
  id: string;
  chatId: string;
  title: string;
  state: "sent" | "accepted";
  validUntil: number;
  readyBy: string;
  totalCents: number;
}

export interface CustomerChat {
  id: string;
  userName: string;
  lastMessage: string;
  at: number;
}

export interface CustomerSums {
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
