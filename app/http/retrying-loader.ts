import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { READ_RETRIES, withRetries } from "./retries";

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
