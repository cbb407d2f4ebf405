import type { ClientLoaderFunctionArgs } from "@remix-run/react";

/** Milliseconds before each retry of a read. */
export const READ_RETRIES = [500, 1000, 2000];
/** Milliseconds before the one retry of a mutation. */
export const MUTATION_RETRIES = [500];

/**
 * Retries work that failed on a broken connection or with a 5xx. Errors of the caller (4xx), redirects and aborted
 * requests are not retried.
 *
 * @param work rejects with a Response or an Error
 * @param waits milliseconds before each retry
 * @param wait sleeps; replaced in tests
 * @throws the error of the last attempt
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
      if (!isRetryable(error)) throw error;
      await wait(ms);
    }
  }
  return work();
}

function isRetryable(error: unknown): boolean {
  const { status, name } = (error ?? {}) as { status?: unknown; name?: unknown };
  if (typeof status === "number") return status >= 500;
  return name !== "AbortError";
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Creates a `clientLoader` for the frame around every page. It retries on a broken connection; when that fails, the frame
 * keeps its last data, so that the page stays readable. An older response does not replace a newer one.
 *
 * @throws redirects, 4xx responses, and any error before the first data
 */
export function retryingLoader() {
  let last: unknown;
  let lastCall = 0;
  let calls = 0;
  const clientLoader = async ({ serverLoader }: ClientLoaderFunctionArgs) => {
    const call = ++calls;
    try {
      const data = await withRetries(() => serverLoader(), READ_RETRIES);
      if (call > lastCall) [last, lastCall] = [data, call];
    } catch (error) {
      const isFinal = error instanceof Response && error.status < 500;
      if (isFinal || last === undefined) throw error;
    }
    return last;
  };
  clientLoader.hydrate = true as const;
  /** Tells that the latest load has not been answered: Remix drops it when a navigation ends first. */
  clientLoader.isBehind = () => lastCall < calls;
  return clientLoader;
}
