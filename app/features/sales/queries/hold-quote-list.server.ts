import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { listOf, type Selection } from "~/db/list-of";
import { textMatches, textSearch } from "~/db/search";
import { foldText, searchKey } from "~/db/text";
import type { Business } from "~/domain/enums";
import type { HoldState } from "../document";
import type { QuoteState } from "../quote-state";
import { addedTaxOn, paidOn, type StoredQuote } from "./holds-and-quotes.server";
import { DEPOSIT_BUSINESS } from "./sale.server";

/** Person of a hold or quote: its customer, else the visitor of its chat. */
export interface Person {
  chatId: string | null;
  customerId: string | null;
  customerName: string | null;
  visitor: Visitor | null;
}

/** Visitor of a chat: name, and when the chat began in epoch seconds. */
type Visitor = [name: string, began: number];

/** Row of the list of holds. */
export interface HoldRow extends Person {
  id: string;
  state: "active" | "released" | "sold";
  until: number;
  createdBy: string;
  documentId: string | null;
  /** Number of the document that it was sold with. */
  number: string | null;
  /** The first lines; one more than MAX_NAMED says that there are others. */
  items: { quantity: number; name: string; cents?: number | null }[];
}

/** Row of the list of quotes. */
export interface QuoteRow extends Person {
  id: string;
  title: string;
  state: StoredQuote["state"];
  validUntil: number;
  /** YYYY-MM-DD, or empty. */
  readyBy: string;
  totalCents: number;
  createdAt: number;
  documentId: string | null;
  number: string | null;
  /** Deposits on it, without what was paid back. */
  paidCents: number;
  /** Tax that its sale will add; null for none, and before a deposit. */
  addedTax: string | null;
  /** Since when its work waits for being fetched, epoch seconds; null while it does not. */
  readyAt: number | null;
}

/** Lines of a hold that a row names; it bounds the rows read. */
export const MAX_NAMED = 2;

/** Columns of a row of either list. */
const shared = (table: "h" | "quotes") => `${table}.id, ${table}.chat_id AS chatId, ${table}.state,
  ${table}.customer_id AS customerId, ${table}.document_id AS documentId,
  (SELECT name FROM customers WHERE id = ${table}.customer_id) AS customerName,
  (SELECT json_array(user_name, created_at) FROM chats WHERE id = ${table}.chat_id) AS visitor,
  (SELECT number FROM documents WHERE id = ${table}.document_id) AS number`;

const withVisitor = ({ visitor, ...row }: object & { visitor?: unknown }) => ({
  ...row,
  visitor: typeof visitor === "string" ? (JSON.parse(visitor) as Visitor) : null,
});

const toHoldRow = (row: Record<string, unknown>) =>
  ({ ...withVisitor(row), items: JSON.parse(String(row.items)) }) as HoldRow;

/** First lines of a hold. */
const NAMED = `(SELECT unit_id, quantity, name FROM hold_lines WHERE hold_id = h.id ORDER BY rowid
  LIMIT ${MAX_NAMED + 1}) AS named`;

/** Columns of a row of the screen. */
export const HOLD_ROW: Selection<HoldRow> = {
  columns: sql.raw(`${shared("h")}, h.until, h.created_by AS createdBy,
    (SELECT json_group_array(json_object('quantity', named.quantity, 'name', named.name)) FROM ${NAMED}) AS items`),
  view: toHoldRow,
};
export const QUOTE_ROW: Selection<QuoteRow> = {
  columns:
    sql.raw(`${shared("quotes")}, quotes.title, quotes.valid_until AS validUntil, quotes.ready_by AS readyBy,
    quotes.total_cents AS totalCents, quotes.created_at AS createdAt, ${paidOn("quotes")} AS paidCents,
    ${addedTaxOn("quotes")} AS addedTax, quotes.ready_at AS readyAt`),
  view: (row) => withVisitor(row) as QuoteRow,
};

const HOLDS = listOf({
  ...{ table: "holds", as: "h", key: "rowid", isWide: true },
  sorts: { until: ["until", "rowid"] },
});
const QUOTES = listOf({
  ...{ table: "quotes", key: "rowid", isWide: true },
  sorts: {
    validUntil: ["valid_until", "rowid"],
    jobs: [sql`(ready_by = '')`, "ready_by", "created_at"],
    ready: ["ready_at"],
  },
});

