import { TZDate } from "@date-fns/tz";
import { format } from "date-fns";
import { openDb } from "~/db/client.server";
import { DAY_SECONDS, epochSeconds } from "~/db/durations";
import { inChunks } from "~/db/lists";
import { addDays, instantAt, localDay } from "~/domain/days";
import { findStaff } from "~/features/accounts/queries.server";
import { NextStep } from "~/http/nightly-job.server";
import { operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput, resultOrNull } from "~/http/page.server";
import { type CsvRow, csvFile } from "~/http/streams.server";
import { rejectIgnored } from "~/records/list-page.server";
import { formatDateTime } from "~/ui/format";
import { type ChainPosition, chainHash, isBreak, noted, verifyRows } from "./chain";
import { actionLabel, authorLabel, objectKind, objectLabel, rowText } from "./labels";
import { type AuditParams, objectsOf, PAGE_SIZE, parseAuditParams } from "./params";
import {
  type AuditFilter,
  type AuditRow,
  type Cursor,
  findAnchor,
  findAuditRows,
  findChainRows,
  findChainState,
  findNoted,
  findRowDetails,
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

/** Builds the filter of a list's URL. */
function filterOf({ filters, q }: AuditParams, timezone: string): AuditFilter {
  const { person = "", kind = "", from, to, id } = filters;
  const isUser = person.startsWith("user-");
  return {
    objects: objectsOf(kind),
    authorId: isUser ? person.slice("user-".length) : null,
    authorKind: person && !isUser ? person : null,
    objectId: id ?? null,
    q,
    from: from ? instantAt(`${from}T00:00:00`, timezone) : null,
    until: to ? instantAt(`${addDays(to, 1)}T00:00:00`, timezone) : null,
  };
}

export type AuditScreenData = ResultOf<typeof readAuditScreen>;

/** Reads a page of the audit log at its URL, for admins. */
export const readAuditScreen = operation({
  access: "admin",
  input: PageInput,
  async run({ input, ...context }) {
    const { db, settings, now } = context;
    const params = parseAuditParams(new URL(input.url).searchParams);
    rejectIgnored(context, params);
    const { cursor, dir, open } = params;
    const window = { limit: PAGE_SIZE + 1, after: cursor, dir };
    const [found, staff, chain, details] = await Promise.all([
      findAuditRows(db, filterOf(params, settings.timezone), window),
      findStaff(db),
      findChainState(db),
      open === null ? null : findRowDetails(db, open),
    ]);
    const hasMore = found.length > PAGE_SIZE;
    const rows = dir === "older" ? found.slice(0, PAGE_SIZE) : found.slice(-PAGE_SIZE);
    const today = localDay(now, settings.timezone);
    return {
      params,
      rows,
      older: dir === "newer" || hasMore ? cursorOf(rows.at(-1)) : null,
      newer: dir === "newer" ? (hasMore ? cursorOf(rows[0]) : null) : cursor && cursorOf(rows[0]),
      staff: staff.map(({ id, firstName, email }) => ({ id, name: firstName || email })),
      chain,
      opened: details && {
        hash: details.seals.get(open ?? 0) ?? null,
        before: details.seals.get((open ?? 0) - 1) ?? null,
        products: Object.fromEntries(details.products),
      },
      today,
      timezone: settings.timezone,
      periods: periodsBefore(today),
    };
  },
});

/** Changes that an object's page shows. */
const RECENT_ROWS = 5;

export interface RecentChange {
  seq: number;
  /** Local time. */
  at: string;
  /** Author, action and changed fields. */
  text: string;
}

/** Reads the latest changes of an object for its page; null for managers, without an object and when the read fails. */
export async function recentChanges(
  { db, settings: { timezone }, user }: StaffContext,
  id: string | null,
): Promise<RecentChange[] | null> {
  if (id === null || !user.isAdmin) return null;
  const window = { limit: RECENT_ROWS, after: null, dir: "older" } as const;
  const rows = await resultOrNull(findAuditRows(db, { ...ALL_ROWS, objectId: id }, window));
  return (
    rows?.map((row) => {
      const fields = rowText(row, timezone);
      const act = `${authorLabel(row)}: ${actionLabel(row.action).toLowerCase()}`;
      return { seq: row.seq, at: formatDateTime(row.at, timezone), text: fields ? `${act}. ${fields}` : act };
    }) ?? null
  );
}

const cursorOf = (row: AuditRow | undefined): Cursor | null => (row ? { at: row.at, seq: row.seq } : null);

/** Lists the periods that the screen offers. @param today YYYY-MM-DD */
function periodsBefore(today: string) {
  return [
    { label: "Today", from: today, to: today },
    { label: "Last 7 days", from: addDays(today, -6), to: today },
    { label: "Last 30 days", from: addDays(today, -29), to: today },
    { label: "This year", from: `${today.slice(0, 4)}-01-01`, to: today },
  ];
}

/** Streams the rows that match the list's URL as a CSV file, newest first. */
export const auditCsv = operation({
  access: "admin",
  input: PageInput,
  run: async ({ input, ...context }) => {
    const params = parseAuditParams(new URL(input.url).searchParams);
    const name = `audit-log-${localDay(context.now, context.settings.timezone)}`;
    return csvFile(name, CSV_HEAD, csvRows(context, params));
  },
});

/** ISO 8601 with seconds and the offset from UTC. */
const CSV_TIME = "yyyy-MM-dd'T'HH:mm:ssxxx";
const CSV_HEAD = [
  "Row",
  "Time",
  "Who",
  "User",
  "User id",
  "Import or key",
  "Import or key id",
  "Action",
  "Object",
  "Name",
  "Object id",
  "Changes",
];

async function* csvRows({ db, settings }: StaffContext, params: AuditParams): AsyncGenerator<CsvRow[]> {
  const filter = filterOf(params, settings.timezone);
  const chunks = inChunks<AuditRow>(
    (after, limit) => findAuditRows(db, filter, { limit, after, dir: "older" }),
    CHUNK_ROWS,
  );
  for await (const rows of chunks)
    yield rows.map((row) => [
      row.seq,
      format(new TZDate(row.at * 1000, settings.timezone), CSV_TIME),
      authorLabel(row),
      row.authorName ?? "",
      row.authorId ?? "",
      row.sourceName ?? "",
      row.sourceId ?? "",
      actionLabel(row.action).replace(/:$/, ""),
      objectKind(row.object),
      objectLabel(row),
      row.objectId,
      rowText(row, settings.timezone),
    ]);
}
