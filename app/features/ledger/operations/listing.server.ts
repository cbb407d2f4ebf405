import type { Db } from "~/db/client.server";
import { type ListReads, type ListWindow, readListWindow } from "~/db/lists";
import { FIRST_DAY, LAST_DAY } from "~/domain/calendar-day";
import { addDays, instantAt } from "~/domain/days";
import { DAY_SECONDS } from "~/domain/durations";
import type { StaffContext } from "~/http/operation.server";
import { readListPage } from "~/records/list-page.server";
import type { ListParams } from "~/ui/DataTable/list-params";
import {
  activeFilters,
  effectiveSort,
  entryQuery,
  type Filter,
  isSearch,
  listOfEntries,
  type Order,
  type Sums,
  sumEntries,
  sumMatches,
} from "../queries/list.server";
import type { EntryTable } from "../queries/tables.server";
import type { Direction } from "../schema";
import type { EntryPage, Listed } from "../views";

type Window = Pick<ListWindow, "limit" | "offset">;

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

/** Sums of the matching entries, and what the choice of an index takes. */
type Matches = { total: number; sums: Sums; sizes: Sizes };

/** Numbers of entries: matching, in the table, and found by the most selective filter's index. */
interface Sizes {
  total: number;
  all: number;
  indexed: number;
}

/** Returns how a list is read: by the order's index, or where filters make another one cheaper by that of a filter. */
function entryReads<Row>(db: Db, table: EntryTable, query: Query): ListReads<Listed<Row>, Matches> {
  const { filter } = query;
  const list = listOfEntries(table);
  const rowsBy = (index: string) => entryQuery<Row>(table, query, index);
  if (isSearch(filter))
    return list.reads(db, rowsBy(""), async () => withSizes(await sumMatches(db, table, filter)));
  return {
    needsMatches: filter.days !== null || Boolean(filter.tax) || activeFilters(table, filter).length > 0,
    rows(window, known) {
      const index = known ? cheaperIndex(table, query, window, known.sizes) : sortIndex(table, query);
      return list.rows(db, rowsBy(index), window);
    },
    async matches() {
      const filters = activeFilters(table, filter).length;
      const [sums, all, indexed] = await Promise.all([
        sumEntries(db, table, filter),
        this.needsMatches ? sumEntries(db, table, NO_FILTER) : null,
        filters > 1 ? sumEntries(db, table, indexedFilter(table, filter)) : null,
      ]);
      return withSizes(sums, all?.entries, indexed?.entries);
    },
  };
}

function withSizes(sums: Sums, all = sums.entries, indexed = sums.entries): Matches {
  return { total: sums.entries, sums, sizes: { total: sums.entries, all, indexed } };
}

/** Reads a window of a list for the API, with the number of all matches. */
export const readEntries = <Row>(
  db: Db,
  table: EntryTable,
  query: Query,
  window: Window,
): Promise<{ rows: Row[]; total: number }> =>
  readListWindow(entryReads<Row>(db, table, query), { ...window, dir: query.order.dir });

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
  const sort = effectiveSort(table, filter, order);
  return sort === "createdAt" ? filterIndex(table, filter) : (table.sorts[sort]?.index ?? "");
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

/** Reads the page that a list's URL names. @throws Response a redirect to the last page where it names a later one */
export async function readPage<Row>(
  context: StaffContext,
  table: EntryTable,
  params: ListParams,
): Promise<EntryPage<Row>> {
  const query = listQueryAt(table, params, context.settings.timezone);
  const { sizes: _, ...page } = await readListPage(
    context,
    params,
    entryReads<Row>(context.db, table, query),
  );
  return page;
}

/**
 * Reads all entries of a list in chunks.
 *
 * @param offset entries to skip
 */
export const readAll = <Row>(db: Db, table: EntryTable, query: Query, offset = 0): AsyncGenerator<Row[]> =>
  listOfEntries(table).chunks<Row>(db, entryQuery<Row>(table, query, sortIndex(table, query)), {
    dir: query.order.dir,
    offset,
  });