/** Conditions of the states; the clock parts those that end without a write. */
const HOLD_IS: Record<HoldState, SQL> = {
  active: sql.raw("h.state = 'active' AND h.until > unixepoch()"),
  ended: sql.raw("h.state = 'active' AND h.until <= unixepoch()"),
  released: sql.raw("h.state = 'released'"),
  sold: sql.raw("h.state = 'sold'"),
};
/** State of quotes, or those with deposits that are neither sold nor paid back. */
export type QuoteFilter = QuoteState | "deposit";

const QUOTE_IS: Record<QuoteFilter, SQL> = {
  sent: sql.raw("quotes.state = 'sent' AND quotes.valid_until > unixepoch()"),
  expired: sql.raw("quotes.state = 'sent' AND quotes.valid_until <= unixepoch()"),
  accepted: sql.raw("quotes.state = 'accepted'"),
  declined: sql.raw("quotes.state = 'declined'"),
  withdrawn: sql.raw("quotes.state = 'withdrawn'"),
  deposit: sql.raw("quotes.deposit_cents > 0"),
};
/** Indexes of the states, in the order of the ends. */
const HOLD_INDEXES: Record<HoldState, string> = {
  ...{ active: "holds_ending", ended: "holds_ending" },
  ...{ released: "holds_put_back", sold: "holds_bought" },
};
const QUOTE_INDEXES: Record<QuoteFilter, string> = {
  ...{ sent: "quotes_open", expired: "quotes_open", accepted: "quotes_agreed" },
  ...{ declined: "quotes_declined", withdrawn: "quotes_withdrawn", deposit: "quotes_deposit" },
};

/** Filters without a stored count: the clock parts these states, and deposits come and go. */
const UNCOUNTED: readonly string[] = ["active", "ended", "sent", "expired", "deposit"];

interface Filter<State extends string> {
  /** NFC, lower case; "" for all. */
  q: string;
  state?: State | undefined;
  /** Bounds the rows that are counted where no count is stored. */
  maxCounted?: number | undefined;
}

interface QuotesFilter extends Filter<QuoteFilter> {
  /** Of the deposits; for the state "deposit". */
  business?: Business | undefined;
}

/** LIMIT of a query without one. */
const ALL = -1;
/** Latest customers, chats, holds and quotes among which a search looks. */
const MAX_SEARCHED = 1000;

/** Returns how the holds that match a filter are read, by their ends. */
export async function holdReads<Row>(db: Db, filter: Filter<HoldState>, columns: Selection<Row>) {
  const { state, maxCounted } = filter;
  const where = state ? [HOLD_IS[state]] : [];
  const index = state ? HOLD_INDEXES[state] : "holds_until";
  const found = filter.q ? await matchesOf(db, filter.q, { ...HOLD_SEARCH, index, where }) : undefined;
  const matching = { found, index, where };
  return HOLDS.reads(db, { sort: "until", ...columns, ...matching }, () =>
    countRows(db, "hold", { from: HOLDS.from(matching), state, maxCounted, isSearch: found !== undefined }),
  );
}

/** Returns how the quotes that match a filter are read, by their ends. */
export async function quoteReads<Row>(db: Db, filter: QuotesFilter, columns: Selection<Row>) {
  const { state, maxCounted, business } = filter;
  const where = state ? [QUOTE_IS[state], ...ofBusiness(business)] : [];
  const index = state ? QUOTE_INDEXES[state] : "quotes_valid";
  const found = filter.q ? await matchesOf(db, filter.q, { ...QUOTE_SEARCH, index, where }) : undefined;
  const matching = { found, index, where };
  return QUOTES.reads(db, { sort: "validUntil", ...columns, ...matching }, () =>
    countRows(db, "quote", { from: QUOTES.from(matching), state, maxCounted, isSearch: found !== undefined }),
  );
}

/** Condition of quotes whose deposits a business took; none for both. */
const ofBusiness = (business: Business | undefined): SQL[] =>
  business ? [sql`${DEPOSIT_BUSINESS} = ${business}`] : [];

/** Adds up the deposits that are neither sold nor paid back, of `max` quotes at most. @param business undefined for both */
export async function findHeldCents(db: Db, business: Business | undefined, max: number): Promise<number> {
  const where = [QUOTE_IS.deposit, ...ofBusiness(business)];
  const held = QUOTES.from({ index: QUOTE_INDEXES.deposit, where });
  const [row] = await db.all<{ cents: number | null }>(
    sql`SELECT sum(deposit_cents) AS cents FROM (SELECT deposit_cents ${held} LIMIT ${max})`,
  );
  return row?.cents ?? 0;
}

