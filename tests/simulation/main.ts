import migrations from "simulation:migrations";
import fc from "fast-check";
import { histories, type Result, runHistory, type Step } from "./history";
import { World } from "./runtime/world";

/** Options of scripts/simulation.mjs. */
interface Options {
  seed: string;
  runs: string;
  steps: string;
  /** One history alone; none for all. */
  path?: string;
  twice: boolean;
  /** Prints one line alone. */
  isBrief: boolean;
}

const {
  seed,
  runs,
  steps,
  path = "",
  twice,
  isBrief,
} = JSON.parse(process.env.SIMULATION ?? "{}") as Options;
/** Exit status, which no crash has (scripts/simulation.mjs). */
const VIOLATED = 3;
// The simulation silences the shop's own.
const print = console.log;
const world = new World(migrations);
const began = Date.now();
let done = 0;
let events = 0;
let last: Result | undefined;

async function run(history: Step[]): Promise<void> {
  last = await runHistory(world, history);
  done++;
  events += last.trace.length;
  if (last.violation) throw last.violation;
  if (!twice) return;
  const again = await runHistory(world, history);
  const { trace } = last;
  const at = trace.findIndex((line, n) => line !== again.trace[n]);
  if (at >= 0 || trace.length !== again.trace.length)
    throw new Error(
      `Its second run has another trace, from event ${at}: ${trace[at]} and ${again.trace[at]}`,
    );
}

const details = await fc.check(fc.asyncProperty(histories(Number(steps)), run), {
  seed: Number(seed),
  numRuns: path === "" ? Number(runs) : 1,
  // A step without another one is another history: what shrinks is the number of steps, by hand.
  endOnFailure: true,
  ...(path !== "" && { path }),
});
const seconds = (Date.now() - began) / 1000;
const figures = `${done} histories, ${events} events, ${seconds.toFixed(1)} s, ${(done / seconds).toFixed(1)} a second`;
const reason = details.errorInstance instanceof Error ? details.errorInstance.message : "";
if (isBrief)
  print(
    details.failed ? `found after ${done} histories: ${reason.slice(0, 160)}` : `not found in ${figures}`,
  );
else if (path !== "" || details.failed) {
  for (const line of last?.trace.slice(path === "" ? -40 : 0) ?? []) print(line);
  if (details.failed) {
    print(`\n${reason}\nin step ${last?.step} of the history that is repeated by`);
    print(
      `  npm run test:simulation -- --seed ${seed} --path ${details.counterexamplePath}${steps === "40" ? "" : ` --steps ${steps}`}`,
    );
  }
}
if (!isBrief) print(`${figures}, seed ${seed}`);
process.exit(details.failed ? VIOLATED : 0);
