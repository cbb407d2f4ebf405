import "./tests/support/fixed-currency.mjs";
import { defineConfig } from "@playwright/test";
import { findBrowsers } from "./scripts/find-browser.mjs";

// Workers load this file too, and inherit the paths that the runner has found.
Object.assign(process.env, await findBrowsers());

/** Playwright's own, which name a mouse and are replaced by ours; lists load the images in sight and none further down. */
const BLINK_SETTINGS = [
  "primaryHoverType=2",
  "availableHoverTypes=2",
  "primaryPointerType=4",
  "availablePointerTypes=4",
  "lazyLoadingImageMarginPx4G=0",
].join(",");

/** Tests of the commands, which start their shops themselves. */
const DRILLS = ["e2e/live/{archives,crash-recovery,start}.test.ts", "budgets/shipped/deploy*.test.ts"];

/**
 * Journeys through a running shop: each worker serves a shop of its own, from a copy of one seeded state. Drills come first:
 * between two journeys they would end a worker, and starting its shop again takes a core 8 s. The project `dev` drives
 * `npm run dev` by itself (`npm run test:dev`): its Vite compiles pages on demand, which starves others.
 */
export default defineConfig({
  testDir: "tests",
  projects: [
    { name: "drills", testMatch: DRILLS },
    {
      name: "journeys",
      testMatch: ["e2e/**/*.test.ts", "budgets/shipped/**/*.test.ts"],
      testIgnore: ["e2e/dev/**", ...DRILLS],
    },
    { name: "dev", testMatch: "e2e/dev/**/*.test.ts" },
  ],
  globalSetup: "./tests/support/seeded-state.ts",
  workers: 2,
  retries: 0,
  // Generous, since journeys must hold on a busy machine.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: {
    // Recording takes a quarter of the time; `npx playwright test FILE --trace on` shows a failure step by step.
    trace: "off",
    launchOptions: {
      executablePath: process.env.HEADLESS_SHELL_PATH,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        // Processes of their own for both would take a tenth of the time.
        "--in-process-gpu",
        "--enable-features=NetworkServiceInProcess",
        `--blink-settings=${BLINK_SETTINGS}`,
      ],
    },
  },
});
