// npm run nightly: runs the nightly jobs of a shop now. `npm start` runs them by the cron of wrangler.toml.
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cron } from "croner";
import { unstable_readConfig as readConfig } from "wrangler";
import { readArguments } from "./command-line.mjs";
import { ROOT, stateDirectory } from "./local-shop.mjs";
import { remoteShop, runningShop } from "./operator-client.mjs";

const HELP = `Runs the nightly jobs of a shop: backup, planned deletions, checks, clean-up.

  npm run nightly               the running shop on this machine (STATE_DIR is honoured)
  npm run nightly -- --remote   the deployed shop (needs BACKUP_KEY)

Ends with 1 when a job fails.`;

/**
 * Runs the jobs of the shop that serves a folder by the cron of wrangler.toml, and at once when the machine was off then.
 *
 * @param {string} stateDir
 * @returns {() => void} ends the schedule
 */
export function scheduleNightly(stateDir) {
  const marker = join(stateDir, "nightly");
  const run = async () => {
    const shop = await runningShop(stateDir);
    await shop?.json("POST", "nightly");
    writeFileSync(marker, "");
  };
  const attempt = () => run().catch(({ message }) => console.error(`The nightly run failed: ${message}`));
  const [pattern] = readConfig({ config: join(ROOT, "wrangler.toml") }).triggers.crons;
  const cron = new Cron(pattern, { timezone: "UTC", protect: true }, attempt);
  const [due] = cron.previousRuns(1);
  // A new shop has had no night yet.
  if (!existsSync(marker)) writeFileSync(marker, "");
  else if (statSync(marker).mtime < due) void attempt();
  return () => cron.stop();
}

if (import.meta.main) await main();

async function main() {
  const { values } = readArguments(HELP, { remote: { type: "boolean" } });
  try {
    const shop = await (values.remote ? remoteShop() : runningShop(stateDirectory()));
    if (!shop) throw new Error("No shop is running on this machine.");
    const jobs = await shop.json("POST", "nightly");
    for (const { job, result, failed } of jobs)
      console.log(`${failed ? "FAILED " : ""}${job}: ${result || "done"}`);
    process.exitCode = jobs.some(({ failed }) => failed) ? 1 : 0;
  } catch ({ message }) {
    console.error(message);
    process.exitCode = 1;
  }
}
