import { z } from "zod";
import { isTransient } from "~/db/metered-d1.server";
import { epochSeconds } from "~/domain/durations";
import { AppError } from "~/http/errors";
import { describeError } from "~/http/request-log.server";
import { adminRoom } from "~/http/shop-objects.server";
import { listNames } from "~/ui/format";
import { type ArchiveEntry, FORMAT, type LargeFile, SLICE_BYTES, unpackStream } from "./archive";
import { nextObjects } from "./operations.server";
import {
  endRestore,
  filledTables,
  findRestore,
  hasRestoreBegun,
  type IncompleteChat,
  startRestore,
  storeSlice,
  type TablePage,
  takeOver,
  type UnrestoredChats,
} from "./restore.queries.server";
import { appliedMigrations } from "./snapshot.queries.server";

/** Seconds without activity after which another process may continue a restore. */
const STALE_SECONDS = 20;

/** Part of a manifest that a restore uses. */
export const RestoreManifest = z.object({
  format: z.int().positive(),
  migrations: z.array(z.string()),
  slices: z.array(z.int().nonnegative()),
  sha256: z.string().min(1),
});

/**
 * Begins a restore into an empty shop, or continues one that broke off.
 *
 * @param takesOver continues one that was active just now, because its process was killed
 * @returns token of this process, and the number of the next slice
 * @throws AppError conflict for another version, a shop with data or a restore under way
 */
export async function beginRestore(
  env: Env,
  manifest: z.infer<typeof RestoreManifest>,
  takesOver = false,
): Promise<{ token: string; next: number }> {
  await checkVersion(env.DB, manifest);
  const archive = manifest.sha256;
  const token = crypto.randomUUID();
  const now = epochSeconds();
  const running = await findRestore(env.DB);
  if (!running) {
    await checkEmpty(env);
    await startRestore(env.DB, { archive, token, slices: manifest.slices.length, now }).catch(
      async (error: unknown) => {
        if (!hasRestoreBegun(error)) throw error;
        if (!(await findRestore(env.DB))) await checkEmpty(env);
        throw otherRestore();
      },
    );
    return { token, next: 0 };
  }
  if (running.archive !== archive)
    throw new AppError(
      "conflict",
      "The restore of another archive is incomplete. Continue it, or empty the shop.",
    );
  if (!(await takeOver(env.DB, token, takesOver ? now + 1 : now - STALE_SECONDS, now))) throw otherRestore();
  return { token, next: running.next };
}

const otherRestore = () =>
  new AppError(
    "conflict",
    `Another restore is under way, or ended less than ${STALE_SECONDS} seconds ago. If it was killed, --take-over continues it.`,
  );

async function checkVersion(
  db: D1Database,
  { format, migrations }: z.infer<typeof RestoreManifest>,
): Promise<void> {
  if (format > FORMAT)
    throw new AppError("conflict", `The archive has format ${format}; this shop reads up to ${FORMAT}.`);
  const applied = await appliedMigrations(db);
  const unknown = migrations.filter((name) => !applied.includes(name));
  if (unknown.length > 0)
    throw new AppError("conflict", `The archive is of a newer version of the shop (${unknown.join(", ")}).`);
  const later = applied.filter((name) => !migrations.includes(name));
  if (later.length > 0)
    throw new AppError(
      "conflict",
      `The archive is of an older version, and this shop has later migrations (${listNames(later, 3)}). Restore into a new folder or database without them (docs/operations.md).`,
    );
}

async function checkEmpty({ DB, BUCKET }: Env): Promise<void> {
  const filled = await filledTables(DB);
  if ((await nextObjects(BUCKET, "", 1)).length > 0) filled.push("files");
  if (filled.length > 0)
    throw new AppError(
      "conflict",
      `The shop is not empty: it has ${listNames(filled, 3)}. Nothing was changed.`,
    );
}

/** Slice of an archive, or a part of one that is too large for a request. */
interface RestoreStep {
  token: string;
  slice: number;
  isLastPart: boolean;
  data: ReadableStream<Uint8Array>;
}

/**
 * Stores the content of a slice. A repeated one changes nothing.
 *
 * @returns number of the next slice
 * @throws AppError conflict for another process or a later slice, invalid for a damaged one
 */
