import { type SQL, sql } from "drizzle-orm";
import { type Db, runBatch } from "~/db/client.server";
import { listOf } from "~/db/list-of";
import { textMatches } from "~/db/search";
import type { CustomerContent } from "../customer";
import type { OpenFilter } from "../urls";

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

/** Open hold or quote of a chat, or of the counter, without a customer. */
export interface UnlinkedRow {
  kind: "held" | "quote";
  id: string;
  chatId: string | null;
  userName: string | null;
  /** Beginning of the chat, epoch seconds. */
  began: number | null;
  title: string;
  /** Null for an accepted quote, which does not end. */
  until: number | null;
}

/**
 * Holds and quotes that are open without a customer, by their kinds, with the indexes that find them. `rank` orders them:
 * accepted quotes, newest first, then what ends first.
 */
const OPEN = [
  {
    columns: sql`'held' AS kind, id, chat_id, NULL AS title, until AS until, until AS rank`,
    from: sql`holds INDEXED BY holds_unlinked WHERE state = 'active' AND customer_id IS NULL AND until > unixepoch()`,
    order: sql`until`,
  },
  {
    columns: sql`'quote', id, chat_id, title, NULL, -created_at`,
    from: sql`quotes INDEXED BY quotes_unsold_unlinked
      WHERE state = 'accepted' AND document_id IS NULL AND customer_id IS NULL`,
    order: sql`created_at DESC`,
  },
  {
    columns: sql`'quote', id, chat_id, title, valid_until, valid_until`,
    from: sql`quotes INDEXED BY quotes_sent_unlinked
      WHERE state = 'sent' AND customer_id IS NULL AND valid_until > unixepoch()`,
    order: sql`valid_until`,
  },
];

const joined = (parts: SQL[], by: string) => sql.join(parts, sql.raw(by));

/** Finds what is open without a customer. */
export function findUnlinked(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
): Promise<UnlinkedRow[]> {
  // The first rows of all are among the first of each kind.
  const found = OPEN.map(
    ({ columns, from, order }) =>
      sql`SELECT * FROM (SELECT ${columns} FROM ${from} ORDER BY ${order}, id LIMIT ${offset + limit})`,
  );
  return db.all<UnlinkedRow>(sql`
    SELECT open.kind, open.id, open.chat_id AS chatId, chats.user_name AS userName, chats.created_at AS began,
      coalesce(open.title, (SELECT group_concat(quantity || ' × ' || name, ', ') FROM hold_lines
        WHERE hold_id = open.id), '') AS title, open.until
    FROM (SELECT * FROM (${joined(found, " UNION ALL ")}) ORDER BY rank, id LIMIT ${limit} OFFSET ${offset}) AS open
      LEFT JOIN chats ON chats.id = open.chat_id
    ORDER BY open.rank, open.id`);
}

/** Holds and quotes of each kind that the list counts, which bounds the rows read. */
const MAX_LISTED = 1000;

export async function countUnlinked(db: Db): Promise<number> {
  const [row] = await db.all<{ total: number }>(sql`SELECT ${unlinkedCount(MAX_LISTED)} AS total`);
  return row?.total ?? 0;
}

/** Counts what is open without a customer, as an expression. @param limit of each kind, which bounds the rows read */
const unlinkedCount = (limit: number): SQL =>
  joined(
    OPEN.map(({ from }) => sql`(SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT ${limit}))`),
    " + ",
  );
