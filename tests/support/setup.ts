import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, type MockInstance, vi } from "vitest";

const { MIGRATIONS, DB } = env as Env & { MIGRATIONS: D1Migration[] };
await applyD1Migrations(DB, MIGRATIONS);

let logged: MockInstance<typeof console.error>;

beforeEach(() => {
  logged = vi.spyOn(console, "error").mockClear();
});

/** What the shop logs as an error is a defect, unless a test says that it provokes it. */
afterEach(() => {
  expect(logged.mock.calls, "an unexpected console.error").toEqual([]);
  vi.restoreAllMocks();
});
