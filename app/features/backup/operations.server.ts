import { isTransient } from "~/db/metered-d1.server";
import { DAY_MS, epochSeconds } from "~/domain/durations";
import { AppError } from "~/http/errors";
import { describeError } from "~/http/request-log.server";
import {
  type ArchiveEntry,
  CHAT_PART_BYTES,
  chained,
  chainedDigest,
  type DamagedChat,
  emptyTally,
  FORMAT,
  type LargeFile,
  type Manifest,
  packEnd,
  packedSize,
  packSlice,
  SLICE_BYTES,
  type Tally,
  tallied,
  talliedFile,
} from "./archive";
import { packLargeFile } from "./large-file.server";
import {
  appliedMigrations,
  type CopiedChat,
  endBackup,
  PAGE_BYTES,
  readChats,
  readPage,
  shopTables,
  takeSnapshot,
  touchBackup,
} from "./snapshot.queries.server";

/** Folder of the nightly backups in the bucket, which no backup contains. */
export const BACKUP_FOLDER = "backups/";
/** Chats that are read at once, and objects of a slice. */
const SLICE_CHATS = 20;
const SLICE_OBJECTS = 60;
/** Chats that may be damaged; more of them are a fault of the shop, which no backup should hide. */
const MAX_DAMAGED = 100;
/** Seconds without activity after which another backup may begin. */
const STALE_SECONDS = 15 * 60;

/** Progress of a backup. It names the next slice, so that no request needs to know of the ones before. */
export interface Cursor {
  id: string;
  createdAt: string;
  stage: "rows" | "chats" | "objects" | "end";
  /** Number of the last row, or key of the last object. */
  after: number | string;
  /** Chats whose next messages follow, with the last message. */
  open: { id: string; after: number }[];
  tables: Record<string, Tally>;
  chats: Tally;
  objects: Tally;
  slices: number[];
  sha256: string;
  /** Chats that could not be read. */
  damaged?: DamagedChat[];
}

/** Slice of an archive. */
export interface Slice {
  bytes: number;
  isLast: boolean;
  /** Yields the bytes and returns the cursor of the next slice, null after the last one. */
  content: AsyncGenerator<Uint8Array<ArrayBuffer>, Cursor | null>;
}

async function* wholeSlice(
  data: Uint8Array<ArrayBuffer>,
  next: Cursor | null,
): AsyncGenerator<Uint8Array<ArrayBuffer>, Cursor | null> {
  yield data;
  return next;
}

/**
 * Begins a backup with a snapshot of D1.
 *
 * @param takesOver ends a backup that is being made, because its process was killed
 * @throws AppError conflict while another backup is being made
 */
export async function beginBackup(
  env: Env,
  kind: "nightly" | "manual",
  { takesOver = false, now = new Date() } = {},
): Promise<Cursor> {
  const id = now.toISOString().replaceAll(":", "-");
  const seconds = Math.floor(now.getTime() / 1000);
  const times = { now: seconds, staleBefore: takesOver ? seconds + 1 : seconds - STALE_SECONDS };
  const isTaken = await takeSnapshot(env.DB, { id, kind, ...times }).catch(async (error: unknown) => {
    await failBackup(env, id, "The tables could not be copied.");
    throw error;
  });
  if (!isTaken)
    throw new AppError("conflict", "Another backup is being made. If it was killed, --take-over ends it.");
  return {
    id,
    createdAt: now.toISOString(),
    stage: "rows",
    after: 0,
    open: [],
    tables: {},
    chats: emptyTally(),
    objects: emptyTally(),
    slices: [],
    sha256: "",
  };
}

/**
 * Makes the next slice of a backup. Rows come from the snapshot; chats and files are read once, after the rows that name
 * them.
 *
 * @throws AppError conflict for a backup that was given up
 */
export async function nextSlice(env: Env, cursor: Cursor): Promise<Slice> {
  const now = epochSeconds();
  const bytes = cursor.slices.reduce((sum, size) => sum + size, 0);
  // The last slice can be made again when it was lost.
  if (cursor.stage === "end") return lastSlice(env, cursor, bytes);
  if (!(await touchBackup(env.DB, cursor.id, bytes, now)))
    throw new AppError("conflict", "This backup has ended or was given up.");
  const { entries, next, large } = await STAGES[cursor.stage](env, cursor);
  if (large) return largeSlice(large, next);
  const data = await packSlice(entries);
  if (data.byteLength === 0) return nextSlice(env, next);
  const sha256 = await chained(cursor.sha256, data);
  const slices = [...cursor.slices, data.byteLength];
  return { bytes: data.byteLength, isLast: false, content: wholeSlice(data, { ...next, slices, sha256 }) };
}

