import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { listOf, type Matching, type SortedQuery } from "~/db/list-of";
import { textMatches, textSearch } from "~/db/search";
import { searchKey } from "~/db/text";
import { type DateSpan, monthsWithin } from "~/domain/days";
import { searchedCents } from "~/domain/typed-amount";
import type { Direction } from "../schema";
import type { Listed } from "../views";
import type { EntryTable } from "./tables.server";

/** Filter of a list; null or "" does not filter. */
export interface Filter {
  /** NFC, lower case. */
  q: string;
  /** Values by filter name: category, paymentMode, businessType, expenseType. */
  equals: Record<string, string | null>;
  /** Local days, both included, and a wider range of epoch seconds for the index. */
  days: { from: string; to: string; earliest: number; latest: number } | null;
  /** Only entries that state a tax, or only those that state none. */
  tax?: "with" | "without" | null;
  /** Number of the document that the entries belong to. */
  document?: string | null;
}

export interface Order {
  /** Key of EntryTable.sorts. */
  sort: string;
  dir: Direction;
}

export interface Sums {
  entries: number;
  amountCents: number;
  /** Null where the sums do not hold it. */
  quantity: number | null;
  /** Of entries that were summed one by one; null where the totals do not hold it. */
  taxCents: number | null;
}

const identifier = sql.identifier;

/** Selects the columns of an entry under their camelCase names. */
export function entryColumns(table: EntryTable): SQL {
  const columns = Object.entries(table.columns).map(
    ([as, column]) => sql`${identifier(column)} AS ${identifier(as)}`,
  );
  return sql.join([sql`id, version`, ...columns], sql`, `);
}

/** Returns the active filters as [name, value], most selective first. */
export function activeFilters(table: EntryTable, { equals }: Filter): [string, string][] {
  return Object.keys(table.filters).flatMap((filter) => {
    const value = equals[filter];
    return value ? [[filter, value] as [string, string]] : [];
  });
}

const DOCUMENT_KEYS = [
  [sql.raw("created_at"), sql.raw("created_at")],
  [sql.raw("document_id"), sql.raw("id")],
] as const;

function conditions(table: EntryTable, filter: Filter): SQL[] {
  const { days, tax, document } = filter;
  const equal = activeFilters(table, filter).map(
    ([as, value]) => sql`${identifier(table.filters[as]?.column ?? as)} = ${value}`,
  );
  // As in the conditions of the indexes.
  if (tax) equal.push(tax === "with" ? sql`tax_cents <> 0` : sql.raw(table.statesNone));
  // By time as well, since the ledger has no index of documents.
  for (const [column, key] of document ? DOCUMENT_KEYS : [])
    equal.push(sql`${column} = (SELECT ${key} FROM documents WHERE number = ${document})`);
  if (!days) return equal;
  const within = sql`created_at BETWEEN ${days.earliest} AND ${days.latest}`;
  return [...equal, within, sql`day BETWEEN ${days.from} AND ${days.to}`];
}

/** Declares the list of a table, whose orders follow its indexes. */
export const listOfEntries = ({ name, sorts }: EntryTable) =>
  listOf({
    table: name,
    sorts: Object.fromEntries(
      Object.entries(sorts).map(([sort, { column }]) => [sort, [...new Set([column, "created_at", "row"])]]),
    ),
  });

/** Returns the order in which a list is read: by time where all matches have the same value in its column. */
export const effectiveSort = (table: EntryTable, filter: Filter, { sort }: Order): string =>
  sort in table.sorts && !filter.equals[sort] ? sort : "createdAt";

const where = (all: SQL[]) => (all.length > 0 ? sql`WHERE ${sql.join(all, sql` AND `)}` : sql``);

/** Builds the query of a list. @param index to read, in the order of the list or of a filter, whose entries are then sorted */
export const entryQuery = <Row>(
  table: EntryTable,
  { filter, order }: { filter: Filter; order: Order },
  index: string,
): SortedQuery<string, Listed<Row>> => ({
  ...(isSearch(filter) ? found(table, filter) : { index, where: conditions(table, filter) }),
  sort: effectiveSort(table, filter, order),
  columns: listedColumns(table),
  view: (stored) => withJoined<Listed<Row>>(table, stored),
});

/** Selects the columns of an entry, with what a list shows of other tables. */
export function listedColumns(table: EntryTable): SQL {
  const joined = Object.entries(table.joined ?? {}).map(
    ([as, expression]) => sql`${sql.raw(expression)} AS ${identifier(as)}`,
  );
  return sql.join([entryColumns(table), ...joined], sql`, `);
}

/** Parses what a row has of other tables, and leaves out what it has not. */
export function withJoined<Row>({ joined = {} }: EntryTable, stored: Record<string, unknown>): Row {
  const parsed = Object.entries(stored).flatMap(([name, value]) => {
    if (!(name in joined)) return [[name, value]];
    return value === null ? [] : [[name, JSON.parse(String(value))]];
  });
  return Object.fromEntries(parsed) as Row;
}

/** Conditions on the matches of a search; the index of words ignores punctuation in one or two characters. */
function foundConditions(table: EntryTable, filter: Filter): SQL[] {
  if (!filter.q) return conditions(table, filter);
  const q = searchKey(filter.q);
  const isWord = textSearch(q).index === "search" || /^[\p{L}\p{N}]+$/u.test(q);
  const all = conditions(table, filter);
  const amounts = ofAmount(filter);
  return isWord ? all : [...all, sql`(${containing(table, q)} OR ${amounts ?? sql`0`})`];
}

