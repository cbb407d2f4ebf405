import { createHash } from "node:crypto";

/** Row of the audit log as the chain covers it, in the order of the table's columns. */
export type ChainRow = [
  seq: number,
  at: number,
  authorKind: string,
  authorId: string | null,
  sourceId: string | null,
  action: string,
  object: string,
  objectId: string,
  changes: string,
];

/** Hashes a row with the hash of the row before; the first row of a shop follows "". */
export const chainHash = (before: string, row: ChainRow): string =>
  createHash("sha256")
    .update(`${before}\n${JSON.stringify(row)}`)
    .digest("hex");

/** Row with its seal; null while it is not sealed. */
export interface SealedRow {
  row: ChainRow;
  hash: string | null;
}

/** Last row that is verified. */
export interface ChainPosition {
  seq: number;
  hash: string;
}

/** Selects what the last nightly run has noted of the log: its last row with the hash, as one text. */
export const LAST_NOTED = `SELECT j.value ->> 'result' AS noted
  FROM (SELECT started_at, jobs FROM nightly_runs WHERE started_at > 0 ORDER BY started_at DESC LIMIT 30) AS latest,
    json_each(latest.jobs) AS j
  WHERE j.value ->> 'job' = 'audit log' AND j.value ->> 'result' GLOB 'whole to row [1-9]*'
  ORDER BY latest.started_at DESC LIMIT 1`;

/**
 * Selects the last row that retention has deleted, with its hash: the row that recorded the deletion is part of the chain.
 * Without one, the log begins with row 1.
 */
export const LATEST_TRIM = `SELECT changes ->> '$.through[1]' AS seq, changes ->> '$.hash[1]' AS hash
  FROM audit_log INDEXED BY audit_log_objects WHERE object = 'auditLog' AND action = 'trimmed'
  ORDER BY at DESC, seq DESC LIMIT 1`;

/** Rows that scripts/check-audit.mjs reads at once. */
export const MAX_CHAIN_ROWS = 5000;

/** Statements by which scripts/check-audit.mjs verifies the log from outside, some of them by the number of a row. */
export const AUDIT_READS = {
  "audit-ends": () => [
    "SELECT (SELECT max(seq) FROM audit_log) AS rows, (SELECT max(seq) FROM audit_seals) AS seals",
  ],
  "audit-trim": () => [LATEST_TRIM],
  "audit-rows": (after) => [
    `SELECT l.*, s.hash FROM audit_log AS l LEFT JOIN audit_seals AS s ON s.seq = l.seq
      WHERE l.seq > ${after} ORDER BY l.seq LIMIT ${MAX_CHAIN_ROWS}`,
  ],
  "audit-noted": () => [LAST_NOTED],
  "audit-seal": (seq) => [`SELECT hash FROM audit_seals WHERE seq = ${seq}`],
} satisfies Record<string, (seq: number) => string[]>;

/** Writes the result of a nightly run. */
export const noted = ({ seq, hash }: ChainPosition): string => `whole to row ${seq}, ${hash}`;

/** Reads a result back. */
export function parseNoted(text: string): ChainPosition | null {
  const [, seq, hash] = /^whole to row (\d+), ([0-9a-f]{64})$/.exec(text) ?? [];
  return seq && hash ? { seq: Number(seq), hash } : null;
}

/** First row of a log that differs from its seal, with the reason. */
export interface Break {
  seq: number;
  reason: string;
}

/**
 * Verifies rows in order; rows of one call follow a sealed row.
 *
 * @param after last verified row; at the beginning, the last row that retention has deleted
 * @returns the last sealed row, or the first that differs
 */
export function verifyRows(after: ChainPosition, rows: SealedRow[]): ChainPosition | Break {
  let last = after;
  let next = after.seq;
  for (const { row, hash } of rows) {
    const [seq] = row;
    next += 1;
    if (seq !== next) return { seq: next, reason: "is missing" };
    // Only the newest rows wait for their seals.
    if (hash === null) continue;
    if (last.seq !== seq - 1) return { seq: last.seq + 1, reason: "has no seal" };
    if (chainHash(last.hash, row) !== hash) return { seq, reason: "differs from its seal" };
    last = { seq, hash };
  }
  return last;
}

export const isBreak = (result: ChainPosition | Break): result is Break => "reason" in result;
