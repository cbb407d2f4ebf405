import type { SQL } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import type { Db } from "./client.server";

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