/** Makes a slice of a file that is too large to be held. */
async function largeSlice(file: LargeFile, next: Cursor): Promise<Slice> {
  const bytes = await packedSize(file);
  const content = async function* () {
    const { digest, slice } = yield* packLargeFile(file);
    return {
      ...next,
      objects: await talliedFile(next.objects, { ...file, digest }),
      slices: [...next.slices, bytes],
      sha256: await chainedDigest(next.sha256, slice),
    };
  };
  return { bytes, isLast: false, content: content() };
}

interface Stage {
  entries: ArchiveEntry[];
  next: Cursor;
  /** File that makes a slice of its own. */
  large?: LargeFile;
}

const STAGES = { rows: rowSlice, chats: chatSlice, objects: objectSlice };

async function rowSlice({ DB }: Env, cursor: Cursor): Promise<Stage> {
  const entries: ArchiveEntry[] = [];
  const next = { ...cursor, tables: { ...cursor.tables } };
  for (let bytes = 0; bytes + PAGE_BYTES <= SLICE_BYTES; ) {
    const page = await readPage(DB, Number(next.after));
    if (!page) return { entries, next: { ...next, stage: "chats", after: 0 } };
    const { source, rows, last } = page;
    const tally = next.tables[source] ?? emptyTally();
    // Named by the rows before, so that equal tables have equal files.
    const entry = fileOf(`tables/${source}/${numbered(tally.count)}.jsonl`, `${rows.join("\n")}\n`);
    next.tables[source] = await tallied(tally, entry, rows.length);
    next.after = last;
    entries.push(entry);
    bytes += entry.data.byteLength;
  }
  return { entries, next };
}

/** Reads chats in rounds, a part of each, as long as a further round fits into the slice. */
async function chatSlice(env: Env, cursor: Cursor): Promise<Stage> {
  const entries: ArchiveEntry[] = [];
  let next = cursor;
  let bytes = 0;
  do {
    const chats: OpenChat[] =
      next.open.length > 0
        ? next.open
        : (await nextChats(env, Number(next.after))).map((chat) => ({ ...chat, after: 0 }));
    if (chats.length === 0) return { entries, next: { ...next, stage: "objects", after: "" } };
    const round = await readChatParts(env, chats, next);
    for (const { data } of round.entries) bytes += data.byteLength;
    entries.push(...round.entries);
    next = round.next;
  } while (bytes + (next.open.length || SLICE_CHATS) * CHAT_PART_BYTES <= SLICE_BYTES);
  return { entries, next };
}

/** Chat whose next part follows a message; with its number in the copy before the first part. */
type OpenChat = { id: string; after: number } & Partial<CopiedChat>;

async function readChatParts(env: Env, chats: OpenChat[], cursor: Cursor): Promise<Stage> {
  const dumps = await Promise.all(
    chats.map(({ id, after }) => env.CHAT_ROOM.getByName(id).dump(after, CHAT_PART_BYTES).catch(asDamage)),
  );
  const damaged = [...(cursor.damaged ?? [])];
  const next: Cursor = { ...cursor, open: [] };
  const entries: ArchiveEntry[] = [];
  for (const [i, { id, after, number }] of chats.entries()) {
    const dump = dumps[i] ?? null;
    if (number !== undefined) next.after = number;
    if (dump instanceof Error) {
      damaged.push({ id, error: describeError(dump) });
      continue;
    }
    const entry = fileOf(`chats/${encodeURIComponent(id)}/${numbered(after)}.json`, JSON.stringify(dump));
    if (dump?.next) next.open.push({ id, after: dump.next });
    next.chats = await tallied(next.chats, entry, after === 0 ? 1 : 0);
    entries.push(entry);
  }
  if (damaged.length > MAX_DAMAGED)
    throw new Error(
      `${damaged.length} chats could not be read, the last one because of: ${damaged.at(-1)?.error}`,
    );
  return { entries, next: damaged.length > 0 ? { ...next, damaged } : next };
}

/** Returns the error of one damaged chat, which must not stop the others. @throws an error that passes by itself */
function asDamage(error: unknown): Error {
  if (isTransient(error)) throw error;
  return error instanceof Error ? error : new Error(String(error));
}

async function nextChats({ DB }: Env, after: number): Promise<CopiedChat[]> {
  const chats = (await shopTables(DB)).find(({ name }) => name === "chats");
  return readChats(DB, after, SLICE_CHATS, chats?.columns.indexOf("id") ?? 0);
}

