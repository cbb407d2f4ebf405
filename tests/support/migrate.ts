import type { D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { LaggingD1 } from "./lagging-d1";

/** Characters of a statement, below D1's 100 kB. */
const MAX_LENGTH = 90_000;

/** Makes an empty database what all migrations make of it, and records them as wrangler does. */
export async function migrate(database: D1Database = env.DB): Promise<void> {
  LaggingD1.current?.restart();
  const { MIGRATIONS, MIGRATED } = env as Env & { MIGRATIONS: D1Migration[]; MIGRATED: string[] };
  const recorded = [
    "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)",
    ...MIGRATIONS.map(({ name }) => `INSERT INTO d1_migrations (name) VALUES ('${name}')`),
  ];
  // As few statements: the answers of hundreds take longer than the work.
  const statements = [""];
  for (const query of [...MIGRATED, ...recorded]) {
    const last = statements.at(-1) ?? "";
    if (last.length + query.length > MAX_LENGTH) statements.push(query);
    else statements[statements.length - 1] = last ? `${last};\n${query}` : query;
  }
  await database.batch(statements.map((statement) => database.prepare(statement)));
}
