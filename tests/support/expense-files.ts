import { env } from "cloudflare:workers";
import type { FileCard } from "~/features/storage/file-card";
import { call } from "./shop";

/** Caller of the shop. */
type By = { token?: string; cookie?: string };

/** Attaches files to an expense. */
export function attach(expenseId: string, files: File[], by: By): Promise<Response> {
  const form = new FormData();
  for (const file of files) form.append("files", file);
  return call(`/api/expense/${expenseId}/file`, { body: form, ...by });
}

/** Attaches files and returns their cards. */
export async function attached(expenseId: string, files: File[], by: By): Promise<FileCard[]> {
  const answer = await attach(expenseId, files, by);
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as FileCard[];
}

/** Reads a file of an expense. @param more further parameters, such as `&w=320` */
export const billOf = (key: string, by: By = {}, more = "") =>
  call(`/api/expense/file?key=${encodeURIComponent(key)}${more}`, by);

/** Lists the keys of all files of expenses in the bucket. */
export const billsInBucket = async (): Promise<string[]> =>
  (await env.BUCKET.list({ prefix: "expenses/" })).objects.map(({ key }) => key);
