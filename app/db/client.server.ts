import { fillPlaceholders, type SQLWrapper } from "drizzle-orm";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import type { Author } from "./audit";
import { type D1Meter, isTransient, meteredD1 } from "./metered-d1.server";

/** Database client. It is opened without a schema, which Drizzle would process on every request for its relational `query`. */
export type Db = DrizzleD1Database & {
  $client: D1Database;
  /** Author of the client's writes in the audit log: the caller of an operation, else the system. */
  author: Author;
};

const SYSTEM: Author = { kind: "system", userId: null, sourceId: null };

/**
 * Opens D1 for one request or task and meters its cost.
 *
 * @param start first read: by default of the primary, so that withdrawn rights no longer count; with a bookmark of the
 *   nearest replica that is at least as new; with null of the nearest replica
 * @returns `db` for queries, `meter` with their cost so far, `bookmark()` for the cookie after a write
 */
export function openDb(
  d1: D1Database,
  start: D1SessionBookmark | "first-primary" | null = "first-primary",
): { db: Db; meter: D1Meter; bookmark: () => string | null } {
  const session = openSession(d1, start ?? "first-unconstrained");
  const { client, meter } = meteredD1(session);
  const db = Object.assign(drizzle(client), { author: SYSTEM });
  return { db, meter, bookmark: () => session.getBookmark() };
}

/**
 * Opens a session that goes on at the primary after an error: a write may have been refused because of another one, which
 * the reads that explain it must see, and the session's bookmark is older. At a bookmark that a browser has sent, the
 * primary answers as well when D1 refuses a read, as it may with the bookmark of another database.
 */
function openSession(
  d1: D1Database,
  start: string,
): Pick<D1DatabaseSession, "prepare" | "batch" | "getBookmark"> {
  let session = d1.withSession(start);
  let isAtBookmark = !start.startsWith("first-");
  let lastBookmark: string | null = null;
  return {
    prepare: (query) => session.prepare(query),
    getBookmark: () => session.getBookmark() ?? lastBookmark,
    async batch<Row>(statements: D1PreparedStatement[]) {
      try {
        return await session.batch<Row>(statements);
      } catch (error) {
        if (isTransient(error)) throw error;
        lastBookmark = session.getBookmark() ?? lastBookmark;
        session = d1.withSession("first-primary");
        if (!isAtBookmark) throw error;
        isAtBookmark = false;
        return session.batch<Row>(statements);
      }
    },
  };
}

/** Statement of `runBatch`. */
export type Statement = SQLWrapper;

const dialect = new SQLiteSyncDialect();

/**
 * Runs raw statements in order in one transaction and one round trip. (Drizzle's batch does not take raw statements with
 * parameters.)
 *
 * @returns each statement's rows
 */
export async function runBatch(db: Db, statements: Statement[]): Promise<Record<string, unknown>[][]> {
  const prepared = statements.map((statement) => {
    const { sql, params } = dialect.sqlToQuery(statement.getSQL());
    return db.$client.prepare(sql).bind(...params);
  });
  const results = await db.$client.batch<Record<string, unknown>>(prepared);
  return results.map(({ results: rows }) => rows);
}

/** Runs named statements in one transaction, like `runBatch`. @returns the rows by statement */
export async function runNamedBatch<Name extends string>(
  db: Db,
  statements: Record<Name, SQLWrapper>,
): Promise<Record<Name, Record<string, unknown>[]>> {
  const results = await runBatch(db, Object.values(statements));
  const rows = Object.keys(statements).map((name, i) => [name, results[i] ?? []]);
  return Object.fromEntries(rows) as Record<Name, Record<string, unknown>[]>;
}

/**
 * Caches a read per client, thus per request. A caller may start it together with an earlier read, to share its round trip.
 */
export function oncePerClient<Context extends { db: Db }, T>(
  read: (context: Context) => Promise<T>,
): (context: Context) => Promise<T> {
  const begun = new WeakMap<Db, Promise<T>>();
  return (context) => {
    const reading = begun.get(context.db) ?? read(context);
    begun.set(context.db, reading);
    // Callers that await the result get the error; one that only starts the read must not cause an unhandled rejection.
    reading.catch(() => undefined);
    return reading;
  };
}

interface BuiltQuery {
  toSQL(): { sql: string; params: unknown[] };
}

/**
 * Prepares a frequent query: its SQL is generated once in an isolate, and rows are returned as D1 sends them. Generating the
 * SQL on each request and mapping each value took a tenth of the time of rendering a page.
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
