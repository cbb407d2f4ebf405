// npm run test:lag: the API's tests and the journeys, on a database whose replica is 1 to 20 writes behind.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
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
const TITLES = { api: "API's tests", journeys: "journeys" };
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
let staleReads = 0;
const counter = createServer(async (request, response) => {
  staleReads += Number(await text(request));
  response.end();
});
await once(counter.listen(0, "127.0.0.1"), "listening");
const env = { ...ENV, LAG_SEED: seed, LAG_REPORT: `http://127.0.0.1:${counter.address().port}` };
for (const name of suite ? [suite] : Object.keys(SUITES)) {
  const [command, ...args] = SUITES[name];
  const chosen = files.length > 0 ? files : ALL_FILES[name];
  staleReads = 0;
  const [status] = await once(
    spawn(command, [...args, ...chosen], { cwd: ROOT, env, stdio: "inherit" }),
    "close",
  );
  console.log(`Lag: a replica that was behind has answered ${staleReads} reads of the ${TITLES[name]}`);
  // Tests without such a read say nothing about a replica.
  if (status !== 0 || staleReads === 0) process.exitCode = 1;
}
counter.close();
