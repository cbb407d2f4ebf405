import { Column, is, type SQL, sql } from "drizzle-orm";
import type { Db } from "./client.server";
import { inChunks, type ListReads, type ListWindow } from "./lists";

/** Declaration of a list. */
interface Declaration<Sort extends string> {
  table: string;
  /** Alias of the table in columns and conditions; by default its name. */
  as?: string;
  /** Columns of each order, none of them null; together they identify a row. */
  sorts: Record<Sort, readonly (string | SQL)[]>;
  /** Column that "row" of `found` names, by which a wide list finds its rows again; by default "row". */
  key?: string;
  /** Condition that joins `found` to the table; by default the key is its "row". */
  match?: SQL;
  /** Computes the columns for the rows of the window only: for columns that read other tables. */
  isWide?: boolean;
}

/** Selection of a list's rows. */
export interface Matching {
  /** Table expression with the alias `found` and the column "row": the rows that a search matches. */
  found?: SQL | undefined;
  /** Index to read; ignored where `found` selects the rows. */
  index?: string | undefined;
  where?: (SQL | undefined)[];
}

/** Columns of a list's rows, and their conversion. */
export interface Selection<Row> {
  columns: SQL;
  /** Converts a stored row. */
  view?: ((stored: Record<string, unknown>) => Row) | undefined;
}

/** Rows of a list, their order and columns. */
export interface ListQuery<Sort extends string, Row> extends Matching, Selection<Row> {
  sort: Sort;
  /** Order of the matches, which replaces that of `sort` and cannot be reversed; of a wide list by its own columns only. */
  ranked?: SQL[] | undefined;
}

/** Query in a declared order: chunks continue by its columns, which a ranking lacks. */
export type SortedQuery<Sort extends string, Row> = ListQuery<Sort, Row> & { ranked?: undefined };

/** Values of a row by which a list is sorted. */
type Position = unknown[];

const commaSeparated = (parts: SQL[]) => sql.join(parts, sql`, `);

/**
 * Declares a list: how its rows are found, sorted and continued.
 *
 * @returns `reads` for readListPage and readListWindow; `rows` of a window; `chunks` of all rows from an offset, for a file;
 * `from`, the FROM and WHERE of the matching rows, for a sum
 */
export const listOf = <Sort extends string>(list: Declaration<Sort>) => ({
  from: (matching: Matching): SQL => selectFrom(list, matching),

  rows: <Row>(db: Db, query: ListQuery<Sort, Row>, window: ListWindow) => readRows(db, list, query, window),

  reads: <Row, Matches>(
    db: Db,
    query: ListQuery<Sort, Row>,
    matches: () => Promise<Matches>,
  ): ListReads<Row, Matches> => ({
    rows: (window) => readRows(db, list, query, window),
    matches,
    isOneWay: query.ranked !== undefined,
  }),

  chunks: <Row>(
    db: Db,
    query: SortedQuery<Sort, Row>,
    { dir, offset = 0 }: Pick<ListWindow, "dir"> & { offset?: number },
  ) => readChunks(db, list, query, { dir, offset }),
});

type AnyDeclaration = Pick<Declaration<string>, "table" | "as" | "key" | "match">;

const nameOf = ({ table, as = table }: AnyDeclaration) => sql.identifier(as);
const keyOf = (list: AnyDeclaration) => sql`${nameOf(list)}.${sql.identifier(list.key ?? "row")}`;
const named = (list: AnyDeclaration) => sql`${sql.identifier(list.table)} AS ${nameOf(list)}`;

function selectFrom(list: AnyDeclaration, { found, index, where = [] }: Matching): SQL {
  const match = list.match ?? sql`${keyOf(list)} = found."row"`;
  // A cross join: SQLite would otherwise scan the table and look each row up among the matches.
  const source = found
    ? sql`${found} CROSS JOIN ${named(list)}`
    : sql`${named(list)}${index ? sql` INDEXED BY ${sql.identifier(index)}` : sql``}`;
  const conditions = [found && match, ...where].filter((condition) => condition !== undefined);
  return conditions.length > 0
    ? sql`FROM ${source} WHERE ${sql.join(conditions, sql` AND `)}`
    : sql`FROM ${source}`;
}

/** Returns the columns of an order. */
const keysOf = <Sort extends string>(list: Declaration<Sort>, sort: Sort): SQL[] =>
  list.sorts[sort].map((key) =>
    typeof key === "string" ? sql`${nameOf(list)}.${sql.identifier(key)}` : key,
  );

/** Selects a window. @param after position of the row that comes before the window; null for none */
function selectWindow<Sort extends string, Row>(
  list: Declaration<Sort>,
  { sort, ranked, columns, ...matching }: ListQuery<Sort, Row>,
  { limit, offset, dir }: ListWindow,
  after: Position | null,
): SQL {
  const keys = keysOf(list, sort);
  const [direction, beyond] = dir === "desc" ? [sql`DESC`, sql`<`] : [sql`ASC`, sql`>`];
  const order = commaSeparated(ranked ?? keys.map((key) => sql`${key} ${direction}`));
  const values = after?.map((value) => sql`${value}`);
  const isBehind = values && sql`(${commaSeparated(keys)}) ${beyond} (${commaSeparated(values)})`;
  const from = selectFrom(list, { ...matching, where: [...(matching.where ?? []), isBehind] });
  const rows = sql`${from} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`;
  if (!list.isWide) return sql`SELECT ${columns} ${rows}`;
  return sql`SELECT ${columns} FROM (SELECT ${keyOf(list)} AS at ${rows}) AS page
    CROSS JOIN ${named(list)} ON ${keyOf(list)} = page.at ORDER BY ${order}`;
}

type Stored = Record<string, unknown>;

const viewed = <Row>({ view }: Selection<Row>, rows: Stored[]) => (view ? rows.map(view) : (rows as Row[]));

async function readRows<Sort extends string, Row>(
  db: Db,
  list: Declaration<Sort>,
  query: ListQuery<Sort, Row>,
  window: ListWindow,
): Promise<Row[]> {
  return viewed(query, await db.all<Stored>(selectWindow(list, query, window, null)));
}

async function* readChunks<Sort extends string, Row>(
  db: Db,
  list: Declaration<Sort>,
  query: SortedQuery<Sort, Row>,
  { dir, offset }: Omit<ListWindow, "limit">,
): AsyncGenerator<Row[]> {
  const columns = sql`${query.columns}, json_array(${commaSeparated(keysOf(list, query.sort))}) AS position`;
  const chunks = inChunks<Stored & { position: string }>((last, limit) => {
    const after = last && (JSON.parse(last.position) as Position);
    const window = { limit, offset: after ? 0 : offset, dir };
    return db.all(selectWindow(list, { ...query, columns }, window, after));
  });
  for await (const chunk of chunks)
    yield viewed(
      query,
      chunk.map(({ position: _, ...row }) => row),
    );
}

/** Selects columns under the names of a row's fields, and decodes them as drizzle does. */
export function selection<Row>(fields: Record<keyof Row & string, Column | SQL>): Selection<Row> {
  const entries = Object.entries<Column | SQL>(fields);
  const decode = (field: Column | SQL, value: unknown) =>
    is(field, Column) && value !== null ? field.mapFromDriverValue(value) : value;
  return {
    columns: commaSeparated(entries.map(([as, field]) => sql`${field} AS ${sql.identifier(as)}`)),
    view: (stored: Record<string, unknown>) =>
      Object.fromEntries(entries.map(([as, field]) => [as, decode(field, stored[as])])) as Row,
  };
}