export async function restoreSlice(env: Env, step: RestoreStep): Promise<number> {
  const { token, slice, isLastPart, data } = step;
  const running = await findRestore(env.DB);
  if (running?.token !== token) throw otherRestore();
  if (slice > running.next) throw new AppError("conflict", `Slice ${running.next} is expected next.`);
  if (slice < running.next) return running.next;
  const { pages, incomplete } = await storeFiles(env, data);
  // A repeated part would store its rows twice.
  if (!isLastPart && pages.length > 0) throw new AppError("invalid", "Rows come in whole slices.");
  await storeSlice(env.DB, { token, slice, isLastPart, pages, incomplete, now: epochSeconds() });
  return isLastPart ? slice + 1 : slice;
}

/** Stores the files and chats of a slice, and returns its rows, which one transaction stores. */
async function storeFiles(
  env: Env,
  data: ReadableStream<Uint8Array>,
): Promise<{ pages: TablePage[]; incomplete: IncompleteChat[] }> {
  const pages: TablePage[] = [];
  const incomplete: IncompleteChat[] = [];
  let storing: Promise<IncompleteChat | null>[] = [];
  let held = 0;
  const stored = async () => {
    incomplete.push(...(await Promise.all(storing)).filter((chat) => chat !== null));
    storing = [];
    held = 0;
  };
  for await (const file of arrivingFiles(data)) {
    if ("body" in file) {
      await storeLargeObject(env.BUCKET, file);
      continue;
    }
    if (held + file.data.byteLength > SLICE_BYTES) await stored();
    held += file.data.byteLength;
    if (file.name.startsWith("tables/")) pages.push(pageOf(file));
    else storing.push(file.name.startsWith("chats/") ? storeChat(env, file) : storeObject(env.BUCKET, file));
  }
  await stored();
  return { pages, incomplete };
}

const damagedSlice = (error: unknown) =>
  new AppError("invalid", `The slice is no part of a tar file (${describeError(error)}).`);

/** Unpacks a slice while it arrives. @throws AppError invalid for a damaged one */
async function* arrivingFiles(data: ReadableStream<Uint8Array>): ReturnType<typeof unpackStream> {
  try {
    yield* unpackStream(data);
  } catch (error) {
    throw damagedSlice(error);
  }
}

const pageOf = ({ name, data }: ArchiveEntry): TablePage => ({
  table: name.split("/")[1] ?? "",
  lines: new TextDecoder().decode(data),
});

async function storeObject(bucket: R2Bucket, { name, data, meta }: ArchiveEntry): Promise<null> {
  await bucket.put(keyOf(name), data, metadataOf(meta));
  return null;
}

/** Stores a file while it arrives: complete, or not at all. */
async function storeLargeObject(bucket: R2Bucket, { name, meta, size, body }: LargeFile): Promise<void> {
  const { readable, writable } = new FixedLengthStream(size);
  const put = bucket.put(keyOf(name), readable, metadataOf(meta));
  const [sent, stored] = await Promise.allSettled([body.pipeTo(writable), put]);
  if (stored.status === "fulfilled") return;
  throw sent.status === "rejected" ? damagedSlice(sent.reason) : stored.reason;
}

const keyOf = (name: string) => name.slice("objects/".length);

const metadataOf = (meta = "{}"): Pick<R2PutOptions, "httpMetadata" | "customMetadata"> => {
  const { httpMetadata, customMetadata } = JSON.parse(meta) as R2PutOptions;
  return { ...(httpMetadata && { httpMetadata }), ...(customMetadata && { customMetadata }) };
};

/** Stores messages of a chat in its room. One that is damaged does not stop the others. @returns null for a stored one */
async function storeChat(env: Env, { name, data }: ArchiveEntry): Promise<IncompleteChat | null> {
  const id = decodeURIComponent(name.split("/")[1] ?? "");
  try {
    const dump = JSON.parse(new TextDecoder().decode(data));
    if (dump === null) return { id };
    await env.CHAT_ROOM.getByName(id).restore(dump);
    return null;
  } catch (error) {
    if (isTransient(error)) throw error;
    return { id, error: describeError(error) };
  }
}

/**
 * Milliseconds for which a restored shop sends no mails, notifications and webhooks: they wait until the copy is checked.
 */
export const RESTORE_PAUSE_MS = 3_600_000;

/** Ends a restore after its last slice. @throws AppError conflict before that */
export async function finishRestore(
  env: Env,
  token: string,
  options: { keepsMissing: boolean },
): Promise<UnrestoredChats> {
  const running = await findRestore(env.DB);
  if (running?.token !== token) throw otherRestore();
  const { next, slices } = running;
  if (next !== slices) throw new AppError("conflict", `Slices are missing: ${next} of ${slices} are stored.`);
  await adminRoom(env).pauseDeliveries(Date.now() + RESTORE_PAUSE_MS);
  return endRestore(env.DB, options);
}
