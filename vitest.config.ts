import { fileURLToPath } from "node:url";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";

const app = fileURLToPath(new URL("./app", import.meta.url));

/** Tests run inside workerd, with the real D1, R2, Images, rate limits and mail of wrangler.toml. */
export default defineConfig(async () => ({
  plugins: [
    cloudflareTest({
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: {
        bindings: {
          COOKIE_SECRET: "a secret that only tests know",
          MIGRATIONS: await readD1Migrations("./migrations"),
        },
      },
    }),
  ],
  resolve: { alias: { "~": app } },
  test: {
    include: [
      "app/**/*.test.ts",
      "workers/**/*.test.ts",
      "tests/api/**/*.test.ts",
      "tests/budgets/d1/**/*.test.ts",
    ],
    // The fuzz suite's seed: printed with its tests, chosen by FUZZ_SEED.
    provide: { fuzzSeed: Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31)) },
    setupFiles: ["./tests/support/setup.ts"],
    // Generous, since they must hold on a machine whose cores are taken; no test measures time.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Vitest would leave one of two cores idle.
    maxWorkers: 2,
    deps: { optimizer: { ssr: { enabled: true, include: ["@remix-run/cloudflare"] } } },
  },
}));
