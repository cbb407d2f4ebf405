import { afterEach, beforeEach, expect, type MockInstance, vi } from "vitest";

let logged: MockInstance<typeof console.error>;

beforeEach(() => {
  logged = vi.spyOn(console, "error").mockClear();
});

/** Fails a test that logs an error, unless it clears the mock because it provokes one. */
afterEach(() => {
  expect(logged.mock.calls, "an unexpected console.error").toEqual([]);
  vi.restoreAllMocks();
});
