/** A statement as it went to D1. */
export interface RecordedStatement {
  sql: string;
  values: unknown[];
}

/**
 * D1 with an ear: sessions of the returned database note every statement that is prepared.
 *
 * @param database the real one
 * @returns the database to hand to the Worker, and the notes
 */
export function recordedD1(database: D1Database): { database: D1Database; statements: RecordedStatement[] } {
  const statements: RecordedStatement[] = [];
  const listen = (session: D1DatabaseSession): D1DatabaseSession =>
    ({
      prepare(sql: string) {
        const statement = session.prepare(sql);
        const note: RecordedStatement = { sql, values: [] };
        statements.push(note);
        const bind = statement.bind.bind(statement);
        statement.bind = (...values: unknown[]) => {
          note.values = values;
          return bind(...values);
        };
        return statement;
      },
      batch: (batch: D1PreparedStatement[]) => session.batch(batch),
      getBookmark: () => session.getBookmark(),
    }) as D1DatabaseSession;
  const heard = { withSession: (bookmark: string) => listen(database.withSession(bookmark)) };
  return { database: heard as unknown as D1Database, statements };
}