async function objectSlice(env: Env, cursor: Cursor): Promise<Stage> {
  const listed = await nextObjects(env.BUCKET, String(cursor.after));
  const [first] = listed;
  if (!first) return { entries: [], next: { ...cursor, stage: "end" } };
  if (first.size > SLICE_BYTES) return largeObject(env, first.key, cursor);
  let bytes = 0;
  const chosen = listed.filter(({ size }) => {
    bytes += size;
    return bytes <= SLICE_BYTES;
  });
  const next = { ...cursor, after: chosen.at(-1)?.key ?? "" };
  // Each is read as soon as it is there: the platform ends connections that wait for one another.
  const contents = await Promise.all(
    chosen.map(async ({ key }) => {
      const object = await env.BUCKET.get(key);
      return object && { ...nameAndMeta(object), data: new Uint8Array(await object.arrayBuffer()) };
    }),
  );
  const entries = contents.filter((entry) => entry !== null);
  for (const entry of entries) next.objects = await tallied(next.objects, entry);
  // All were deleted since they were listed: the next ones follow at once.
  return entries.length > 0 ? { entries, next } : objectSlice(env, next);
}

async function largeObject(env: Env, key: string, cursor: Cursor): Promise<Stage> {
  const next = { ...cursor, after: key };
  const object = await env.BUCKET.get(key);
  if (!object) return objectSlice(env, next);
  return { entries: [], next, large: { ...nameAndMeta(object), size: object.size, body: object.body } };
}

const nameAndMeta = ({ key, httpMetadata, customMetadata }: R2Object) => ({
  name: `objects/${key}`,
  meta: JSON.stringify({ httpMetadata, customMetadata }),
});

/** Lists the next objects, without backups. */
export async function nextObjects(
  bucket: R2Bucket,
  after: string,
  limit = SLICE_OBJECTS,
): Promise<R2Object[]> {
  const { objects } = await bucket.list({ limit, ...(after && { startAfter: after }) });
  const own = objects.filter(({ key }) => !key.startsWith(BACKUP_FOLDER));
  const last = objects.at(-1)?.key;
  // "~" follows all characters of the names of backups.
  return own.length > 0 || last === undefined ? own : nextObjects(bucket, `${BACKUP_FOLDER}~`, limit);
}

async function lastSlice({ DB }: Env, cursor: Cursor, bytes: number): Promise<Slice> {
  const { id, createdAt, tables, chats, objects, slices, sha256, damaged } = cursor;
  const names = (await shopTables(DB)).map(({ name, columns }) => [name, columns] as const);
  const manifest: Manifest = {
    format: FORMAT,
    createdAt,
    migrations: await appliedMigrations(DB),
    columns: Object.fromEntries(names.filter(([name]) => name in tables)),
    tables,
    chats,
    objects,
    slices,
    sha256,
    ...(damaged && { damaged }),
  };
  const data = await packEnd(JSON.stringify(manifest));
  const rows = Object.values(tables).reduce((sum, { count }) => sum + count, 0);
  const unread = damaged ? `; ${damaged.length} chats could not be read` : "";
  const result = `${rows.toLocaleString("en-CA")} rows, ${chats.count} chats, ${objects.count} files${unread}`;
  const now = epochSeconds();
  await endBackup(DB, { id, state: "done", bytes: bytes + data.byteLength, result, now });
  return { bytes: data.byteLength, isLast: true, content: wholeSlice(data, null) };
}

/** Records that a backup has failed. */
export async function failBackup({ DB }: Env, id: string, reason: string): Promise<void> {
  await endBackup(DB, { id, state: "failed", bytes: 0, result: reason, now: epochSeconds() });
}

const fileOf = (name: string, text: string): ArchiveEntry => ({ name, data: new TextEncoder().encode(text) });
const numbered = (number: number) => String(number).padStart(9, "0");

const DAYS_KEPT = 7;
const WEEKS_KEPT = 4;
const MONTHS_KEPT = 12;

/**
 * Chooses the backups that retention drops: the latest of each of the last 7 days, 4 weeks and 12 months stay.
 *
 * @param ids of complete backups, which begin with their date (YYYY-MM-DD)
 */
export function expiredBackups(ids: string[]): string[] {
  const newestFirst = [...ids].sort().reverse();
  const kept = new Set<string>();
  const keep = (count: number, periodOf: (id: string) => string) => {
    const latest = new Map<string, string>();
    for (const id of newestFirst) if (!latest.has(periodOf(id))) latest.set(periodOf(id), id);
    for (const id of [...latest.values()].slice(0, count)) kept.add(id);
  };
  keep(DAYS_KEPT, (id) => id.slice(0, 10));
  // 5 January 1970 was a Monday.
  keep(WEEKS_KEPT, (id) => String(Math.floor((Date.parse(id.slice(0, 10)) / DAY_MS - 4) / 7)));
  keep(MONTHS_KEPT, (id) => id.slice(0, 7));
  return newestFirst.filter((id) => !kept.has(id));
}