interface Counting {
  from: SQL;
  state: string | undefined;
  maxCounted?: number | undefined;
  isSearch: boolean;
}

/** Counts the rows of a list: by the stored counts, or one by one those of a search and of states that the clock parts. */
async function countRows(
  db: Db,
  kind: "hold" | "quote",
  { from, state, maxCounted = ALL, isSearch }: Counting,
): Promise<{ total: number }> {
  const isCounted = isSearch || UNCOUNTED.includes(state ?? "");
  const ofState = state ? sql`AND state = ${state}` : sql``;
  const [row] = await db.all<{ total: number }>(
    isCounted
      ? sql`SELECT count(*) AS total FROM (SELECT 1 ${from} LIMIT ${maxCounted})`
      : sql`SELECT sum(total) AS total FROM hold_quote_counts WHERE kind = ${kind} ${ofState}`,
  );
  return { total: row?.total ?? 0 };
}

interface Search {
  table: "holds AS h" | "quotes";
  row: SQL;
  end: SQL;
  /** Index of what belongs to a customer, and to a chat. */
  customers: string;
  chats: string;
  /** Text that names the things. */
  text: SQL;
}

const HOLD_SEARCH: Search = {
  ...{ table: "holds AS h", row: sql`h.rowid`, end: sql`h.until` },
  ...{ customers: "holds_customer", chats: "holds_chat" },
  text: sql`(SELECT group_concat(name, ' ') FROM hold_lines WHERE hold_id = h.id)`,
};
const QUOTE_SEARCH: Search = {
  ...{ table: "quotes", row: sql`quotes.rowid`, end: sql`quotes.valid_until` },
  ...{ customers: "quotes_customer", chats: "quotes_chat" },
  text: sql`quotes.title || ' ' || quotes.lines`,
};

/**
 * Finds the rows of a search: those of customers and visitors by name and e-mail address, and by the things that they name
 * those that end last.
 *
 * @returns a table with the column "row"
 */
async function matchesOf(
  db: Db,
  q: string,
  { table, row, end, customers, chats, text, index, where }: Search & { index: string; where: SQL[] },
): Promise<SQL> {
  const indexed = (name: string) => sql.raw(`${table} INDEXED BY ${name}`);
  const condition = where.length > 0 ? sql`WHERE ${sql.join(where, sql` AND `)}` : sql``;
  const [persons, latest] = await Promise.all([
    db.all<{ row: number }>(sql`
      SELECT ${row} AS "row" FROM (SELECT "row" FROM ${textMatches("customer", q)} ORDER BY "row" DESC
          LIMIT ${MAX_SEARCHED}) AS found CROSS JOIN customers AS c ON c."row" = found."row"
        CROSS JOIN ${indexed(customers)} ON customer_id = c.id
      UNION SELECT ${row} FROM ${visitors(q)} AS found CROSS JOIN ${indexed(chats)} ON chat_id = found.id`),
    db.all<{ row: number; text: string | null }>(sql`
      SELECT ${row} AS "row", ${text} AS text FROM ${indexed(index)} ${condition} ORDER BY ${end} DESC LIMIT ${MAX_SEARCHED}`),
  ]);
  const key = searchKey(q);
  const named = latest.filter(({ text }) => foldText(text ?? "").includes(key));
  const rows = [...new Set([...persons, ...named].map((each) => each.row))];
  return sql`(SELECT value AS "row" FROM json_each(${JSON.stringify(rows)})) AS found`;
}

/** Selects the latest chats whose visitor has a text in the name or e-mail address. */
function visitors(q: string): SQL {
  const { index, match } = textSearch(q);
  const table = sql.raw(`chat_${index}`);
  // The index of beginnings has no other columns.
  const ofPerson = index === "search" ? `{name email} : (${match})` : match;
  return sql`(SELECT id FROM ${table} WHERE ${table} MATCH ${ofPerson} ORDER BY rowid DESC
    LIMIT ${MAX_SEARCHED})`;
}

/** Numbers of holds and quotes that the lists of the back office offer first. */
export interface ListCounts {
  all: number;
  /** Those that are open, up to a limit. */
  open: number;
}

