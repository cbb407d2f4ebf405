import { fillPlaceholders, type SQLWrapper } from "drizzle-orm";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import type { Author } from "./audit";
import { type D1Meter, meteredD1 } from "./metered-d1.server";

/** Database client, opened without a schema: Drizzle's relational `query` would walk it on every request. */
export type Db = DrizzleD1Database & {
  $client: D1Database;
  /** Author of the changes that are written with it; an operation sets the caller. */
  author: Author;
};

const SYSTEM: Author = { kind: "system", userId: null, sourceId: null };

/**
 * Opens D1 for one request or task and meters its cost.
 *
 * @param start by default the first read is of what was written last, so that no withdrawn right counts; with a bookmark
 *   the nearest replica answers that is at least as new, with null any
 * @returns `db` for queries, `meter` with their cost so far, `bookmark()` for the cookie after a write
 */
export function openDb(
  d1: D1Database,
  start: D1SessionBookmark | "first-primary" | null = "first-primary",
): { db: Db; meter: D1Meter; bookmark: () => string | null } {
  const session = d1.withSession(start ?? "first-unconstrained");
  const { client, meter } = meteredD1(session);
  const db = Object.assign(drizzle(client), { author: SYSTEM });
  return { db, meter, bookmark: () => session.getBookmark() };
}

const dialect = new SQLiteSyncDialect();

/**
 * Runs raw statements in order in one transaction and one round trip. (Drizzle's batch does not take raw statements with
 * parameters.)
 *
 * @returns each statement's rows
 */
export async function batched(db: Db, statements: SQLWrapper[]): Promise<Record<string, unknown>[][]> {
  const prepared = statements.map((statement) => {
    const { sql, params } = dialect.sqlToQuery(statement.getSQL());
    return db.$client.prepare(sql).bind(...params);
  });
  const results = await db.$client.batch<Record<string, unknown>>(prepared);
  return results.map(({ results: rows }) => rows);
}

/** Runs named statements as `batched` does. @returns each statement's rows by its name */
export async function batchedByName<Name extends string>(
  db: Db,
  statements: Record<Name, SQLWrapper>,
): Promise<Record<Name, Record<string, unknown>[]>> {
  const results = await batched(db, Object.values(statements));
  const rows = Object.keys(statements).map((name, i) => [name, results[i] ?? []]);
  return Object.fromEntries(rows) as Record<Name, Record<string, unknown>[]>;
}

interface BuiltQuery {
  toSQL(): { sql: string; params: unknown[] };
}

/**
 * Prepares a frequent query: its SQL is generated once per isolate, and rows are returned as D1 sends them. Drizzle
 * generates the SQL on each request and maps every value, which took a tenth of the time of rendering a page.
 *
 * @param build builds the query with `sql.placeholder(name)` for its parameters; column names are the rows' keys
 * @returns function that runs the query with parameters by name
 */
export function preparedQuery<Row>(build: (db: Db) => BuiltQuery) {
  let prepared: ReturnType<BuiltQuery["toSQL"]> | undefined;
  return async (db: Db, values: Record<string, unknown> = {}): Promise<Row[]> => {
    prepared ??= build(db).toSQL();
    const bound = fillPlaceholders(prepared.params, values);
    const { results } = await db.$client
      .prepare(prepared.sql)
      .bind(...bound)
      .all<Row>();
    return results;
  };
}
