import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { Deposit } from "../deposit";
import { CUSTOMER_COLUMNS, type CustomerRow } from "./customers.server";
import { addedTaxOn, paidOn } from "./holds-and-quotes.server";

interface OpenHold {
  id: string;
  chatId: string | null;
  until: number;
  createdAt: number;
  createdBy: string;
  /** Null without lines. */
  items: string | null;
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
  /** Deposits on it. */
  paidCents: number;
  /** Tax that its sale will add; null for none. */
  addedTax: string | null;
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

/** Holds and quotes that the page lists of each kind: those that end first. */
export const MAX_OPEN = 8;
const MAX_CHATS = 10;

/** Reads what stands beside a customer's timeline; of holds and quotes one more than is listed. */
export async function findCustomerDetails(db: Db, { id, email }: CustomerRow) {
  const quoteColumns = sql.raw(`q.id, q.chat_id AS chatId, q.title, q.state, q.valid_until AS validUntil,
    q.ready_by AS readyBy, q.total_cents AS totalCents, ${paidOn("q")} AS paidCents,
    ${addedTaxOn("q")} AS addedTax`);
  const [holds, quotes, chatRows, [sums], duplicates] = await Promise.all([
    db.all<
      Omit<OpenHold, "items" | "worthCents"> & { lines: string }
    >(sql`SELECT h.id, h.chat_id AS chatId, h.until, h.created_at AS createdAt, h.created_by AS createdBy,
      (SELECT json_object('items', group_concat(l.quantity || ' × ' || l.name, ', '),
          'worthCents', coalesce(sum(l.quantity * p.price_cents), 0))
        FROM hold_lines AS l LEFT JOIN products AS p ON p.id = l.product_id WHERE l.hold_id = h.id) AS lines
      FROM holds AS h INDEXED BY holds_open WHERE h.customer_id = ${id} AND h.state = 'active' AND h.until > unixepoch()
      ORDER BY h.until LIMIT ${MAX_OPEN + 1}`),
    db.all<OpenQuote>(sql`SELECT * FROM (SELECT ${quoteColumns} FROM quotes AS q INDEXED BY quotes_unsold
        WHERE q.customer_id = ${id} AND q.state = 'accepted' AND q.document_id IS NULL
        ORDER BY q.created_at DESC LIMIT ${MAX_OPEN + 1})
      UNION ALL SELECT * FROM (SELECT ${quoteColumns} FROM quotes AS q INDEXED BY quotes_sent
        WHERE q.customer_id = ${id} AND q.state = 'sent' AND q.valid_until > unixepoch()
        ORDER BY q.valid_until LIMIT ${MAX_OPEN + 1})`),
    db.all<CustomerChat>(sql`SELECT chats.id, chats.user_name AS userName, chats.last_message AS lastMessage,
      chats.last_message_at / 1000 AS at FROM chat_customers AS l JOIN chats ON chats.id = l.chat_id
      WHERE l.customer_id = ${id} ORDER BY l.active_at DESC LIMIT ${MAX_CHATS}`),
    db.all<CustomerSums>(sql`SELECT c.sales, c.total_cents - c.credits_cents AS salesCents, c.credits,
      c.credits_cents AS creditsCents, (SELECT d.created_at FROM documents AS d
        WHERE d.customer_id = c.id AND d.kind = 'sale' ORDER BY d.created_at DESC LIMIT 1) AS lastSale
      FROM customers AS c WHERE c.id = ${id}`),
    db.all<CustomerRow>(sql`SELECT ${CUSTOMER_COLUMNS} FROM customers AS c
      WHERE c.email_key = (SELECT email_key FROM customers WHERE id = ${id}) AND c.email_key <> '' AND c.id <> ${id}
      AND ${email} <> '' LIMIT 5`),
  ]);
  return {
    holds: holds.map(({ lines, ...hold }): OpenHold => ({ ...hold, ...JSON.parse(lines) })),
    quotes,
    chats: chatRows,
    sums: sums ?? NO_SUMS,
    duplicates,
  };
}

/** Sums of a customer who was merged or deleted in the meantime. */
const NO_SUMS: CustomerSums = { sales: 0, salesCents: 0, credits: 0, creditsCents: 0, lastSale: null };

/** Entry of a customer's timeline. */
export interface TimelineRow {
  type: "chat" | "hold" | "quote" | "document";
  id: string;
  /** Epoch seconds. */
  at: number;
  title: string;
  amountCents: number | null;
  state: string;
  /** Deposits on a quote, in their order. */
  deposits: Deposit[];
}

/**
 * Finds a window of a customer's chats, holds, quotes and documents, newest first. SQLite merges the four indexes, and
 * reads no further than the window.
 */
export async function findTimeline(
  db: Db,
  customerId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<TimelineRow[]> {
  const rows = await db.all<Omit<TimelineRow, "deposits"> & { deposits: string | null }>(sql`WITH found AS (
      SELECT 'chat' AS type, l.chat_id AS id, l.active_at AS at FROM chat_customers AS l WHERE l.customer_id = ${customerId}
      UNION ALL SELECT 'hold', h.id, h.created_at FROM holds AS h WHERE h.customer_id = ${customerId}
      UNION ALL SELECT 'quote', q.id, q.created_at FROM quotes AS q WHERE q.customer_id = ${customerId}
      UNION ALL SELECT 'document', d.id, d.created_at FROM documents AS d WHERE d.customer_id = ${customerId}
      ORDER BY at DESC LIMIT ${limit} OFFSET ${offset})
    SELECT found.type, found.id, found.at, coalesce(chats.last_message, q.title, d.number,
        (SELECT group_concat(quantity || ' × ' || name, ', ') FROM hold_lines WHERE hold_id = h.id), '') AS title,
      coalesce(q.total_cents, d.total_cents) AS amountCents,
      coalesce(chats.state, d.kind, iif(h.state = 'active' AND h.until <= unixepoch(), 'ended', h.state),
        iif(q.state = 'sent' AND q.valid_until <= unixepoch(), 'expired', q.state), '') AS state,
      iif(q.id IS NULL, NULL, (SELECT json_group_array(json_object('id', p.id, 'number', p.number, 'mode', p.mode, 'amountCents', p.amount_cents))
        FROM payments AS p WHERE p.quote_id = q.id AND p.document_id IS NULL)) AS deposits
    FROM found LEFT JOIN chats ON found.type = 'chat' AND chats.id = found.id
      LEFT JOIN holds AS h ON found.type = 'hold' AND h.id = found.id
      LEFT JOIN quotes AS q ON found.type = 'quote' AND q.id = found.id
      LEFT JOIN documents AS d ON found.type = 'document' AND d.id = found.id
    ORDER BY found.at DESC`);
  return rows.map((row) => ({ ...row, deposits: JSON.parse(row.deposits ?? "[]") as Deposit[] }));
}

/** Counts the entries of a customer's timeline, from the counters that triggers keep. */
export async function countTimeline(db: Db, customerId: string): Promise<number> {
  const [counted] = await db.all<{ total: number }>(
    sql`SELECT chats + holds + quotes + sales + credits AS total FROM customers WHERE id = ${customerId}`,
  );
  return counted?.total ?? 0;
}
