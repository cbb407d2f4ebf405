import type { Db } from "~/db/client.server";
import { DAY_SECONDS } from "~/db/durations";
import { addDays, instantAt } from "~/domain/days";
import type { ListParams } from "~/ui/DataTable/list-params";
import {
  activeFilters,
  type Cursor,
  type Filter,
  findEntries,
  isSearch,
  type Order,
  orderColumns,
  type Stored,
  type Sums,
  searchEntries,
  sumEntries,
  sumMatches,
  type Window,
} from "../queries/list.queries.server";
import type { EntryTable } from "../queries/tables.server";
import type { Direction } from "../schema";
import type { ListPage } from "../views";

interface Query {
  filter: Filter;
  order: Order;
}

interface ListRequest {
  q: string;
  /** Default createdAt. */
  sort?: string | undefined;
  /** Default asc with a sort, desc without. */
  dir?: Direction | undefined;
  [filter: string]: unknown;
}

const NO_FILTER: Filter = { q: "", equals: {}, days: null };
const FIRST_DAY = "2000-01-01";
const LAST_DAY = "2099-12-31";

export function listQuery(table: EntryTable, request: ListRequest, timezone: string): Query {
  const { q, sort = "createdAt", dir = request.sort ? "asc" : "desc" } = request;
  const text = (name: string) => (typeof request[name] === "string" ? request[name] : null);
  const equals = Object.fromEntries(Object.keys(table.filters).map((name) => [name, text(name)]));
  const days = dateFilter(text("from"), text("to"), timezone);
  const filter = { q, equals, days, tax: taxFilter(table, text("tax")), document: text("document") };
  return { filter, order: { sort, dir } };
}

function taxFilter(table: EntryTable, tax: string | null): Filter["tax"] {
  if (tax === "without") return tax;
  return tax === "with" && table.taxed ? tax : null;
}

export function listQueryAt(table: EntryTable, { filters, ...params }: ListParams, timezone: string): Query {
  return listQuery(table, { ...filters, q: params.q, sort: params.sort, dir: params.dir }, timezone);
}

/** Builds a date filter; its range of instants is a day wider, since SHOP_TIMEZONE may have changed. */
function dateFilter(from: string | null, to: string | null, timezone: string): Filter["days"] {
  if (!from && !to) return null;
  const [first, last] = [from ?? FIRST_DAY, to ?? LAST_DAY];
  const earliest = instantAt(`${first}T00:00:00`, timezone) - DAY_SECONDS;
  const latest = instantAt(`${addDays(last, 1)}T00:00:00`, timezone) + DAY_SECONDS;
  return { from: first, to: last, earliest, latest };
}

/**
 * Reads a window of a list and the sums of all matches, in one D1 round trip for the first window without filters or
 * with a search, else in two.
 *
 * @param offset computes the beginning of the window from the number of matches (Infinity before it is known)
 */
export async function readWindow<Row>(
  db: Db,
  table: EntryTable,
  query: Query,
  limit: number,
  offset: (total: number) => number,
): Promise<{ rows: Stored<Row>[]; sums: Sums; offset: number }> {
  const { filter } = query;
  const firstOffset = offset(Number.POSITIVE_INFINITY);
  if (isSearch(filter)) {
    const read = (from: number) => searchEntries<Row>(db, table, query, { limit, offset: from });
    const [rows, sums] = await Promise.all([read(firstOffset), sumMatches(db, table, filter)]);
    const actualOffset = offset(sums.entries);
    return {
      rows: actualOffset === firstOffset ? rows : await read(actualOffset),
      sums,
      offset: actualOffset,
    };
  }
  const isFiltered = filter.days !== null || Boolean(filter.tax) || activeFilters(table, filter).length > 0;
  if (!isFiltered && firstOffset === 0) {
    const read = findEntries<Row>(db, table, query, sortIndex(table, query), { limit, offset: 0 });
    const [rows, sums] = await Promise.all([read, sumEntries(db, table, filter)]);
    return { rows, sums, offset: 0 };
  }
  const [sums, all, indexed] = await Promise.all([
    sumEntries(db, table, filter),
    isFiltered ? sumEntries(db, table, NO_FILTER) : null,
    activeFilters(table, filter).length > 1 ? sumEntries(db, table, indexedFilter(table, filter)) : null,
  ]);
  const window = { limit, offset: offset(sums.entries) };
  const total = sums.entries;
  const sizes = { total, all: all?.entries ?? total, indexed: indexed?.entries ?? total };
  return { rows: await readFromNearerEnd<Row>(db, table, query, window, sizes), sums, offset: window.offset };
}

