// npm run test:simulation: runs random histories of the shop, in which calls fail, answers are lost and objects are evicted.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { bundleSimulation, plantedBugs, readPatch } from "../tests/simulation/runtime/bundle.mjs";
import { readArguments } from "./command-line.mjs";

const HELP = `Runs random histories of the shop and checks its invariants after each step (docs/simulation.md).

  npm run test:simulation                              10,000 histories of 40 steps with a new seed
  npm run test:simulation -- --seed 7 --runs 200       the first 200 histories of seed 7
  npm run test:simulation -- --seed 7 --path 41        that one history, with everything that happened in it
  npm run test:simulation -- --steps 10000 --runs 1    one history of 10,000 steps
  npm run test:simulation -- --twice --runs 100        each history twice, whose traces must be equal
  npm run test:simulation -- --planted                 histories until each planted bug is found (at most 2,000)
  npm run test:simulation -- --planted NAME            the same for one of them`;

const ROOT = join(import.meta.dirname, "..");
const { values, positionals } = readArguments(
  HELP,
  {
    seed: { type: "string" },
    runs: { type: "string" },
    steps: { type: "string", default: "40" },
    path: { type: "string" },
    twice: { type: "boolean", default: false },
    planted: { type: "boolean", default: false },
  },
  { positionals: true, numbers: ["seed", "runs", "steps", "path"] },
);
const unknown = positionals.filter((name) => !values.planted || !plantedBugs().includes(name));
if (unknown.length > 0) {
  console.error(`There is no planted bug ${unknown.join(", ")}: ${plantedBugs().join(", ")}\n\n${HELP}`);
  process.exit(2);
}
/** Exit status of tests/simulation/main.ts when an invariant was violated. */
const VIOLATED = 3;
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31));

if (!values.planted) process.exitCode = await run(null, { ...values, seed, runs: values.runs ?? "10000" });
else {
  const missed = [];
  for (const name of positionals.length > 0 ? positionals : plantedBugs()) {
    const status = await run(name, { ...values, seed: values.seed ?? "1", runs: values.runs ?? "2000" });
    if (status !== VIOLATED) missed.push(name);
  }
  console.log(missed.length === 0 ? "All planted bugs were found." : `Not found: ${missed.join(", ")}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
}

/** Bundles the shop, perhaps with a planted bug, and runs histories. @returns 0, VIOLATED, or the status of a crash */
async function run(bug, options) {
  const outfile = join(ROOT, `.wrangler/simulation/${bug ?? "shop"}.mjs`);
  await bundleSimulation("main.ts", outfile, bug && readPatch(bug));
  if (bug) process.stdout.write(`${bug}: `);
  const env = { ...process.env, SIMULATION: JSON.stringify({ ...options, isBrief: bug !== null }) };
  const child = spawn(process.execPath, ["--enable-source-maps", outfile], {
    cwd: ROOT,
    env,
    stdio: "inherit",
  });
  const [status] = await once(child, "close");
  return status;
}
