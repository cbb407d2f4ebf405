import type { D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
// Loaded here, so that its time is not the first test's.
import "../../workers/app";

const { MIGRATIONS, DB } = env as Env & { MIGRATIONS: D1Migration[] };
// In one go: each file of tests has a database of its own, and statement by statement takes seconds.
await DB.batch(MIGRATIONS.flatMap(({ queries }) => queries.map((query) => DB.prepare(query))));
