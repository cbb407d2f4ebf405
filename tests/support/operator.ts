import { readManifest, readSlice } from "~/features/backup/archive";
import { call } from "./shop";

export const BACKUP_KEY = "a key that only tests know, of 32 bytes or more";

/** Sends a request of an operator. */
export const operate = (method: string, path: string, body?: BodyInit, key = BACKUP_KEY) =>
  call(`/operator/${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}` },
    ...(body !== undefined && { body }),
  });

/** Makes a backup. @param between runs after each slice, as people use the shop meanwhile */
export async function backUp(between?: (slice: number) => Promise<unknown>) {
  const slices: Uint8Array<ArrayBuffer>[] = [];
  let cursor = await ok(operate("POST", "backup")).then((answer) => answer.text());
  while (cursor !== "null") {
    const { slice, next } = await readSlice(await ok(operate("POST", "backup/slice", cursor)));
    cursor = JSON.stringify(next);
    slices.push(slice);
    await between?.(slices.length);
  }
  const bytes = await joined(slices);
  return { slices, bytes, manifest: await manifestOf(bytes) };
}

export const joined = async (parts: Uint8Array<ArrayBuffer>[]) =>
  new Uint8Array(await new Blob(parts).arrayBuffer());

/** Reads the manifest of an archive in memory. */
export const manifestOf = (bytes: Uint8Array<ArrayBuffer>) =>
  readManifest(bytes.byteLength, async (from, count) => bytes.slice(from, from + count));

/** Waits for an answer that must be a success. */
export async function ok(answer: Promise<Response>): Promise<Response> {
  const { status } = await answer;
  if (status >= 400) throw new Error(`${status} ${await (await answer).text()}`);
  return answer;
}
