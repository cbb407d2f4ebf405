/** Statement sent to D1. */
export interface RecordedStatement {
  sql: string;
  values: unknown[];
}

/**
 * Wraps D1 and records every statement that a session prepares; the check of the applied migrations, which a Worker makes
 * now and then, prepares its own without a session.
 *
 * @returns the wrapped database and the recorded statements
 */
export function recordedD1(database: D1Database): { database: D1Database; statements: RecordedStatement[] } {
  const statements: RecordedStatement[] = [];
  const record = (session: D1DatabaseSession): D1DatabaseSession =>
    ({
      prepare(sql: string) {
        const statement = session.prepare(sql);
        const recorded: RecordedStatement = { sql, values: [] };
        statements.push(recorded);
        const bind = statement.bind.bind(statement);
        statement.bind = (...values: unknown[]) => {
          recorded.values = values;
          return bind(...values);
        };
        return statement;
      },
      batch: (batch: D1PreparedStatement[]) => session.batch(batch),
      getBookmark: () => session.getBookmark(),
    }) as D1DatabaseSession;
  const wrapped = {
    prepare: (sql: string) => database.prepare(sql),
    batch: (batch: D1PreparedStatement[]) => database.batch(batch),
    withSession: (bookmark: string) => record(database.withSession(bookmark)),
  };
  return { database: wrapped as unknown as D1Database, statements };
}
