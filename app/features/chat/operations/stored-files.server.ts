import { DAY_SECONDS } from "~/domain/durations";
import { removeOldObjects, UNUSED_OBJECT_SECONDS } from "~/features/storage/operations/objects.server";
import { NextStep } from "~/http/nightly-job.server";
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

/** Returns the folder of a day's files. @param now epoch seconds */
export const folderOfDay = (now: number) => `chats/${new Date(now * 1000).toISOString().slice(0, 10)}/`;

/** Uploads of one step, and therefore rooms that it asks at most. */
export const STEP_LIMITS = { pageSize: 400, maxPages: 1 };

/**
 * Removes files that belong to no message: their upload broke off between storage and room. Runs nightly, a page of one
 * day's uploads in each step; asks only the rooms with uploads of the last days.
 *
 * @param cursor number of days back
 * @param now epoch milliseconds
 * @returns the number of removed files, or the next step
 */
export async function removeOrphanFiles(
  env: Env,
  cursor = "1",
  now = Date.now(),
  limits = STEP_LIMITS,
): Promise<number | NextStep> {
  const day = Number(cursor);
  const name = folderOfDay(now / 1000 - day * DAY_SECONDS);
  const before = now - UNUSED_OBJECT_SECONDS * 1000;
  const select = (objects: R2Object[]) =>
    selectOrphans(
      env,
      objects.map(({ key }) => key),
    );
  const { removed, isComplete } = await removeOldObjects(env.BUCKET, { name, before, limits }, select);
  if (!isComplete) return new NextStep(cursor, removed);
  return day < SWEPT_DAYS ? new NextStep(String(day + 1), removed) : removed;
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
