// npm run deploy: checks settings, secrets and migrations, builds, deploys, and waits until the shop is ready.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { checkAccount, notesOfConfig, problemsOfConfig, shopUrlOf } from "./deploy-checks.mjs";
import { ENV, ROOT } from "./local-shop.mjs";
import { mailNotice, repliesNotice } from "./mail-domain.mjs";

const MIN_SECRET_BYTES = 32;
/** Questions to /readyz, and milliseconds between them. */
const MAX_POLLS = 30;
const POLL_MS = 2000;

const ROLL_BACK = "The new version is live. Go back with: npx wrangler rollback";

/**
 * Checks, builds and deploys the Worker.
 *
 * @param {object} tools
 * @param {object} tools.config wrangler.toml, as wrangler reads it
 * @param {(args: string[]) => { status: number | null, stdout: string, stderr?: string }} tools.wrangler
 * @param {() => boolean} tools.build false for a failure
 * @param {(url: string) => Promise<{ status: number, json(): Promise<any> }>} tools.get
 * @param {() => Promise<void>} tools.pause between two questions
 * @param {(note: string) => void} tools.say prints what is no reason to deploy nothing
 * @param {string} [tools.cookieSecret] of the environment, to be checked where it is known
 * @returns {Promise<string[]>} problems; empty for a shop that is ready
 */
export async function deploy(tools) {
  const problems = await problemsBefore(tools);
  if (problems.length > 0) return [...problems, "Nothing was deployed."];
  if (!tools.build()) return ["The build failed.", "Nothing was deployed."];
  if (tools.wrangler(["deploy"]).status !== 0)
    return ["wrangler deploy failed; the previous version stays live."];
  let failing = [];
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const answer = await tools.get(`${shopUrlOf(tools.config)}/readyz`).catch(() => null);
    if (answer?.status === 200) return [];
    failing = (await answer?.json().catch(() => null))?.failing ?? ["no answer"];
    await tools.pause();
  }
  return [`${shopUrlOf(tools.config)}/readyz: ${failing.join(", ")}`, ROLL_BACK];
}

async function problemsBefore({ config, wrangler, get, say, cookieSecret }) {
  const account = checkAccount(config, wrangler);
  for (const note of [...notesOfConfig(config), ...account.notes]) say(note);
  const problems = [...problemsOfConfig(config), ...account.problems];
  if (cookieSecret !== undefined && Buffer.byteLength(cookieSecret) < MIN_SECRET_BYTES)
    problems.push(`COOKIE_SECRET of this environment has fewer than ${MIN_SECRET_BYTES} bytes.`);
  // Secrets cannot be read, but the running version checks them.
  const ready = await get(`${shopUrlOf(config)}/readyz`).catch(() => null);
  const checks = ready?.status === 503 ? ((await ready.json().catch(() => null))?.checks ?? []) : [];
  const settings = checks.find(({ name, ok }) => name === "settings" && !ok);
  if (settings) problems.push(`The running version reports: ${settings.detail}.`);
  return problems;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();

async function main() {
  const { unstable_readConfig: readConfig } = await import("wrangler");
  const config = readConfig({ config: join(ROOT, "wrangler.toml") });
  const problems = await deploy({
    config,
    say: console.log,
    cookieSecret: process.env.COOKIE_SECRET,
    wrangler: (args) => run("wrangler", args, args[0] === "deploy" ? "inherit" : "pipe"),
    build: () => run("remix", ["vite:build"], "inherit").status === 0,
    get: fetch,
    pause: () => wait(POLL_MS),
  });
  for (const problem of problems) console.error(problem);
  if (problems.length === 0) {
    console.log("The shop is ready.");
    const wrangler = (args) => run("wrangler", args, "pipe");
    const notice = mailNotice(config.vars.MAIL_FROM, wrangler);
    if (notice) console.warn(notice);
    console.warn(repliesNotice(config.vars, config.name, wrangler));
  }
  process.exitCode = problems.length === 0 ? 0 : 1;
}

function run(command, args, stdio) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: ROOT,
    // Without the currency of tests.
    env: { ...ENV, CURRENCY_MODULE: "" },
    encoding: "utf8",
    stdio,
  });
  return { status, stdout: stdout ?? "", stderr: stderr ?? "" };
}
