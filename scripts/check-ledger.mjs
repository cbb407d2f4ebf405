// npm run check:ledger: recomputes the ledger's sums from its rows through wrangler and lists every difference.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { LEDGER_CHECKS } from "../app/features/ledger/queries/check.queries.ts";
import { ENV, ROOT, stateDirectory } from "./local-shop.mjs";

const HELP = `Compares the ledger's sums with the invoices and expenses that they are sums of.

  npm run check:ledger               the shop on this machine (STATE_DIR is honoured)
  npm run check:ledger -- --remote   the deployed shop (needs wrangler login)

Ends with 1 when anything differs.`;

const { values } = parseArgs({
  options: { local: { type: "boolean" }, remote: { type: "boolean" }, help: { type: "boolean", short: "h" } },
});

if (values.help) {
  console.log(HELP);
  process.exit(0);
}
if (values.local && values.remote) fail("Choose --local or --remote.");

const differences = execute(LEDGER_CHECKS.join(";\n"));
for (const { sums, key, stored, expected } of differences)
  console.log(`${sums} ${key}: ${stored} stored, ${expected} expected`);
console.log(
  differences.length === 0 ? "The ledger's sums agree with its rows." : `${differences.length} differ.`,
);
process.exit(differences.length === 0 ? 0 : 1);

/**
 * Runs statements through wrangler, without a shell.
 *
 * @returns {{ sums: string, key: string, stored: string, expected: string }[]} rows of all statements
 */
function execute(sql) {
  const where = values.remote ? ["--remote"] : ["--local", "--persist-to", stateDirectory()];
  const args = ["d1", "execute", "DB", ...where, "--json", "--yes", "--command", sql];
  const { status, stdout, stderr, error } = spawnSync("wrangler", args, {
    cwd: ROOT,
    env: ENV,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) fail(error?.message || stderr || stdout);
  return JSON.parse(stdout.slice(stdout.indexOf("["))).flatMap(({ results }) => results);
}

function fail(why) {
  console.error(`${why.trim()}\n\n${HELP}`);
  process.exit(2);
}
