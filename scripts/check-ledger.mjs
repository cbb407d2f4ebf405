// npm run check:ledger: recomputes the ledger's sums from its rows through wrangler and lists every difference.
import { parseArgs } from "node:util";
import { LEDGER_CHECKS } from "../app/features/ledger/queries/check.queries.ts";
import { executeSql } from "./execute-sql.mjs";

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

/** Runs statements, or ends with what went wrong. @returns {{ sums: string, key: string, stored: string, expected: string }[]} */
function execute(sql) {
  try {
    return executeSql(sql, values.remote);
  } catch (error) {
    return fail(error.message);
  }
}

function fail(why) {
  console.error(`${why.trim()}\n\n${HELP}`);
  process.exit(2);
}
