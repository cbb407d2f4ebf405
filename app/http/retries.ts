/** Milliseconds before each new try of a read; their number is how often it is repeated (spec 9). */
export const READ_RETRIES = [500, 1000, 2000];
/** A mutation is repeated once (spec 9). */
export const MUTATION_RETRIES = [500];

/**
 * Tries again what failed for a reason that may pass: a broken connection or a 5xx. What the server refused
 * (4xx), redirected or the reader left behind is not tried again.
 *
 * @param work rejects with a Response, an Error or whatever fetch throws
 * @param waits milliseconds before each new try
 * @param wait sleeps; a test's clock
 * @throws what the last try threw
 */
export async function withRetries<T>(
  work: () => Promise<T>,
  waits: number[],
  wait: (ms: number) => Promise<void> = sleep,
): Promise<T> {
  for (const ms of waits) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error)) throw error;
      await wait(ms);
    }
  }
  return work();
}

function mayPass(error: unknown): boolean {
  const { status, name } = (error ?? {}) as { status?: unknown; name?: unknown };
  if (typeof status === "number") return status >= 500;
  return name !== "AbortError";
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
