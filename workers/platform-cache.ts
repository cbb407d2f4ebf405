import { WorkerEntrypoint } from "cloudflare:workers";
import { DAY_SECONDS } from "~/domain/durations";
import { requestContext } from "~/http/request-context.server";
import { describeError, withRequestLog } from "~/http/request-log.server";
import {
  FRESH_SECONDS,
  personalResponse,
  readStored,
  renderForCache,
  type SharedCache,
  storedResponse,
} from "./cached-page";
import { remix } from "./routes";
import { isPicture } from "./shared-requests";

/** Seconds that a page is served while it is rendered again, which a purge ends at once. */
const STALE_SECONDS = DAY_SECONDS;

/** Limits both to the time at which the page's words change. @param until epoch milliseconds */
function pageCaching(until: number): string {
  const left = Math.max(0, Math.floor((until - Date.now()) / 1000));
  const fresh = Math.min(FRESH_SECONDS, left);
  return `public, max-age=${fresh}, stale-while-revalidate=${Math.min(STALE_SECONDS, left - fresh)}`;
}

/**
 * Renders what is the same for everyone, with the platform's cache before it, which serves all data centres
 * (docs/decisions/0067-shared-cache.md). The Worker before both adds the tokens of a reader.
 */
export class SharedPages extends WorkerEntrypoint<Env> {
  override fetch(request: Request): Promise<Response> {
    return withRequestLog(async () => {
      const waitUntil = (work: Promise<unknown>) => this.ctx.waitUntil(work);
      // A replica may not have the write whose purge has led here, and all readers would get what it has.
      const context = await requestContext(request, this.env, waitUntil, "first-primary");
      if (isPicture(context.url)) return remix(request, context);
      const page = await renderForCache(context, () => remix(request, context));
      // The Worker renders it again, for its reader.
      if (page instanceof Response)
        return new Response(null, { status: 204, headers: { "Cache-Control": "no-store" } });
      return storedResponse(page, pageCaching(page.until));
    });
  }

  /** Returns whether the platform's cache is on: the local engine has none. */
  isCached(): boolean {
    return this.ctx.cache !== undefined;
  }

  /** Removes pages by their tags; only the entry point that a cache belongs to can. @returns false for a failure */
  async purge(tags: string[]): Promise<boolean> {
    const result = await this.ctx.cache?.purge({ tags });
    return result?.success ?? false;
  }
}

/** Methods of `SharedPages` that the Worker calls. */
export interface SharedPagesStub {
  fetch(input: Request): Promise<Response>;
  isCached(): Promise<boolean>;
  purge(tags: string[]): Promise<boolean>;
}

/** Creates the cache of the platform, which stands before `SharedPages`. */
export const platformCache = (pages: SharedPagesStub): SharedCache => ({
  async page(url, context, render) {
    const stored = await pages.fetch(new Request(url)).catch(warn);
    const page = stored && (await readStored(stored));
    if (!page) return render();
    return personalResponse(page, context, stored.headers.get("CF-Cache-Status")?.toLowerCase() ?? "miss");
  },

  async picture(url, _waitUntil, load) {
    const picture = await pages.fetch(new Request(url)).catch(warn);
    return picture && picture.status < 500 ? picture : load();
  },

  purge: (tags) => pages.purge(tags),
});

/** Logs a failure of the cache, without which the shop answers as well. */
function warn(error: unknown): undefined {
  console.warn(JSON.stringify({ level: "warn", kind: "cache", error: describeError(error) }));
}
