import { fileURLToPath } from "node:url";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig, type Plugin } from "vitest/config";
import { iconSprite } from "./scripts/icon-sprite";
import { TEST_CURRENCY } from "./tests/support/fixed-currency.mjs";
import { migratedSchema } from "./tests/support/migrated-schema";
import { newVapidKeys } from "./tests/support/vapid-keys";

const { publicKey, privateKey } = newVapidKeys();
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const alias = { "~/domain/currency": path(TEST_CURRENCY), "~": path("./app") };
/** Bundle that tests/support/current-build.ts writes. */
const WORKER = path("./.wrangler/test-worker/app.mjs");
/** Bundle that tests/simulation/current-bundle.ts writes. */
const SIMULATION = path("./.wrangler/simulation/tests.mjs");
/** Tests beside the code they test run in Node; those that need the Worker's bindings are named so. */
const WORKER_TESTS = [
  "app/**/*.worker.test.ts",
  "workers/**/*.test.ts",
  "tests/{api,budgets/d1,limits}/**/*.test.ts",
];

/** Packages of many files, or of CommonJS: as one file each. */
const PREBUNDLED = [
  "@remix-run/cloudflare",
  "drizzle-orm",
  "drizzle-orm/d1",
  "drizzle-orm/sqlite-core",
  "zod",
  "date-fns",
  "@date-fns/tz",
];

/**
 * Has workerd import the bundle itself. The pool's plugin sets `inline` to true, by which Vite transforms every module and
 * sends it through a socket: of this bundle 18 MB with its source map, which takes longer than most test files.
 */
const bundleAsItIs: Plugin = {
  name: "bundle-as-it-is",
  config: ({ test }) => {
    if (test?.server?.deps)
      test.server.deps = { inline: [/^(?!.*\/test-worker\/)/], external: [/\/test-worker\//] };
  },
};

/** Address of scripts/release.mjs while it records a release. */
const RECORDER = process.env.RELEASE_RECORDER ?? "";

/** Seed of the replica's lag in `npm run test:lag`. */
const LAG_SEED = process.env.LAG_SEED ? Number(process.env.LAG_SEED) : null;

/** Files that are about something else than what a lagging replica promises. */
const NOT_ON_LAG = [
  // How sessions of the binding are opened, which the replica's stand-in opens itself.
  "tests/api/d1-sessions.test.ts",
  // Has a replica of its own.
  "tests/api/lagging-d1.test.ts",
  // One D1 session for all steps, and reads of its own by it: no request has one.
  "tests/api/demo-sales.test.ts",
  "tests/api/sale-histories.test.ts",
  // Readers whom nothing identifies, who ask the inner entry point.
  "tests/api/page-purges.test.ts",
  // Replaces triggers, which the replica would have to get at once.
  "tests/api/colour-search.test.ts",
];

/** Generous, since they must hold on a busy machine; no test measures time. */
const TIMEOUTS = { testTimeout: 30_000, hookTimeout: 60_000, expect: { poll: { timeout: 15_000 } } };

const structure = {
  resolve: { alias },
  // The compiler that some of them use is loaded once.
  test: { name: "structure", include: ["tests/structure/**/*.test.ts"], isolate: false, ...TIMEOUTS },
};

/** Histories of the shop in Node, where clock, order and outcome of every call are a seed's (docs/simulation.md). */
const simulation = {
  resolve: { alias: { "simulation-under-test": SIMULATION } },
  test: {
    name: "simulation",
    include: ["tests/simulation/**/*.test.ts"],
    globalSetup: ["./tests/simulation/current-bundle.ts"],
    server: { deps: { external: [/\/\.wrangler\/simulation\//] } },
    ...TIMEOUTS,
  },
};

const unit = {
  // Writes the icons, which components import.
  plugins: [iconSprite()],
  resolve: { alias },
  test: {
    name: "unit",
    include: ["app/**/*.test.ts"],
    exclude: WORKER_TESTS,
    setupFiles: ["./tests/support/console.ts", "./tests/support/workerd-globals.ts"],
    isolate: false,
    ...TIMEOUTS,
  },
};

const MIGRATIONS = await readD1Migrations("./migrations");
/** Statements that make an empty database what the migrations make of it. */
const MIGRATED = migratedSchema(MIGRATIONS);

/** Test of 200 chats, whose objects stay in memory: each that is evicted takes 100 ms and more to be loaded again. */
const MANY_CHATS = "tests/api/backup.test.ts";
const kept = (className: string) => ({ className, useSQLite: true, unsafePreventEviction: true });

/** Inside workerd, with the real D1, R2, Images, rate limits and mail of wrangler.toml, on a build of the current source. */
const worker = (name: string, files: { include: string[]; exclude?: string[] }, objects = {}) => ({
  plugins: [
    cloudflareTest({
      main: WORKER,
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: {
        durableObjects: objects,
        // Replica of tests/support/lagging-d1.ts.
        d1Databases: { DB_REPLICA: "replica" },
        bindings: {
          COOKIE_SECRET: "a secret that only tests know and that is long enough",
          // Few, so that tests reach them.
          LIVE_CONNECTIONS_OF_A_PERSON: "8",
          LIVE_CONNECTIONS_OF_AN_ADDRESS: "20",
          BACKUP_KEY: "a key that only tests know, of 32 bytes or more",
          VAPID_PUBLIC_KEY: publicKey,
          VAPID_PRIVATE_KEY: privateKey,
          MIGRATIONS,
          MIGRATED,
        },
      },
    }),
    bundleAsItIs,
  ],
  resolve: { alias: { ...alias, "worker-under-test": WORKER } },
  test: {
    name,
    ...files,
    globalSetup: ["./tests/support/current-build.ts"],
    setupFiles: ["./tests/support/console.ts", "./tests/support/setup.ts"],
    // Loads the Worker once for all files; setup.ts empties its storage before each.
    isolate: false,
    // Printed with the fuzz tests; FUZZ_SEED repeats a run.
    provide: {
      fuzzSeed: Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31)),
      fuzzBodies: Number(process.env.FUZZ_BODIES ?? 5),
      modelSeed: Number(process.env.MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31)),
      saleHistories: Number(process.env.SALE_HISTORIES ?? 200),
      modelRuns: Number(process.env.MODEL_RUNS ?? 30),
      recorder: RECORDER,
      lagSeed: LAG_SEED,
      lagReport: process.env.LAG_REPORT ?? "",
    },
    deps: { optimizer: { ssr: { enabled: true, include: PREBUNDLED } } },
    // A log of work that outlasts the last test would be sent through a connection that closes, which fails the run.
    disableConsoleIntercept: true,
    ...TIMEOUTS,
  },
});

export default defineConfig({
  // Vitest would leave one of two cores idle.
  test: {
    maxWorkers: 2,
    projects: [
      structure,
      unit,
      simulation,
      worker("worker", {
        include: WORKER_TESTS,
        exclude: [MANY_CHATS, ...(LAG_SEED === null ? [] : NOT_ON_LAG)],
      }),
      ...(RECORDER ? [worker("recording", { include: ["tests/releases/record.ts"] })] : []),
      worker("many-chats", { include: [MANY_CHATS] }, { CHAT_ROOM: kept("ChatRoom") }),
    ],
  },
});
