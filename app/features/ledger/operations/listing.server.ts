import type { Db } from "~/db/client.server";
import { dayAfter, instantOf } from "../days";
import type { ListParams } from "../list-params";
import {
  type Cursor,
  type Filter,
  findEntries,
  type Order,
  orderColumns,
  type Stored,
  type Sums,
  searchEntries,
  setFilters,
  sumEntries,
  sumFound,
  type Window,
} from "../queries/list.queries.server";
import type { EntryTable } from "../queries/tables.server";
import type { Direction } from "../schema";
import type { ListPage } from "../views";

/** A list as it was asked for, of a book. */
export interface Query {
  filter: Filter;
  order: Order;
}

/** What a list is asked for; each filter by its name. */
interface Asked {
  q: string;
  /** createdAt unless said. */
  sort?: string | undefined;
  /** Newest first where no sort is said; a sort begins ascending (back office 4). */
  dir?: Direction | undefined;
  [filter: string]: unknown;
}

const NO_FILTER: Filter = { q: "", equals: {}, days: null };
const DAY = 86_400;
const FIRST_DAY = "2000-01-01";
const LAST_DAY = "2099-12-31";

/** What descriptions are compared by: NFC, lower case. */
export function searchKey(text: string): string {
  return text
    .normalize("NFC")
    .toLowerCase()
    .replace(/\p{Cc}/gu, " ")
    .trim();
}

/** What a list is asked for, whether by the API or by its place in an address. */
export function queryOf(book: EntryTable, asked: Asked, timezone: string): Query {
  const { q, sort = "createdAt", dir = asked.sort ? "asc" : "desc" } = asked;
  const said = (name: string) => (typeof asked[name] === "string" ? asked[name] : null);
  const equals = Object.fromEntries(Object.keys(book.filters).map((name) => [name, said(name)]));
  const days = daysOf(said("from"), said("to"), timezone);
  return { filter: { q: searchKey(q), equals, days }, order: { sort, dir } };
}

/** The same for a place in an address. */
export function queryAt(book: EntryTable, { filters, ...params }: ListParams, timezone: string): Query {
  return queryOf(book, { ...filters, q: params.q, sort: params.sort, dir: params.dir }, timezone);
}

/** The times around the days are wide enough for a shop that has moved to another time zone. */
function daysOf(from: string | null, to: string | null, timezone: string): Filter["days"] {
  if (!from && !to) return null;
  const [first, last] = [from ?? FIRST_DAY, to ?? LAST_DAY];
  const earliest = instantOf(`${first}T00:00:00`, timezone) - DAY;
  const latest = instantOf(`${dayAfter(last, 1)}T00:00:00`, timezone) + DAY;
  return { from: first, to: last, earliest, latest };
}

/**
 * A window of a list and the sums of all that match.
 *
 * @param offset where the window begins, once it is known how many match (Infinity: as if there were enough)
 * @returns one D1 round trip without filters or with a search, where the first window is asked for; else two
 */
export async function readWindow<Row>(
  db: Db,
  book: EntryTable,
  query: Query,
  limit: number,
  offset: (total: number) => number,
): Promise<{ rows: Stored<Row>[]; sums: Sums; offset: number }> {
  const { filter } = query;
  const asked = offset(Number.POSITIVE_INFINITY);
  if (filter.q) {
    const read = (from: number) => searchEntries<Row>(db, book, query, { limit, offset: from });
    const [rows, sums] = await Promise.all([read(asked), sumFound(db, book, filter)]);
    const fits = offset(sums.entries);
    return { rows: fits === asked ? rows : await read(fits), sums, offset: fits };
  }
  const isFiltered = filter.days !== null || setFilters(book, filter).length > 0;
  if (!isFiltered && asked === 0) {
    const read = findEntries<Row>(db, book, query, walkIndex(book, query), { limit, offset: 0 });
    const [rows, sums] = await Promise.all([read, sumEntries(db, book, filter)]);
    return { rows, sums, offset: 0 };
  }
  const [sums, all, reach] = await Promise.all([
    sumEntries(db, book, filter),
    isFiltered ? sumEntries(db, book, NO_FILTER) : null,
    setFilters(book, filter).length > 1 ? sumEntries(db, book, withinReach(book, filter)) : null,
  ]);
  const window = { limit, offset: offset(sums.entries) };
  const total = sums.entries;
  const sizes = { total, all: all?.entries ?? total, reach: reach?.entries ?? total };
  return { rows: await readFromNearerEnd<Row>(db, book, query, window, sizes), sums, offset: window.offset };
}

