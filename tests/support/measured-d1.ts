/** Most that code asked of D1 in one invocation. */
export interface D1Most {
  /** Bytes of one bound value, and of one statement. */
  valueBytes: number;
  statementBytes: number;
  /** Parameters of one statement. */
  parameters: number;
  /** Statements, each of a batch counted. */
  queries: number;
}

const bytesOf = (value: unknown): number =>
  typeof value === "string"
    ? Buffer.byteLength(value)
    : value instanceof ArrayBuffer || ArrayBuffer.isView(value)
      ? value.byteLength
      : 8;

/** Wraps D1, with and without a session, and measures what it is asked. */
export function measuredD1(d1: D1Database): { database: D1Database; most: D1Most } {
  const most: D1Most = { valueBytes: 0, statementBytes: 0, parameters: 0, queries: 0 };
  const prepare = (source: Pick<D1Database, "prepare">) => (sql: string) => {
    most.queries++;
    most.statementBytes = Math.max(most.statementBytes, Buffer.byteLength(sql));
    const statement = source.prepare(sql);
    const bind = statement.bind.bind(statement);
    statement.bind = (...values: unknown[]) => {
      most.parameters = Math.max(most.parameters, values.length);
      most.valueBytes = Math.max(most.valueBytes, ...values.map(bytesOf));
      return bind(...values);
    };
    return statement;
  };
  const measured = {
    prepare: prepare(d1),
    batch: (statements: D1PreparedStatement[]) => d1.batch(statements),
    withSession: (bookmark: string) => {
      const session = d1.withSession(bookmark);
      return {
        prepare: prepare(session),
        batch: (statements: D1PreparedStatement[]) => session.batch(statements),
        getBookmark: () => session.getBookmark(),
      };
    },
  };
  return { database: measured as unknown as D1Database, most };
}
