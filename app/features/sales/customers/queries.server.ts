import { type SQL, sql } from "drizzle-orm";
import { type Db, runBatch } from "~/db/client.server";
import { listOf } from "~/db/list-of";
import { textMatches } from "~/db/search";
import type { CustomerContent } from "../customer";
import { CUSTOMER_COLUMNS, type CustomerRow } from "../customers.queries.server";
import type { OpenFilter } from "../urls";
import { unlinkedCount } from "./unlinked.queries.server";

/** Row of the list of customers, with what is open. */
export interface CustomerListRow extends Omit<CustomerContent, "notes"> {
  id: string;
  chats: number;
  sales: number;
  totalCents: number;
  lastSeen: number;
  /** Pieces in active holds, 0 for none, and the end of the latest. */
  heldPieces: number;
  /** 1 when there are more holds than were added up, otherwise 0 or null. */
  hasMoreHolds: number | null;
  heldUntil: number | null;
  /** End of the open quote that expires last. */
  quoteUntil: number | null;
  /** 1 when an accepted quote is no sale yet, otherwise 0 or null. */
  hasAcceptedQuote: number | null;
  /** Another customer with the same e-mail address. */
  duplicate: string | null;
}

const HELD = `holds AS h WHERE h.customer_id = c.id AND h.state = 'active' AND h.until > unixepoch()`;

/** Active holds, those that end last, whose pieces a row of the list adds up; it bounds the rows read. */
const MAX_COUNTED_HOLDS = 10;

/** Columns of a row of the screen, for `CustomerListRow`. */
export const ROW_COLUMNS =
  sql.raw(`c.id, c.name, c.email, c.phone_number AS phoneNumber, c.chats, c.sales, c.total_cents AS totalCents,
  c.last_seen AS lastSeen,
  iif(c.held_until > unixepoch(), (SELECT coalesce(sum(l.quantity), 0) FROM hold_lines AS l WHERE l.hold_id IN (
    SELECT h.id FROM ${HELD} ORDER BY h.until DESC LIMIT ${MAX_COUNTED_HOLDS})), 0) AS heldPieces,
  c.held_until > unixepoch() AND (
    SELECT count(*) FROM (SELECT 1 FROM ${HELD} LIMIT ${MAX_COUNTED_HOLDS + 1})) > ${MAX_COUNTED_HOLDS} AS hasMoreHolds,
  iif(c.held_until > unixepoch(), c.held_until, NULL) AS heldUntil,
  (SELECT max(q.valid_until) FROM quotes AS q WHERE c.quoted_until > unixepoch() AND q.customer_id = c.id
    AND q.state = 'sent' AND q.valid_until > unixepoch()) AS quoteUntil,
  c.quoted_until > unixepoch() AND EXISTS (SELECT 1 FROM quotes AS q WHERE q.customer_id = c.id AND q.state = 'accepted'
    AND q.document_id IS NULL) AS hasAcceptedQuote,
  (SELECT o.name FROM customers AS o WHERE o.email_key = c.email_key AND o.email_key <> '' AND o."row" <> c."row"
    LIMIT 1) AS duplicate`);

const CUSTOMERS = listOf({
  table: "customers",
  as: "c",
  sorts: { name: ["sort_key", "id"], lastSeen: ["last_seen", "id"] },
  isWide: true,
});

/** Conditions of the pills, and the indexes that find what matches. */
const FILTERS = {
  held: { where: [sql.raw("c.held_until > unixepoch()")], index: "customers_held" },
  quote: { where: [sql.raw("c.quoted_until > unixepoch()")], index: "customers_quoted" },
  duplicate: {
    where: [
      sql.raw(
        "c.email_key <> '' AND c.email_key IN (SELECT email_key FROM customer_emails WHERE customers > 1)",
      ),
    ],
    index: "customers_email",
  },
} satisfies Record<OpenFilter, { where: SQL[]; index: string }>;

interface CustomerQuery {
  /** NFC, lower case. */
  q: string;
  open?: OpenFilter | undefined;
  sort: "name" | "lastSeen";
  /** Bounds the matches of `q` to the customers who were added last. */
  maxMatches?: number | undefined;
}

/** Matches of a search that a page reads. */
export const MAX_MATCHES = 1000;
/** LIMIT of a query without one. */
const ALL = -1;