/** Condition on a text that one of the searched texts contains. */
const containing = ({ folded }: EntryTable, q: string): SQL =>
  sql.join(
    Object.values(folded).map((column) => sql`instr(${identifier(column)}, ${q}) > 0`),
    sql` OR `,
  );

/** Condition on the amount that is searched for; null for other text. A credit note's is negative. */
function ofAmount({ q }: Filter): SQL | null {
  const cents = searchedCents(searchKey(q));
  return cents === null ? null : sql`amount_cents IN ${cents}`;
}

/** Tells whether the matches are read one by one, not from the totals: of a search, a tax or a document. */
export const isSearch = ({ q, tax, document }: Filter) => Boolean(q || tax === "with" || document);

/**
 * Selects the matches of a search: text anywhere in descriptions and suppliers, or for one or two characters the beginnings of words; and
 * for an amount its entries. Without a search, those that state a tax or belong to a document.
 */
function found(table: EntryTable, filter: Filter): Matching {
  const { q, tax, document } = filter;
  const where = foundConditions(table, filter);
  const [first] = tax === "without" ? activeFilters(table, filter) : [];
  const untaxed = first ? table.filters[first[0]]?.index : table.untaxed;
  const index = document ? table.sorts.createdAt?.index : tax === "without" ? untaxed : table.taxed;
  if (!q && index) return { index, where };
  const amounts = ofAmount(filter);
  const byAmount =
    amounts &&
    sql`SELECT "row" FROM ${identifier(table.name)} INDEXED BY ${identifier(table.sorts.amount?.index ?? "")} WHERE ${amounts}`;
  return { found: textMatches(table.kind, q, byAmount ?? undefined), where };
}

/** Counts and sums the matches of a search, or the entries that state a tax or belong to a document. */
export function sumMatches(db: Db, table: EntryTable, filter: Filter): Promise<Sums> {
  const tax = table.taxed ? sql`coalesce(sum(tax_cents), 0)` : sql`NULL`;
  const from = listOfEntries(table).from(found(table, filter));
  return readSums(db, table, { entries: sql`count(*)`, tax }, from);
}

/** Counts and sums entries without a search, from the totals or from the sums of the months and days. */
export function sumEntries(db: Db, table: EntryTable, filter: Filter): Promise<Sums> {
  if (filter.tax === "without") return sumUntaxed(db, table, filter);
  const kinds = conditions(table, { ...filter, days: null });
  const { days } = filter;
  const from = days ? periods(table, kinds, days) : sql`FROM ${identifier(table.totals)} ${where(kinds)}`;
  return readSums(db, table, { entries: sql`coalesce(sum(entries), 0)`, tax: sql`NULL` }, from);
}

/** Counts and sums the entries that state no tax: from the sums of periods, which hold no filter but the business, or one by one. */
async function sumUntaxed(db: Db, table: EntryTable, filter: Filter): Promise<Sums> {
  const { businessType, ...others } = filter.equals;
  if (Object.values(others).some(Boolean)) return sumMatches(db, table, filter);
  const kind = table.kind === "invoice" ? "sale" : "expense";
  const business = businessType ? sql`business_type = ${businessType} AND` : sql``;
  const within = filter.days ? periodsWithin(filter.days) : sql`unit = 'all'`;
  const [sums] = await db.all<Omit<Sums, "quantity" | "taxCents">>(sql`
    SELECT coalesce(sum(entries - taxed), 0) AS entries, coalesce(sum(amount_cents - taxed_cents), 0) AS "amountCents"
    FROM ledger_periods WHERE kind = ${kind} AND ${business} (${within})`);
  return { entries: 0, amountCents: 0, ...sums, quantity: null, taxCents: null };
}

/** Selects the days and months that make up a span of days. */
function periodsWithin({ from, to }: { from: string; to: string }): SQL {
  const { months, days } = monthsWithin(from, to);
  const part = (unit: string, [first, last]: DateSpan) =>
    sql`(unit = ${unit} AND period BETWEEN ${first} AND ${last})`;
  const parts = [...days.map((span) => part("day", span)), ...(months ? [part("month", months)] : [])];
  return sql.join(parts, sql` OR `);
}

async function readSums(
  db: Db,
  table: EntryTable,
  { entries, tax }: { entries: SQL; tax: SQL },
  from: SQL,
): Promise<Sums> {
  const quantity = table.hasQuantity ? sql`coalesce(sum(quantity), 0)` : sql`0`;
  const [sums] = await db.all<Sums>(sql`
    SELECT ${entries} AS entries, coalesce(sum(amount_cents), 0) AS "amountCents", ${quantity} AS quantity,
      ${tax} AS "taxCents"
    ${from}`);
  return sums ?? { entries: 0, amountCents: 0, quantity: 0, taxCents: null };
}

/** Selects the sums that make up a span of days; monthly sums hold no categories. */
function periods(table: EntryTable, kinds: SQL[], { from, to }: { from: string; to: string }): SQL {
  const whole =
    kinds.length === 0 ? monthsWithin(from, to) : { months: null, days: [[from, to] as DateSpan] };
  const columns = sql.raw(table.hasQuantity ? "entries, amount_cents, quantity" : "entries, amount_cents");
  const part = (source: string, period: string, [first, last]: DateSpan) =>
    sql`SELECT ${columns} FROM ${identifier(source)} ${where([sql`${identifier(period)} BETWEEN ${first} AND ${last}`, ...kinds])}`;
  const parts = whole.days.map((span) => part(table.days, "day", span));
  if (whole.months) parts.push(part(table.months, "month", whole.months));
  return sql`FROM (${sql.join(parts, sql` UNION ALL `)})`;
}
