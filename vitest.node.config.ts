import { defineConfig } from "vitest/config";

/** Tests that read the files or drive a browser; the shop they visit is started once for all of them. */
export default defineConfig({
  test: {
    include: ["tests/structure/**/*.test.ts", "tests/budgets/shipped/**/*.test.ts", "tests/e2e/**/*.test.ts"],
    globalSetup: ["./tests/support/running-shop.ts"],
    fileParallelism: false,
    // What a poll waits for comes late on a machine whose cores are taken; a second is vitest's own limit.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 60_000,
    // A browser on a machine whose cores are taken may lose a step; what is broken fails each time. The report names it.
    retry: 2,
    hookTimeout: 120_000,
  },
});
