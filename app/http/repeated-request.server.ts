import { sha256 } from "~/session/tokens.server";
import { AppError } from "./errors";

/** Id and content hash by which a repeated request is recognised. */
export interface RequestKey {
  requestId: string;
  requestHash: string;
}

/** Creates the key of a request. @param id chosen by the sender; without one nothing is repeated */
export async function requestKey(
  id: string | undefined,
  content: Record<string, unknown>,
): Promise<RequestKey> {
  const requestHash = await sha256(JSON.stringify(content));
  return { requestId: id ?? crypto.randomUUID(), requestHash };
}

/**
 * Returns what an earlier request with the same id stored. Chat rooms compare messages themselves (workers/limits.ts): cards
 * are the same when their files are, and the room answers with a result where this throws.
 *
 * @param sent what a repeated request has in common with it, such as its `requestHash`
 * @throws AppError conflict for another request with the id, and when its object is gone
 */
export function repeatedAnswer<T extends object>(
  stored: T | undefined,
  sent: Partial<T>,
  refusal: string,
): T {
  const isSame = (name: keyof T) => JSON.stringify([sent[name]]) === JSON.stringify([stored?.[name]]);
  if (stored && (Object.keys(sent) as (keyof T)[]).every(isSame)) return stored;
  throw new AppError("conflict", refusal);
}
