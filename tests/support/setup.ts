import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, vi } from "vitest";

const { MIGRATIONS, DB } = env as Env & { MIGRATIONS: D1Migration[] };
await applyD1Migrations(DB, MIGRATIONS);

beforeEach(() => {
  vi.spyOn(console, "error");
});

/** What the shop logs as an error is a defect, unless a test says that it provokes it. */
afterEach(() => {
  expect(console.error, "an unexpected console.error").not.toHaveBeenCalled();
  vi.restoreAllMocks();
});
