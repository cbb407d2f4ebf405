import { fillPlaceholders, type SQL } from "drizzle-orm";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { type D1Meter, meteredD1 } from "./metered-d1.server";

/** The shop's database as queries see it. Without drizzle's `query`, which costs every request a walk of the schema. */
export type Db = DrizzleD1Database & { $client: D1Database };

/**
 * Opens D1 for one request: nearest replica that is at least as new as `bookmark`, every read and write counted.
 *
 * @param d1 the binding
 * @param bookmark from the bookmark cookie, or null for a reader who has written nothing lately
 * @returns `db` for queries, `meter` with what they cost so far, `bookmark()` for the cookie after a write
 */
export function openDb(
  d1: D1Database,
  bookmark: string | null,
): { db: Db; meter: D1Meter; bookmark: () => string | null } {
  const session = d1.withSession(bookmark ?? "first-unconstrained");
  const { client, meter } = meteredD1(session);
  return { db: drizzle(client), meter, bookmark: () => session.getBookmark() };
}

const dialect = new SQLiteSyncDialect();

/**
 * Runs written-out statements in one transaction and one round trip, in their order; all of them hold or none.
 * (Drizzle's own batch can't carry written-out statements with values.)
 *
 * @returns each statement's rows
 */
export async function batched(db: Db, statements: SQL[]): Promise<Record<string, unknown>[][]> {
  const prepared = statements.map((statement) => {
    const { sql, params } = dialect.sqlToQuery(statement);
    return db.$client.prepare(sql).bind(...params);
  });
  const results = await db.$client.batch<Record<string, unknown>>(prepared);
  return results.map(({ results: rows }) => rows);
}

/** A query as drizzle builds it. */
interface Built {
  toSQL(): { sql: string; params: unknown[] };
}

/**
 * A query that a page asks each time it is made: its SQL is written once for as long as the Worker lives, and its rows
 * are handed on as D1 gives them. Drizzle writes it anew for each request and maps each value of each row, which took
 * as long as a tenth of rendering the page.
 *
 * @param build the query with `sql.placeholder(name)` for its values; each of its columns is named as the rows' keys are
 * @returns asks it with values by name
 */
export function preparedQuery<Row>(build: (db: Db) => Built) {
  let kept: ReturnType<Built["toSQL"]> | undefined;
  return async (db: Db, values: Record<string, unknown> = {}): Promise<Row[]> => {
    kept ??= build(db).toSQL();
    const bound = fillPlaceholders(kept.params, values);
    const { results } = await db.$client
      .prepare(kept.sql)
      .bind(...bound)
      .all<Row>();
    return results;
  };
}
