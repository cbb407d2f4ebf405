import { epochSeconds } from "~/db/durations";
import { AppError } from "~/http/errors";
import { adminRoom } from "~/http/shop-objects.server";
import { listNames } from "~/ui/format";
import { type ArchiveEntry, FORMAT, type Manifest, unpackSlice } from "./archive";
import { nextObjects } from "./operations.server";
import {
  endRestore,
  filledTables,
  findRestore,
  hasRestoreBegun,
  startRestore,
  storeSlice,
  takeOver,
} from "./restore.queries.server";
import { appliedMigrations } from "./snapshot.queries.server";

/** Seconds without activity after which another process may continue a restore. */
const STALE_SECONDS = 20;

/**
 * Begins a restore into an empty shop, or continues one that broke off.
 *
 * @returns token of this process, and the number of the next slice
 * @throws AppError conflict for another version, a shop with data or a restore under way
 */
export async function beginRestore(env: Env, manifest: Manifest): Promise<{ token: string; next: number }> {
  await checkVersion(env.DB, manifest);
  const archive = manifest.sha256;
  const token = crypto.randomUUID();
  const now = epochSeconds();
  const running = await findRestore(env.DB);
  if (!running) {
    await checkEmpty(env);
    await startRestore(env.DB, { archive, token, slices: manifest.slices.length, now }).catch((error) => {
      throw hasRestoreBegun(error) ? otherRestore() : error;
    });
    return { token, next: 0 };
  }
  if (running.archive !== archive)
    throw new AppError(
      "conflict",
      "The restore of another archive is incomplete. Continue it, or empty the shop.",
    );
  if (!(await takeOver(env.DB, token, now - STALE_SECONDS, now))) throw otherRestore();
  return { token, next: running.next };
}

const otherRestore = () =>
  new AppError("conflict", `Another restore is under way, or ended less than ${STALE_SECONDS} seconds ago.`);

async function checkVersion(db: D1Database, { format, migrations }: Manifest): Promise<void> {
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
      `The archive is of an older version of the shop, without ${later.join(", ")}: restore it with that version, then upgrade.`,
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

/**
 * Stores the content of a slice. A repeated one changes nothing.
 *
 * @returns number of the next slice
 * @throws AppError conflict for another process or a later slice
 */
export async function restoreSlice(
  env: Env,
  { token, slice, data }: { token: string; slice: number; data: Uint8Array<ArrayBuffer> },
): Promise<number> {
  const running = await findRestore(env.DB);
  if (running?.token !== token) throw otherRestore();
  if (slice > running.next) throw new AppError("conflict", `Slice ${running.next} is expected next.`);
  if (slice < running.next) return running.next;
  const entries = await unpackSlice(data);
  const of = (folder: string) => entries.filter(({ name }) => name.startsWith(folder));
  await Promise.all(of("objects/").map((entry) => storeObject(env.BUCKET, entry)));
  const stored = await Promise.all(of("chats/").map((entry) => storeChat(env, entry)));
  const missingChats = stored.flatMap((id) => id ?? []);
  const pages = of("tables/").map(({ name, data: rows }) => ({
    table: name.split("/")[1] ?? "",
    lines: new TextDecoder().decode(rows),
  }));
  await storeSlice(env.DB, { token, slice, pages, missingChats, now: epochSeconds() });
  return slice + 1;
}

async function storeObject(bucket: R2Bucket, { name, data, meta }: ArchiveEntry): Promise<void> {
  const { httpMetadata, customMetadata } = JSON.parse(meta ?? "{}") as R2PutOptions;
  await bucket.put(name.slice("objects/".length), data, {
    ...(httpMetadata && { httpMetadata }),
    ...(customMetadata && { customMetadata }),
  });
}

/** Stores messages of a chat in its room. @returns the id of a missing chat */
async function storeChat(env: Env, { name, data }: ArchiveEntry): Promise<string | null> {
  const id = decodeURIComponent(name.split("/")[1] ?? "");
  const dump = JSON.parse(new TextDecoder().decode(data));
  if (dump === null) return id;
  await env.CHAT_ROOM.getByName(id).restore(dump);
  return null;
}

/**
 * Milliseconds for which a restored shop sends no mails, notifications and webhooks: they wait until the copy is checked.
 */
export const RESTORE_PAUSE_MS = 3_600_000;

/** Ends a restore after its last slice. @throws AppError conflict before that */
export async function finishRestore(env: Env, token: string): Promise<void> {
  const running = await findRestore(env.DB);
  if (running?.token !== token) throw otherRestore();
  const { next, slices } = running;
  if (next !== slices) throw new AppError("conflict", `Slices are missing: ${next} of ${slices} are stored.`);
  await adminRoom(env).pauseDeliveries(Date.now() + RESTORE_PAUSE_MS);
  await endRestore(env.DB);
}
