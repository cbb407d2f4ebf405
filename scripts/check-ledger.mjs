// npm run check:ledger: recomputes the sums of ledger, stock, sales and chats and lists every difference.
import { LEDGER_CHECKS } from "../app/features/ledger/queries/check.ts";
import { NAMED_SALE_CHECKS } from "../app/features/sales/queries/check.ts";
import { readArguments } from "./command-line.mjs";
import { openReads } from "./execute-sql.mjs";

const HELP = `Compares the ledger's sums with the invoices and expenses that they are sums of, and
checks the invariants of stock, sales and chat sums.

  npm run check:ledger               the shop on this machine (STATE_DIR is honoured), running or not
  npm run check:ledger -- --remote   the deployed shop (needs wrangler login)

Ends with 1 when anything differs.`;

const { values } = readArguments(HELP, { local: { type: "boolean" }, remote: { type: "boolean" } });

if (values.local && values.remote) fail(`Choose --local or --remote.\n\n${HELP}`);

const found = await findAll().catch(({ message }) => fail(message));
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

/** Reads at once, since wrangler takes seconds to start. */
async function findAll() {
  const reads = { ledger: () => [...LEDGER_CHECKS, ...NAMED_SALE_CHECKS] };
  const read = await openReads(reads, values.remote);
  return read("ledger");
}

function fail(why) {
  console.error(why.trim());
  process.exit(2);
}
