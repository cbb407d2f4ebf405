import type { ClientLoaderFunctionArgs } from "@remix-run/react";

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

/**
 * A `clientLoader` for what stands around every page: tried again when the connection breaks (spec 9), and when
 * it stays away the frame keeps what it showed, for a page that can be read is better than an error page.
 *
 * @throws redirects and refusals (4xx), and whatever it is before anything was shown
 */
export function retryingLoader() {
  let last: unknown;
  const clientLoader = async ({ serverLoader }: ClientLoaderFunctionArgs) => {
    try {
      last = await withRetries(() => serverLoader(), READ_RETRIES);
    } catch (error) {
      const told = error instanceof Response && error.status < 500;
      if (told || last === undefined) throw error;
    }
    return last;
  };
  clientLoader.hydrate = true as const;
  return clientLoader;
}
