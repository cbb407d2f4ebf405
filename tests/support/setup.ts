import { type D1Migration, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll } from "vitest";

const { MIGRATIONS, DB } = env as Env & { MIGRATIONS: D1Migration[] };
const recorded = [
  "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)",
  ...MIGRATIONS.map(({ name }) => `INSERT INTO d1_migrations (name) VALUES ('${name}')`),
];
// In one batch: statement by statement takes seconds.
await DB.batch([...MIGRATIONS.flatMap(({ queries }) => queries), ...recorded].map((query) => DB.prepare(query)));

// The files share one workerd: each leaves empty storage behind. Not at the start of the next one, because an object that
// an alarm or a call starts while the last file ends asks Vitest for its module, and the lost answer fails the run.
afterAll(reset);
