// npm run check:audit: recomputes the hash chain of the audit log through wrangler and names the first row that differs.
import { parseArgs } from "node:util";
import { isBreak, LAST_NOTED, LATEST_TRIM, parseNoted, verifyRows } from "../app/features/audit/chain.ts";
import { executeSql } from "./execute-sql.mjs";

const HELP = `Verifies the hash chain of the audit log, and prints its last row and hash.

  npm run check:audit                      the shop on this machine (STATE_DIR is honoured)
  npm run check:audit -- --remote          the deployed shop (needs wrangler login)
  npm run check:audit -- --seal 120:4f9c…  also compares the hash of row 120 with one that was noted

A log that was cut off at its end is found by what the last nightly run has noted, one at its beginning by the row that\nit has to begin after. Rows that the chain does not cover yet are counted. Ends with 1 when a row differs.`;
const CHUNK_ROWS = 5000;

const { values } = parseArgs({
  options: {
    local: { type: "boolean" },
    remote: { type: "boolean" },
    seal: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});

if (values.help) {
  console.log(HELP);
  process.exit(0);
}
if (values.local && values.remote) fail("Choose --local or --remote.");

const [, notedSeq, notedHash] = /^(\d+):([0-9a-f]{8,64})$/.exec(values.seal ?? "") ?? [];
if (values.seal && !notedSeq) fail("A seal is a row and its hash: --seal 120:4f9c…");

const [anchor] = execute(LATEST_TRIM);
let last = anchor ?? { seq: 0, hash: "" };
for (let hasMore = true; hasMore; ) {
  const rows = execute(`SELECT l.*, s.hash FROM audit_log AS l LEFT JOIN audit_seals AS s ON s.seq = l.seq
    WHERE l.seq > ${last.seq} ORDER BY l.seq LIMIT ${CHUNK_ROWS}`);
  const sealed = rows.map(({ hash, ...row }) => ({ row: Object.values(row), hash }));
  const result = verifyRows(last, sealed);
  if (isBreak(result)) differ(result);
  last = result;
  hasMore = rows.length === CHUNK_ROWS && rows.at(-1).seq === last.seq;
}
const [{ rows, seals }] = execute(
  "SELECT (SELECT max(seq) FROM audit_log) AS rows, (SELECT max(seq) FROM audit_seals) AS seals",
);
if ((seals ?? 0) > last.seq) differ({ seq: last.seq + 1, reason: "is missing or has no seal" });
const [byNight] = execute(LAST_NOTED).map((row) => parseNoted(row.noted));
if (byNight) compare(byNight, "a nightly run has noted");
if (notedSeq) compare({ seq: Number(notedSeq), hash: notedHash }, "was noted");
console.log(`The audit log is whole to row ${last.seq}, sha-256 ${last.hash || "none"}.`);
if ((rows ?? 0) > last.seq) console.log(`${rows - last.seq} newer rows are not sealed yet.`);

/** Compares the seal of a row with one that was noted, which finds a log that was cut off at its end. */
function compare({ seq, hash }, who) {
  const [seal] = execute(`SELECT hash FROM audit_seals WHERE seq = ${seq}`);
  if (!seal?.hash.startsWith(hash)) differ({ seq, reason: `is missing or has another hash than ${who}` });
}

/**
 * Ends with the first row that differs.
 *
 * @returns {never}
 */
function differ({ seq, reason }) {
  console.log(`Row ${seq} of the audit log ${reason}.`);
  process.exit(1);
}

/** Runs statements, or ends with what went wrong. @returns {Record<string, any>[]} */
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