/** How many entries match, are in the book, and are found by the best filter's index. */
interface Sizes {
  total: number;
  all: number;
  reach: number;
}

/** Reads a window from the end of the list that is nearer to it. */
async function readFromNearerEnd<Row>(
  db: Db,
  book: EntryTable,
  query: Query,
  { limit, offset }: Window,
  sizes: Sizes,
): Promise<Stored<Row>[]> {
  const left = sizes.total - offset;
  if (left <= 0) return [];
  const behind = Math.max(0, left - limit);
  const isFar = behind < offset;
  const window = { limit: Math.min(limit, left), offset: isFar ? behind : offset };
  const index = cheaperIndex(book, query, window, sizes);
  if (!isFar) return findEntries<Row>(db, book, query, index, window);
  const order: Order = { ...query.order, dir: query.order.dir === "asc" ? "desc" : "asc" };
  return (await findEntries<Row>(db, book, { ...query, order }, index, window)).toReversed();
}

/**
 * Along the sort's index, leaving out what doesn't match, or all that the best filter finds, sorted: whichever reads
 * less, if what matches is spread evenly.
 */
function cheaperIndex(book: EntryTable, query: Query, { limit, offset }: Window, sizes: Sizes): string {
  const walked = ((offset + limit) * sizes.all) / Math.max(1, sizes.total);
  return walked <= sizes.reach ? walkIndex(book, query) : filterIndex(book, query.filter);
}

/** The index that a list is read along in its order. */
function walkIndex(book: EntryTable, { filter, order }: Query): string {
  const isByTime = orderColumns(book, filter, order).length === 2;
  return isByTime ? filterIndex(book, filter) : (book.sorts[order.sort]?.index ?? "");
}

/** The index that finds what the most telling filter lets through, in order of time. */
function filterIndex(book: EntryTable, filter: Filter): string {
  const best = setFilters(book, filter)[0]?.[0];
  return (best ? book.filters[best] : book.sorts.createdAt)?.index ?? "";
}

/** Only what that index sees: its own filter and the days. */
function withinReach(book: EntryTable, filter: Filter): Filter {
  return { ...filter, equals: Object.fromEntries(setFilters(book, filter).slice(0, 1)) };
}

/**
 * One page of a list for its screen. A page past the last one is read as the last.
 */
export async function readPage<Row>(
  db: Db,
  book: EntryTable,
  params: ListParams,
  timezone: string,
): Promise<ListPage<Row>> {
  const { page, size } = params;
  const lastOf = (total: number) => Math.max(1, Math.ceil(total / size));
  const { rows, sums, offset } = await readWindow<Row>(
    db,
    book,
    queryAt(book, params, timezone),
    size,
    (total) => (Math.min(page, lastOf(total)) - 1) * size,
  );
  const { entries: total, amountCents, quantity } = sums;
  return {
    rows: rows.map(withoutPlace<Row>),
    total,
    page: offset / size + 1,
    pages: lastOf(total),
    sums: { amountCents, quantity },
  };
}

/** An entry without what only its list needs. */
function withoutPlace<Row>({ row: _, sortKey: __, ...entry }: Stored<Row>): Row {
  return entry as Row;
}

/** Rows that are read at a time where all are wanted: about 500 kB. */
export const CHUNK = 2000;

/**
 * All entries of a list, chunk by chunk, each read from where the one before ended.
 *
 * @param offset entries left out at the beginning
 */
export async function* readAll<Row>(
  db: Db,
  book: EntryTable,
  query: Query,
  offset = 0,
): AsyncGenerator<Row[]> {
  let after: Cursor | null = null;
  for (;;) {
    const window = { limit: CHUNK, offset: after ? 0 : offset };
    const rows: Stored<Row & { createdAt: number }>[] = query.filter.q
      ? await searchEntries(db, book, query, window, after)
      : await findEntries(db, book, query, walkIndex(book, query), window, after);
    if (rows.length > 0) yield rows.map(withoutPlace<Row>);
    const last = rows.at(-1);
    if (!last || rows.length < CHUNK) return;
    after = [last.sortKey, last.createdAt, last.row];
  }
}
