import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { type DateSpan, monthsWithin } from "../days";
import type { Direction } from "../schema";
import type { EntryTable } from "./tables.server";

/** Which entries; what is null or "" doesn't filter. */
export interface Filter {
  /** NFC, lower case. */
  q: string;
  /** By the book's filters: category, paymentMode, businessType, expenseType. */
  equals: Record<string, string | null>;
  /** Local days, both included, and times (epoch seconds) that surely hold them all, for the index. */
  days: { from: string; to: string; earliest: number; latest: number } | null;
}

/** A stored entry, with what lists need to go on from it. */
export type Stored<Row> = Row & { row: number; sortKey: string | number };

export interface Order {
  /** One of the book's sorts. */
  sort: string;
  dir: Direction;
}

export interface Window {
  limit: number;
  offset: number;
}

/** Where a list goes on: behind an entry. */
export type Cursor = [key: string | number, createdAt: number, row: number];

export interface Sums {
  entries: number;
  amountCents: number;
  quantity: number;
}

const name = sql.identifier;

/** An entry's columns by their names in code. */
export function entryColumns(book: EntryTable): SQL {
  const columns = Object.entries(book.columns).map(([as, column]) => sql`${name(column)} AS ${name(as)}`);
  return sql.join([sql`"row", id, version`, ...columns], sql`, `);
}

/** The filters that are set, as [name, value], the most telling first. */
export function setFilters(book: EntryTable, { equals }: Filter): [string, string][] {
  return Object.keys(book.filters).flatMap((filter) => {
    const value = equals[filter];
    return value ? [[filter, value] as [string, string]] : [];
  });
}

function conditions(book: EntryTable, filter: Filter): SQL[] {
  const { days } = filter;
  const equal = setFilters(book, filter).map(
    ([as, value]) => sql`${name(book.filters[as]?.column ?? as)} = ${value}`,
  );
  if (!days) return equal;
  const within = sql`created_at BETWEEN ${days.earliest} AND ${days.latest}`;
  return [...equal, within, sql`day BETWEEN ${days.from} AND ${days.to}`];
}

/** The columns that order a list, least telling last; a column that is filtered to one value orders nothing. */
export function orderColumns(book: EntryTable, filter: Filter, { sort }: Order): string[] {
  const column = book.sorts[sort]?.column ?? "created_at";
  const isFixed = column === "created_at" || filter.equals[sort];
  return isFixed ? ["created_at", "row"] : [column, "created_at", "row"];
}

function orderBy(columns: string[], dir: Direction): SQL {
  const direction = sql.raw(dir === "desc" ? " DESC" : "");
  return sql.join(
    columns.map((column) => sql`${name(column)}${direction}`),
    sql`, `,
  );
}

/** Entries behind a cursor; on a fixed column only time and row number tell. */
function behind(columns: string[], dir: Direction, cursor: Cursor): SQL {
  const sign = sql.raw(dir === "desc" ? "<" : ">");
  const names = sql.join(columns.map(name), sql`, `);
  const values = sql.join(
    cursor.slice(-columns.length).map((value) => sql`${value}`),
    sql`, `,
  );
  return sql`(${names}) ${sign} (${values})`;
}

const where = (all: SQL[]) => (all.length > 0 ? sql`WHERE ${sql.join(all, sql` AND `)}` : sql``);

/**
 * A window of a list along an index. Where the index is that of the sort, it is read from where the window begins;
 * where it is a filter's, the entries it finds are sorted.
 *
 * @param index of the book
 * @param after the entry behind which to begin, in place of an offset
 */
export function findEntries<Row>(
  db: Db,
  book: EntryTable,
  query: { filter: Filter; order: Order },
  index: string,
  { limit, offset }: Window,
  after: Cursor | null = null,
): Promise<Stored<Row>[]> {
  const { filter, order } = query;
  const columns = orderColumns(book, filter, order);
  const all = [...conditions(book, filter), ...(after ? [behind(columns, order.dir, after)] : [])];
  return db.all<Stored<Row>>(sql`
    SELECT ${entryColumns(book)}, ${name(columns[0] ?? "row")} AS "sortKey"
    FROM ${name(book.table)} INDEXED BY ${name(index)} ${where(all)}
    ORDER BY ${orderBy(columns, order.dir)} LIMIT ${limit} OFFSET ${offset}`);
}

