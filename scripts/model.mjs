// npm run test:model: sends random histories of parallel requests through the API and compares the shop with a plain model.
import { spawnSync } from "node:child_process";
import { readArguments } from "./command-line.mjs";
import { ENV, ROOT } from "./local-shop.mjs";

const HELP = `Sends random histories of two sellers and two visitors in parallel, and compares the shop with a plain one (README, Tests).

  npm run test:model                         300 histories with a new seed
  npm run test:model -- --seed 7 --runs 30   the first 30 histories of seed 7
  npm run test:model -- --units --runs 1000  1,000 histories of a product with units, whose sums must agree`;

const { values } = readArguments(
  HELP,
  { seed: { type: "string" }, runs: { type: "string", default: "300" }, units: { type: "boolean" } },
  { numbers: ["seed"], counts: ["runs"] },
);
const { status } = spawnSync(
  "vitest",
  ["run", "--project", "worker", `tests/api/${values.units ? "unit" : "shop"}-model.test.ts`],
  {
    cwd: ROOT,
    env: { ...ENV, MODEL_RUNS: values.runs, ...(values.seed !== undefined && { MODEL_SEED: values.seed }) },
    stdio: "inherit",
  },
);
process.exitCode = status ?? 1;
