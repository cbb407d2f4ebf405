import { Column, is, type SQL, sql } from "drizzle-orm";
import type { Db } from "./client.server";
import { inChunks, type ListReads, type ListWindow } from "./lists";

/** Declaration of a list. */
interface Declaration<Sort extends string> {
  table: string;
  /** Name of the table in columns and conditions. */
  as?: string;
  /** Columns of each order; they tell all rows apart. */
  sorts: Record<Sort, readonly (string | SQL)[]>;
  /** Condition that joins `found` to the table. */
  match?: SQL;
  /** Columns that read other tables are computed for the rows of the window alone, not for all that are sorted. */
  isWide?: boolean;
}

/** Rows of a list. */
export interface Matching {
  /** Table `found` of what a search matches, with the column "row". */
  found?: SQL | undefined;
  /** Index to read, unless a search has found the rows. */
  index?: string | undefined;
  where?: (SQL | undefined)[];
}

/** Columns of a list's rows. */
export interface Selection<Row> {
  columns: SQL;
  /** Converts a stored row. */
  view?: ((stored: Record<string, unknown>) => Row) | undefined;
}

/** Rows of a list, their order and columns. */
export interface ListQuery<Sort extends string, Row> extends Matching, Selection<Row> {
  sort: Sort;
  /** Order of the matches, in place of a declared one. */
  ranked?: SQL[] | undefined;
}

/** Values of a row by which a list is sorted. */
type Position = unknown[];

const commaSeparated = (parts: SQL[]) => sql.join(parts, sql`, `);

/**
 * Declares a list: how its rows are found, sorted and continued.
 *
 * @returns `reads` for readListPage and readListWindow, `chunks` for a file, `rows`, and `from`, which selects the matching
 * rows for a sum
 */
export function listOf<Sort extends string>(declaration: Declaration<Sort>) {
  const { table, as = table, sorts, isWide = false } = declaration;
  const name = sql.identifier(as);
  const named = sql`${sql.identifier(table)} AS ${name}`;
  const match = declaration.match ?? sql`${name}."row" = found."row"`;
  const keysOf = (sort: Sort) =>
    sorts[sort].map((key) => (typeof key === "string" ? sql`${name}.${sql.identifier(key)}` : key));

  function from({ found, index, where = [] }: Matching): SQL {
    // A cross join: SQLite would otherwise scan the table and look each row up among the matches.
    const source = found
      ? sql`${found} CROSS JOIN ${named}`
      : sql`${named}${index ? sql` INDEXED BY ${sql.identifier(index)}` : sql``}`;
    const conditions = [found && match, ...where].filter((condition) => condition !== undefined);
    return conditions.length > 0
      ? sql`FROM ${source} WHERE ${sql.join(conditions, sql` AND `)}`
      : sql`FROM ${source}`;
  }

  function select<Row>(query: ListQuery<Sort, Row>, window: ListWindow, after: Position | null): SQL {
    const { sort, ranked, columns, where = [] } = query;
    const { limit, offset, dir } = window;
    const keys = keysOf(sort);
    const direction = sql.raw(dir === "desc" ? "DESC" : "ASC");
    const order = commaSeparated(ranked ?? keys.map((key) => sql`${key} ${direction}`));
    const values = after?.map((value) => sql`${value}`);
    const beyond =
      values &&
      sql`(${commaSeparated(keys)}) ${sql.raw(dir === "desc" ? "<" : ">")} (${commaSeparated(values)})`;
    const matching = from(beyond ? { ...query, where: [...where, beyond] } : query);
    const rows = sql`${matching} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`;
    if (!isWide) return sql`SELECT ${columns} ${rows}`;
    return sql`SELECT ${columns} FROM (SELECT ${name}."row" AS at ${rows}) AS page
      CROSS JOIN ${named} ON ${name}."row" = page.at ORDER BY ${order}`;
  }

  const viewed = <Row>({ view }: ListQuery<Sort, Row>, rows: Record<string, unknown>[]) =>
    view ? rows.map(view) : (rows as Row[]);

  async function rows<Row>(db: Db, query: ListQuery<Sort, Row>, window: ListWindow): Promise<Row[]> {
    return viewed(query, await db.all<Record<string, unknown>>(select(query, window, null)));
  }

  const reads = <Row, Matches>(
    db: Db,
    query: ListQuery<Sort, Row>,
    matches: () => Promise<Matches>,
  ): ListReads<Row, Matches> => ({
    rows: (window) => rows(db, query, window),
    matches,
    isRanked: query.ranked !== undefined,
  });

  async function* chunks<Row>(
    db: Db,
    query: ListQuery<Sort, Row>,
    { dir, offset = 0 }: Pick<ListWindow, "dir"> & { offset?: number },
  ): AsyncGenerator<Row[]> {
    const columns = sql`${query.columns}, json_array(${commaSeparated(keysOf(query.sort))}) AS position`;
    const parts = inChunks<Record<string, unknown> & { position: string }>((last, limit) => {
      const after = last && (JSON.parse(last.position) as Position);
      return db.all(select({ ...query, columns }, { limit, offset: after ? 0 : offset, dir }, after));
    });
    for await (const part of parts)
      yield viewed(
        query,
        part.map(({ position: _, ...row }) => row),
      );
  }

  return { from, rows, reads, chunks };
}

/** Columns of a list's rows by their names, and the view that decodes them. */
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