const isShort = (q: string) => [...q].length < 3;

/** What must hold of what a search has found. Of one or two characters the index of words sees letters and digits alone. */
function foundConditions(book: EntryTable, filter: Filter): SQL[] {
  const { q } = filter;
  const isWord = !isShort(q) || /^[\p{L}\p{N}]+$/u.test(q);
  const all = [sql`"row" = found`, ...conditions(book, filter)];
  return isWord ? all : [...all, sql`instr(description_key, ${q}) > 0`];
}

/** What a search matches: text inside descriptions; one or two characters, the beginnings of their words. */
function found(book: EntryTable, q: string): SQL {
  const isLong = !isShort(q);
  const table = name(isLong ? book.search : book.starts);
  const expression = `"${q.replaceAll('"', '""')}"${isLong ? "" : "*"}`;
  // A cross join, because SQLite would else walk all entries and look each of them up among the found ones.
  return sql`(SELECT rowid AS found FROM ${table} WHERE ${table} MATCH ${expression})
    CROSS JOIN ${name(book.table)}`;
}

/** A window of what a search finds. */
export function searchEntries<Row>(
  db: Db,
  book: EntryTable,
  query: { filter: Filter; order: Order },
  { limit, offset }: Window,
  after: Cursor | null = null,
): Promise<Stored<Row>[]> {
  const { filter, order } = query;
  const columns = orderColumns(book, filter, order);
  const all = foundConditions(book, filter);
  if (after) all.push(behind(columns, order.dir, after));
  return db.all<Stored<Row>>(sql`
    SELECT ${entryColumns(book)}, ${name(columns[0] ?? "row")} AS "sortKey"
    FROM ${found(book, filter.q)} ${where(all)}
    ORDER BY ${orderBy(columns, order.dir)} LIMIT ${limit} OFFSET ${offset}`);
}

/** Number and sums of what a search finds. */
export async function sumFound(db: Db, book: EntryTable, filter: Filter): Promise<Sums> {
  const quantity = book.hasQuantity ? sql`coalesce(sum(quantity), 0)` : sql`0`;
  const [sums] = await db.all<Sums>(sql`
    SELECT count(*) AS entries, coalesce(sum(amount_cents), 0) AS "amountCents", ${quantity} AS quantity
    FROM ${found(book, filter.q)} ${where(foundConditions(book, filter))}`);
  return sums ?? { entries: 0, amountCents: 0, quantity: 0 };
}

/** Number and sums of entries without a search: from the sums of all time, or of the months and days asked for. */
export async function sumEntries(db: Db, book: EntryTable, filter: Filter): Promise<Sums> {
  const quantity = book.hasQuantity ? sql`coalesce(sum(quantity), 0)` : sql`0`;
  const kinds = conditions(book, { ...filter, days: null });
  const { days } = filter;
  const from = days ? periods(book, kinds, days) : sql`${name(book.totals)} ${where(kinds)}`;
  const [sums] = await db.all<Sums>(sql`
    SELECT coalesce(sum(entries), 0) AS entries, coalesce(sum(amount_cents), 0) AS "amountCents",
      ${quantity} AS quantity FROM ${from}`);
  return sums ?? { entries: 0, amountCents: 0, quantity: 0 };
}

/** The sums that make up a span of days. Those of months don't tell kinds apart. */
function periods(book: EntryTable, kinds: SQL[], { from, to }: { from: string; to: string }): SQL {
  const whole =
    kinds.length === 0 ? monthsWithin(from, to) : { months: null, days: [[from, to] as DateSpan] };
  const columns = sql.raw(book.hasQuantity ? "entries, amount_cents, quantity" : "entries, amount_cents");
  const part = (table: string, period: string, [first, last]: DateSpan) =>
    sql`SELECT ${columns} FROM ${name(table)} ${where([sql`${name(period)} BETWEEN ${first} AND ${last}`, ...kinds])}`;
  const parts = whole.days.map((span) => part(book.days, "day", span));
  if (whole.months) parts.push(part(book.months, "month", whole.months));
  return sql`(${sql.join(parts, sql` UNION ALL `)})`;
}