/** Numbers of entries: matching, in the table, and found by the most selective filter's index. */
interface Sizes {
  total: number;
  all: number;
  indexed: number;
}

/** Reads a window from the nearer end of the list. */
async function readFromNearerEnd<Row>(
  db: Db,
  table: EntryTable,
  query: Query,
  { limit, offset }: Window,
  sizes: Sizes,
): Promise<Stored<Row>[]> {
  const left = sizes.total - offset;
  if (left <= 0) return [];
  const fromEnd = Math.max(0, left - limit);
  const isNearEnd = fromEnd < offset;
  const window = { limit: Math.min(limit, left), offset: isNearEnd ? fromEnd : offset };
  const index = cheaperIndex(table, query, window, sizes);
  if (!isNearEnd) return findEntries<Row>(db, table, query, index, window);
  const order: Order = { ...query.order, dir: query.order.dir === "asc" ? "desc" : "asc" };
  return (await findEntries<Row>(db, table, { ...query, order }, index, window)).toReversed();
}

/**
 * Chooses between scanning the sort's index and sorting what the filter's index finds: whichever reads fewer rows,
 * assuming that matches are spread evenly.
 */
function cheaperIndex(table: EntryTable, query: Query, { limit, offset }: Window, sizes: Sizes): string {
  const scanned = ((offset + limit) * sizes.all) / Math.max(1, sizes.total);
  return scanned <= sizes.indexed ? sortIndex(table, query) : filterIndex(table, query.filter);
}

/** Returns the index in the order of the list. */
function sortIndex(table: EntryTable, { filter, order }: Query): string {
  const isByTime = orderColumns(table, filter, order).length === 2;
  return isByTime ? filterIndex(table, filter) : (table.sorts[order.sort]?.index ?? "");
}

/** Returns the index of the most selective filter, in order of time. */
function filterIndex(table: EntryTable, filter: Filter): string {
  const first = activeFilters(table, filter)[0]?.[0];
  if (!first && filter.tax === "without") return table.untaxed;
  return (first ? table.filters[first] : table.sorts.createdAt)?.index ?? "";
}

/** Reduces a filter to the part that its index covers, and the dates. */
function indexedFilter(table: EntryTable, filter: Filter): Filter {
  return { ...filter, equals: Object.fromEntries(activeFilters(table, filter).slice(0, 1)) };
}

/** Reads one page of a list; a page past the end is the last one. */
export async function readPage<Row>(
  db: Db,
  table: EntryTable,
  params: ListParams,
  timezone: string,
): Promise<ListPage<Row>> {
  const { page, size } = params;
  const pageCount = (total: number) => Math.max(1, Math.ceil(total / size));
  const { rows, sums, offset } = await readWindow<Row>(
    db,
    table,
    listQueryAt(table, params, timezone),
    size,
    (total) => (Math.min(page, pageCount(total)) - 1) * size,
  );
  const { entries: total, amountCents, quantity, taxCents } = sums;
  return {
    rows: rows.map(withoutKeys<Row>),
    total,
    page: offset / size + 1,
    sums: { amountCents, quantity, taxCents },
  };
}

function withoutKeys<Row>({ row: _, sortKey: __, ...entry }: Stored<Row>): Row {
  return entry as Row;
}

/** Rows of a chunk, about 500 kB. */
export const CHUNK_ROWS = 2000;

/**
 * Reads all entries of a list in chunks, each from behind the last row of the one before.
 *
 * @param offset entries to skip
 */
export async function* readAll<Row>(
  db: Db,
  table: EntryTable,
  query: Query,
  offset = 0,
): AsyncGenerator<Row[]> {
  let after: Cursor | null = null;
  for (;;) {
    const window = { limit: CHUNK_ROWS, offset: after ? 0 : offset };
    const rows: Stored<Row & { createdAt: number }>[] = isSearch(query.filter)
      ? await searchEntries(db, table, query, window, after)
      : await findEntries(db, table, query, sortIndex(table, query), window, after);
    if (rows.length > 0) yield rows.map(withoutKeys<Row>);
    const last = rows.at(-1);
    if (!last || rows.length < CHUNK_ROWS) return;
    after = [last.sortKey, last.createdAt, last.row];
  }
}