export async function countLists(db: Db, kind: "hold" | "quote", max: number): Promise<ListCounts> {
  const open =
    kind === "hold"
      ? HOLDS.from({ index: HOLD_INDEXES.active, where: [HOLD_IS.active] })
      : QUOTES.from({ index: QUOTE_INDEXES.sent, where: [QUOTE_IS.sent] });
  const [counts] = await db.all<ListCounts>(sql`SELECT
    (SELECT sum(total) FROM hold_quote_counts WHERE kind = ${kind}) AS "all",
    (SELECT count(*) FROM (SELECT 1 ${open} LIMIT ${max})) AS open`);
  return counts ?? { all: 0, open: 0 };
}

/** Hold with its worth at the prices of today; null where a row does not name all its lines, or a product is gone. */
interface EndingHold extends HoldRow {
  worthCents: number | null;
}

const ENDING_HOLD: Selection<EndingHold> = {
  columns: sql.raw(`${shared("h")}, h.until, h.created_by AS createdBy,
    (SELECT json_group_array(json_object('quantity', named.quantity, 'name', named.name,
        'cents', named.quantity * coalesce(u.price_cents, p.base_cents, p.price_cents)))
      FROM ${NAMED} LEFT JOIN units AS u ON u.id = named.unit_id LEFT JOIN products AS p ON p.id = u.product_id) AS items`),
  view: (row) => withWorth(toHoldRow(row)),
};

function withWorth(hold: HoldRow): EndingHold {
  const isKnown = hold.items.length <= MAX_NAMED && hold.items.every(({ cents }) => cents != null);
  const worthCents = isKnown ? hold.items.reduce((sum, { cents }) => sum + (cents ?? 0), 0) : null;
  return { ...hold, worthCents };
}

/** Span of epoch seconds without its first one: an end at midnight is that of the day before. */
export interface Span {
  from: number;
  until: number;
}

const endsWithin = ({ from, until }: Span) => [
  sql.raw("h.state = 'active'"),
  sql`h.until > ${from} AND h.until <= ${until}`,
];
/** Accepted quotes that are no sale yet, as the condition of the index spells it. */
const IS_JOB = sql.raw("state = 'accepted' AND document_id IS NULL");
const IS_TO_DO = sql.raw("ready_at IS NULL");
const IS_READY = sql.raw("ready_at IS NOT NULL");

const first = (limit: number) => ({ limit, offset: 0, dir: "asc" }) as const;

/** Finds the holds that end within a span and were not put back or sold, by their ends. */
export const findEndingHolds = (db: Db, span: Span, limit: number): Promise<EndingHold[]> =>
  HOLDS.rows(
    db,
    { sort: "until", ...ENDING_HOLD, index: HOLD_INDEXES.active, where: endsWithin(span) },
    first(limit),
  );

/** Finds the quotes without an answer, by what expires first. */
export const findOpenQuotes = (db: Db, limit: number): Promise<QuoteRow[]> =>
  QUOTES.rows(
    db,
    { sort: "validUntil", ...QUOTE_ROW, index: QUOTE_INDEXES.sent, where: [QUOTE_IS.sent] },
    first(limit),
  );

/** Finds the accepted quotes whose work is to be done, by the day that was promised; last those without one. */
export const findJobs = (db: Db, limit: number): Promise<QuoteRow[]> =>
  QUOTES.rows(
    db,
    { sort: "jobs", ...QUOTE_ROW, index: "quotes_to_do", where: [IS_JOB, IS_TO_DO] },
    first(limit),
  );

/** Finds the accepted quotes whose work waits for being fetched, for longest first. */
export const findPickUps = (db: Db, limit: number): Promise<QuoteRow[]> =>
  QUOTES.rows(
    db,
    { sort: "ready", ...QUOTE_ROW, index: "quotes_ready", where: [IS_JOB, IS_READY] },
    first(limit),
  );

/** Counts the holds of `findEndingHolds`, the open quotes and the jobs together, up to a limit. */
export async function countWaitingSales(db: Db, span: Span, max: number): Promise<number> {
  const [counted] = await db.all<{ total: number }>(sql`SELECT count(*) AS total FROM (
    SELECT 1 ${HOLDS.from({ index: HOLD_INDEXES.active, where: endsWithin(span) })}
    UNION ALL SELECT 1 ${QUOTES.from({ index: QUOTE_INDEXES.sent, where: [QUOTE_IS.sent] })}
    UNION ALL SELECT 1 ${QUOTES.from({ index: "quotes_jobs", where: [IS_JOB] })} LIMIT ${max})`);
  return counted?.total ?? 0;
}
