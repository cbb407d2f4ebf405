import { removeOldObjects, UNUSED_OBJECT_SECONDS } from "~/features/storage/operations.server";
import { chatOfFile, fileKeys } from "../files";

/** Deletes the files of a deleted chat; repeating it changes nothing. */
export async function deleteFiles(env: Env, keys: string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += MAX_DELETED)
    await env.BUCKET.delete(keys.slice(from, from + MAX_DELETED));
}

/** Keys of one deletion in R2. */
const MAX_DELETED = 1000;
/** Days back whose uploads the sweep checks: each of them twice, should a night be missed. */
const SWEPT_DAYS = 3;
const DAY_SECONDS = 24 * 60 * 60;

/** Returns the folder of a day's files. @param now epoch seconds */
export const folderOfDay = (now: number) => `chats/${new Date(now * 1000).toISOString().slice(0, 10)}/`;

/**
 * Removes files that belong to no message: their upload broke off between storage and room. Run nightly; asks only the
 * rooms with uploads of the last days.
 *
 * @param now epoch milliseconds
 * @returns number of removed files
 */
export async function removeOrphanFiles(env: Env, now = Date.now()): Promise<number> {
  const before = now - UNUSED_OBJECT_SECONDS * 1000;
  let removed = 0;
  for (let day = 1; day <= SWEPT_DAYS; day++) {
    const name = folderOfDay(now / 1000 - day * DAY_SECONDS);
    removed += await removeOldObjects(env.BUCKET, { name, before }, (objects) =>
      selectOrphans(
        env,
        objects.map(({ key }) => key),
      ),
    );
  }
  return removed;
}

/** Selects the keys that no message of their chat names. */
export async function selectOrphans(env: Env, keys: string[]): Promise<string[]> {
  const byChat = new Map<string, string[]>();
  for (const key of keys) {
    const chatId = chatOfFile(key);
    if (chatId) byChat.set(chatId, [...(byChat.get(chatId) ?? []), key]);
  }
  const orphans: string[] = [];
  for (const [chatId, uploaded] of byChat) {
    const used = new Set(fileKeys(await env.CHAT_ROOM.getByName(chatId).files()));
    orphans.push(...uploaded.filter((key) => !used.has(key)));
  }
  return orphans;
}
