import { type D1Migration, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";

const { MIGRATIONS, DB } = env as Env & { MIGRATIONS: D1Migration[] };
// The files share one workerd: each starts with empty storage.
await reset();
// In one batch: statement by statement takes seconds.
await DB.batch(MIGRATIONS.flatMap(({ queries }) => queries.map((query) => DB.prepare(query))));
