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

/** First row of a log that differs from its seal, with the reason. */
export interface Break {
  seq: number;
  reason: string;
}

/**
 * Verifies rows in order.
 *
 * @param after last verified row; of a log whose older rows have been deleted, the seal before its first row
 * @returns the last sealed row, or the first that differs
 */
export function verifyRows(after: ChainPosition, rows: SealedRow[]): ChainPosition | Break {
  let last = after;
  for (const { row, hash } of rows) {
    const [seq] = row;
    if (seq !== last.seq + 1) return { seq: last.seq + 1, reason: "is missing" };
    // Rows after the last seal; a seal behind a row without one is a gap, which the next row shows.
    if (hash === null) return last;
    if (chainHash(last.hash, row) !== hash) return { seq, reason: "differs from its seal" };
    last = { seq, hash };
  }
  return last;
}

export const isBreak = (result: ChainPosition | Break): result is Break => "reason" in result;
