import { openDb } from "~/db/client.server";
import { DAY_SECONDS, epochSeconds } from "~/domain/durations";
import { NextStep } from "~/http/nightly-job.server";
import type { StaffContext } from "~/http/operation.server";
import { resultOrNull } from "~/http/page.server";
import type { Fields } from "~/records/record";
import { formatDateTime } from "~/ui/format";
import { type ChainPosition, chainHash, isBreak, noted, verifyRows } from "./chain";
import { actionLabel, authorLabel, rowText } from "./labels";
import {
  type AuditFilter,
  findAnchor,
  findAuditRows,
  findChainRows,
  findChainState,
  findNoted,
  insertSeals,
  purgeRows,
} from "./queries.server";

/** Seconds for which rows are kept: two years, as in the triggers of migrations/0025_audit.sql. */
const KEPT_SECONDS = 731 * DAY_SECONDS;
const CHUNK_ROWS = 1000;

/** Chunks that one invocation seals with two queries each, and verifies with one. */
const STEP_LIMITS = { rows: CHUNK_ROWS, chunks: 100 };

/**
 * Seals the rows that have been written since, in order.
 *
 * @returns the last seal, and whether rows are left for the next call
 */
export async function sealAuditLog(
  env: Env,
  limits = STEP_LIMITS,
): Promise<{ last: ChainPosition; hasMore: boolean }> {
  const { db } = openDb(env.DB);
  const { rows, sealed } = await findChainState(db);
  let last = sealed ?? { seq: 0, hash: "" };
  for (let chunks = 0; last.seq < rows; chunks++) {
    if (chunks === limits.chunks) return { last, hasMore: true };
    const chunk = await findChainRows(db, last.seq, limits.rows);
    const seals: ChainPosition[] = [];
    for (const { row } of chunk) {
      last = { seq: row[0], hash: chainHash(last.hash, row) };
      seals.push(last);
    }
    if (seals.length === 0) break;
    await insertSeals(db, seals);
  }
  return { last, hasMore: false };
}

/** Position of the nightly check. */
interface CheckPosition {
  /** Last verified row. */
  last: ChainPosition;
  /** Last seal when the check began. */
  sealed: number;
}

/**
 * Seals new rows, deletes those of more than two years ago and verifies the rest. Runs nightly, in steps.
 *
 * @returns the last seal, for the records of the run, or the next step
 * @throws Error that names the first row that differs
 */
export async function maintainAuditLog(
  env: Env,
  cursor?: string,
  limits = STEP_LIMITS,
): Promise<string | NextStep> {
  const position = cursor ? (JSON.parse(cursor) as CheckPosition | null) : null;
  if (!position) return new NextStep(JSON.stringify(await prepareCheck(env, limits)));
  const { db } = openDb(env.DB);
  let { last } = position;
  for (let chunks = 0; ; chunks++) {
    if (chunks === limits.chunks) return new NextStep(JSON.stringify({ ...position, last }));
    const chunk = await findChainRows(db, last.seq, limits.rows);
    const result = verifyRows(last, chunk);
    if (isBreak(result)) throw new Error(`Row ${result.seq} of the audit log ${result.reason}`);
    last = result;
    if (chunk.length < limits.rows || chunk.at(-1)?.row[0] !== last.seq) break;
  }
  if (position.sealed > last.seq)
    throw new Error(`Row ${last.seq + 1} of the audit log is missing or has no seal`);
  // A log that was cut off at its end is whole, but shorter than it was.
  const before = await findNoted(db);
  if (before && before.hash !== before.seal.hash)
    throw new Error(`Row ${before.seal.seq} of the audit log is not what an earlier run has noted`);
  return noted(last);
}

/** Seals and deletes rows. @returns the beginning of the check; null when rows are left to be sealed */
async function prepareCheck(env: Env, limits: typeof STEP_LIMITS): Promise<CheckPosition | null> {
  if ((await sealAuditLog(env, limits)).hasMore) return null;
  const { db } = openDb(env.DB);
  await purgeRows(db, epochSeconds() - KEPT_SECONDS);
  const { last, hasMore } = await sealAuditLog(env, limits);
  return hasMore ? null : { last: await findAnchor(db), sealed: last.seq };
}

const ALL_ROWS: AuditFilter = {
  objects: [],
  authorId: null,
  authorKind: null,
  objectId: null,
  q: "",
  from: null,
  until: null,
};

/** Changes that an object's page shows. */
const RECENT_ROWS = 5;

export interface RecentChange {
  seq: number;
  /** Local time. */
  at: string;
  /** Author, action and changed fields. */
  text: string;
}

/**
 * Reads the latest changes of an object for its page; null for managers, without an object and when the read fails.
 *
 * @param fields of the object's record
 */
export async function recentChanges(
  { db, settings, user }: StaffContext,
  id: string | null,
  fields: Fields,
): Promise<RecentChange[] | null> {
  if (id === null || !user.isAdmin) return null;
  const window = { limit: RECENT_ROWS, after: null, dir: "older" } as const;
  const rows = await resultOrNull(findAuditRows(db, { ...ALL_ROWS, objectId: id }, window));
  return (
    rows?.map((row) => {
      const text = rowText(row, fields, settings);
      const act = `${authorLabel(row)}: ${actionLabel(row.action).toLowerCase()}`;
      return {
        seq: row.seq,
        at: formatDateTime(row.at, settings.timezone),
        text: text ? `${act}. ${text}` : act,
      };
    }) ?? null
  );
}