/**
 * Returns how the customers that match a query are read; `all` is the number of matches without the filter.
 *
 * @param columns of `customers AS c`
 */
export function customerReads<Row>(db: Db, { q, open, sort, maxMatches = ALL }: CustomerQuery, columns: SQL) {
  const found = q
    ? sql`(SELECT "row" FROM ${textMatches("customer", q)} ORDER BY "row" DESC LIMIT ${maxMatches}) AS found`
    : undefined;
  const query = { columns, sort, found, ...(open && FILTERS[open]) };
  return CUSTOMERS.reads<Row, { total: number; all: number }>(db, query, async () => {
    const [all = [], filtered = all] = await runBatch(db, [
      found
        ? sql`SELECT count(*) AS total FROM ${found}`
        : sql`SELECT customers AS total FROM customer_counts WHERE one = 1`,
      ...(open ? [sql`SELECT count(*) AS total ${CUSTOMERS.from(query)}`] : []),
    ]);
    const total = ([row]: Record<string, unknown>[]) => Number(row?.total ?? 0);
    return { total: total(filtered), all: total(all) };
  });
}

/** Numbers of customers with something open, and of what has no customer, up to MAX_COUNTED, which bounds the rows read. */
type OpenCounts = Record<"held" | "quote" | "unlinked", number>;
export const MAX_COUNTED = 10;

export async function countOpen(db: Db): Promise<OpenCounts> {
  const counted = (filter: (typeof FILTERS)["held"]) =>
    sql`(SELECT count(*) FROM (SELECT 1 ${CUSTOMERS.from(filter)} LIMIT ${MAX_COUNTED}))`;
  const [row] = await db.all<OpenCounts>(
    sql`SELECT ${counted(FILTERS.held)} AS held, ${counted(FILTERS.quote)} AS quote,
      ${unlinkedCount(MAX_COUNTED)} AS unlinked`,
  );
  return row ?? { held: 0, quote: 0, unlinked: 0 };
}

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
    q.ready_by AS readyBy, q.total_cents AS totalCents`);
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
}

/**
 * Finds a window of a customer's chats, holds, quotes and documents, newest first. SQLite merges the four indexes, and
 * reads no further than the window.
 */
export function findTimeline(
  db: Db,
  customerId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<TimelineRow[]> {
  return db.all<TimelineRow>(sql`WITH found AS (
      SELECT 'chat' AS type, l.chat_id AS id, l.active_at AS at FROM chat_customers AS l WHERE l.customer_id = ${customerId}
      UNION ALL SELECT 'hold', h.id, h.created_at FROM holds AS h WHERE h.customer_id = ${customerId}
      UNION ALL SELECT 'quote', q.id, q.created_at FROM quotes AS q WHERE q.customer_id = ${customerId}
      UNION ALL SELECT 'document', d.id, d.created_at FROM documents AS d WHERE d.customer_id = ${customerId}
      ORDER BY at DESC LIMIT ${limit} OFFSET ${offset})
    SELECT found.type, found.id, found.at, coalesce(chats.last_message, q.title, d.number,
        (SELECT group_concat(quantity || ' × ' || name, ', ') FROM hold_lines WHERE hold_id = h.id), '') AS title,
      coalesce(q.total_cents, d.total_cents) AS amountCents,
      coalesce(chats.state, d.kind, iif(h.state = 'active' AND h.until <= unixepoch(), 'ended', h.state),
        iif(q.state = 'sent' AND q.valid_until <= unixepoch(), 'expired', q.state), '') AS state
    FROM found LEFT JOIN chats ON found.type = 'chat' AND chats.id = found.id
      LEFT JOIN holds AS h ON found.type = 'hold' AND h.id = found.id
      LEFT JOIN quotes AS q ON found.type = 'quote' AND q.id = found.id
      LEFT JOIN documents AS d ON found.type = 'document' AND d.id = found.id
    ORDER BY found.at DESC`);
}

/** Counts the entries of a customer's timeline, from the counters that triggers keep. */
export async function countTimeline(db: Db, customerId: string): Promise<number> {
  const [counted] = await db.all<{ total: number }>(
    sql`SELECT chats + holds + quotes + sales + credits AS total FROM customers WHERE id = ${customerId}`,
  );
  return counted?.total ?? 0;
}
