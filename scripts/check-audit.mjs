// npm run check:audit: recomputes the hash chain of the audit log and names the first row that differs.
import { AUDIT_READS, isBreak, MAX_CHAIN_ROWS, parseNoted, verifyRows } from "../app/features/audit/chain.ts";
import { readArguments } from "./command-line.mjs";
import { openReads } from "./execute-sql.mjs";

const HELP = `Verifies the hash chain of the audit log, and prints its last row and hash.

  npm run check:audit                      the shop on this machine (STATE_DIR is honoured), running or not
  npm run check:audit -- --remote          the deployed shop (needs wrangler login)
  npm run check:audit -- --seal 120:4f9c…  also compares the hash of row 120 with one that was noted

A log that was cut off at its end is found by what the last nightly run has noted, one at its beginning by the row that
it has to begin after. Rows that the chain does not cover yet are counted. Ends with 1 when a row differs.`;

const { values } = readArguments(HELP, {
  local: { type: "boolean" },
  remote: { type: "boolean" },
  seal: { type: "string" },
});

if (values.local && values.remote) fail(`Choose --local or --remote.\n\n${HELP}`);

const [, notedSeq, notedHash] = /^(\d+):([0-9a-f]{8,64})$/.exec(values.seal ?? "") ?? [];
if (values.seal && !notedSeq) fail(`A seal is a row and its hash: --seal 120:4f9c…\n\n${HELP}`);

await verify().catch(({ message }) => fail(message));

/** Verifies the log. What a running shop adds meanwhile is left to the next check. */
async function verify() {
  const read = await openReads(AUDIT_READS, values.remote);
  const [{ rows, seals }] = await read("audit-ends");
  const [anchor] = await read("audit-trim");
  let last = anchor ?? { seq: 0, hash: "" };
  for (let hasMore = true; hasMore; ) {
    const chunk = await read("audit-rows", last.seq);
    const sealed = chunk.map(({ hash, ...row }) => ({ row: Object.values(row), hash }));
    const result = verifyRows(last, sealed);
    if (isBreak(result)) differ(result);
    last = result;
    hasMore = chunk.length === MAX_CHAIN_ROWS && chunk.at(-1).seq === last.seq;
  }
  if ((seals ?? 0) > last.seq) differ({ seq: last.seq + 1, reason: "is missing or has no seal" });
  const [byNight] = (await read("audit-noted")).map((row) => parseNoted(row.noted));
  if (byNight) await compare(read, byNight, "a nightly run has noted");
  if (notedSeq) await compare(read, { seq: Number(notedSeq), hash: notedHash }, "was noted");
  console.log(`The audit log is whole to row ${last.seq}, sha-256 ${last.hash || "none"}.`);
  if ((rows ?? 0) > last.seq) console.log(`${rows - last.seq} newer rows are not sealed yet.`);
}

/** Compares the seal of a row with one that was noted, which finds a log that was cut off at its end. */
async function compare(read, { seq, hash }, who) {
  const [seal] = await read("audit-seal", seq);
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

function fail(why) {
  console.error(why.trim());
  process.exit(2);
}
