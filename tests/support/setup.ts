import type { D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, type MockInstance, vi } from "vitest";

const { MIGRATIONS, DB } = env as Env & { MIGRATIONS: D1Migration[] };
// In one go: each file of tests has a database of its own, and statement by statement takes seconds.
await DB.batch(MIGRATIONS.flatMap(({ queries }) => queries.map((query) => DB.prepare(query))));

let logged: MockInstance<typeof console.error>;

beforeEach(() => {
  logged = vi.spyOn(console, "error").mockClear();
});

/** What the shop logs as an error is a defect, unless a test says that it provokes it. */
afterEach(() => {
  expect(logged.mock.calls, "an unexpected console.error").toEqual([]);
  vi.restoreAllMocks();
});
