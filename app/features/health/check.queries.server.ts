/** Reads the rows of all statements, as they are at one moment. */
export async function readRows(database: D1Database, statements: string[]): Promise<unknown[]> {
  const answers = await database.batch(statements.map((statement) => database.prepare(statement)));
  return answers.flatMap(({ results }) => results);
}
