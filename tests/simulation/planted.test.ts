import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { ROOT } from "../../scripts/local-shop.mjs";
import { bundleSimulation, readPatch } from "./runtime/bundle.mjs";

type Simulation = typeof import("simulation-under-test");

/** Seed of `npm run test:simulation -- --planted`. */
const SEED = 1;
/** Planted bugs that few histories find, with their number at most, and the invariant that finds them. */
const CHEAP: [bug: string, histories: number, violated: RegExp][] = [
  ["answer-before-commit", 60, /^Room \w+ is .+, and its row /],
  ["credit-above-sold", 60, /returned|credited|taken back/],
  ["lost-outbox-row", 60, /^Room \w+ is .+, and its row /],
  ["no-check-on-stock", 60, /stock/],
  ["no-idempotency-check", 60, /was answered|it is stored as/],
  ["rights-from-a-replica", 60, /although the right was withdrawn/],
];

it.each(CHEAP)("finds the planted bug %s", { timeout: 180_000 }, async (bug, histories, violated) => {
  const outfile = join(ROOT, `.wrangler/simulation/test-${bug}.mjs`);
  await bundleSimulation("exports.ts", outfile, readPatch(bug));
  const { migrations, runHistory, sampleHistories, World } = (await import(
    pathToFileURL(outfile).href
  )) as Simulation;
  const world = new World(migrations);
  for (const steps of sampleHistories(histories, SEED)) {
    const { violation } = await runHistory(world, steps);
    if (!violation) continue;
    expect(violation.message).toMatch(violated);
    return;
  }
  expect.unreachable(`${bug} was not found in ${histories} histories`);
});
