import type { D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** Applies all migrations to the empty database, and records them as wrangler does. */
export async function migrate(): Promise<void> {
  const { MIGRATIONS, DB } = env as Env & { MIGRATIONS: D1Migration[] };
  const recorded = [
    "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)",
    ...MIGRATIONS.map(({ name }) => `INSERT INTO d1_migrations (name) VALUES ('${name}')`),
  ];
  const queries = [...MIGRATIONS.flatMap((migration) => migration.queries), ...recorded];
  // As one statement: the answers of hundreds take longer than the migrations.
  await DB.prepare(queries.join(";\n")).run();
}
