// npm run test:lag: the API's tests and the journeys, on a database whose replica is 1 to 20 writes behind.
import { spawnSync } from "node:child_process";
import { readArguments } from "./command-line.mjs";
import { ENV, ROOT } from "./local-shop.mjs";

const HELP = `Runs the API's tests and the journeys on a database whose replica is 1 to 20 writes behind (README, Tests).

  npm run test:lag                          both, with a new seed
  npm run test:lag -- --seed 7              with the lag of seed 7
  npm run test:lag -- api [FILE …]          the API's tests, or some of them
  npm run test:lag -- journeys [FILE …]     the journeys, or some of them`;

const SUITES = {
  api: ["vitest", "run", "--project", "worker", "--project", "many-chats"],
  journeys: ["playwright", "test", "--project=journeys"],
};
const ALL_FILES = { api: ["tests/api"], journeys: [] };

const { values, positionals } = readArguments(
  HELP,
  { seed: { type: "string" } },
  { positionals: true, numbers: ["seed"] },
);
const [suite, ...files] = positionals;
if (suite !== undefined && !(suite in SUITES)) {
  console.error(HELP);
  process.exit(2);
}
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31));
console.log(`Lag: seed ${seed} (--seed ${seed} repeats it)`);
for (const name of suite ? [suite] : Object.keys(SUITES)) {
  const [command, ...args] = SUITES[name];
  const { status } = spawnSync(command, [...args, ...(files.length > 0 ? files : ALL_FILES[name])], {
    cwd: ROOT,
    env: { ...ENV, LAG_SEED: seed },
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = 1;
}
