import type { D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";

const { MIGRATIONS, DB } = env as Env & { MIGRATIONS: D1Migration[] };
// In one batch: each test file has a database of its own, and statement by statement takes seconds.
await DB.batch(MIGRATIONS.flatMap(({ queries }) => queries.map((query) => DB.prepare(query))));
