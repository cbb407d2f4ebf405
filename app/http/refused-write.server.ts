import { isRefusedByRestore } from "~/db/metered-d1.server";
import { isRefusedByClosing } from "./closed-books.server";
import { AppError } from "./errors";

/** Attempts of a write whose refusal nothing explains. */
const MAX_ATTEMPTS = 4;

/** Creates the error of a write that was refused for a reason that is gone. */
export const concurrentChange = () =>
  new AppError("conflict", "Somebody else changed this at the same time. Please try again.");

/**
 * Runs a write that constraints may refuse. The reason is read after the refusal and may be gone: the write is
 * repeated.
 *
 * @param write is run again as it is: what changes between two attempts is read in it
 * @param explain throws the reason, or returns the answer when the same request was stored by a concurrent attempt
 * @param attempts at most
 * @throws AppError the reason; conflict when none is found; other errors as they are
 */
export async function writeOrExplain<T>(
  write: () => Promise<T>,
  explain: () => Promise<T | undefined> = async () => undefined,
  attempts = MAX_ATTEMPTS,
): Promise<T> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (!isRefused(error)) throw error;
    }
    const answer = await explain();
    if (answer !== undefined) return answer;
  }
  throw concurrentChange();
}

/**
 * Recognises a batch that a constraint, a trigger or a guard by invalid JSON refused, other than by a restore under way or in a
 * closed month, which say why themselves.
 */
export function isRefused(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof AppError) return false;
  if (isRefusedByRestore(error) || isRefusedByClosing(error)) return false;
  return /constraint|malformed JSON/i.test(error.message) || isRefused(error.cause);
}
