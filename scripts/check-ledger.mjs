// npm run check:ledger: recomputes the sums of ledger, stock, sales and chats through wrangler and lists every difference.
import { parseArgs } from "node:util";
import { LEDGER_CHECKS } from "../app/features/ledger/queries/check.queries.ts";
import { SALE_CHECKS } from "../app/features/sales/check.queries.ts";
import { executeSql } from "./execute-sql.mjs";

const HELP = `Compares the ledger's sums with the invoices and expenses that they are sums of, and
checks the invariants of stock, sales and chat sums.

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

const named = Object.entries(SALE_CHECKS).map(
  ([invariant, check]) => `SELECT '${invariant}' AS invariant, id FROM (${check})`,
);
// At once: wrangler takes seconds to start.
const found = execute([...LEDGER_CHECKS, ...named].join(";\n"));
const violations = found.filter(({ invariant }) => invariant !== undefined);
const differences = found.filter(({ invariant }) => invariant === undefined);
for (const { sums, key, stored, expected } of differences)
  console.log(`${sums} ${key}: ${stored} stored, ${expected} expected`);
console.log(
  differences.length === 0 ? "The ledger's sums agree with its rows." : `${differences.length} differ.`,
);
for (const { invariant, id } of violations) console.log(`Violated: ${invariant}: ${id}`);
if (violations.length === 0) console.log("Stock, sales and chat sums are consistent.");
process.exit(differences.length + violations.length === 0 ? 0 : 1);

/** Runs statements, or ends with what went wrong. @returns {Record<string, string>[]} */
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
