import { SHOP_TAG } from "~/features/catalogue/page-tags";
import type { RequestContext } from "~/http/request-context.server";
import {
  type CachedPage,
  FRESH_SECONDS,
  personalResponse,
  type Render,
  readStored,
  renderForCache,
  type SharedCache,
  storedResponse,
} from "./cached-page";

/** Seconds that a data centre stores a page. */
const STORED_SECONDS = 600;
/** Limits of the memory cache, 16 MB in total. */
const MAX_MEMORY_PAGES = 64;
const MAX_MEMORY_PAGE_BYTES = 256 * 1024;
/** Purged tags that are kept one by one. */
const MAX_PURGED_TAGS = 1000;

/** Recently served pages, because a look-up at the edge dominates the response time. */
const memoryCache = new Map<string, CachedPage>();
/** Times of the latest purges, epoch milliseconds by tag; the address of a page is a tag too. */
const purges = new Map<string, number>();

/**
 * Cache of a data centre: the Cache API, with the isolate's memory before it. It has no stale-while-revalidate, so a page that
 * is no longer fresh is served while it is rendered again. A purge reaches this isolate; elsewhere a page stays for as long as it
 * is fresh (docs/decisions/0067-shared-cache.md).
 */
export const dataCentreCache: SharedCache = {
  async page({ origin, pathname, search }, context, render) {
    const url = `${origin}/cached${pathname}${search}`;
    const inMemory = memoryCache.get(url);
    if (inMemory && isFresh(inMemory) && Date.now() < inMemory.until && !isPurged(inMemory))
      return personalResponse(inMemory, context, "hit");
    const stored = await caches.default.match(url);
    const cached = stored && (await readStored(stored));
    if (!cached || isPurged(cached)) return renderPage(url, context, render);
    if (isFresh(cached)) {
      keepInMemory(url, cached);
      return personalResponse(cached, context, "hit");
    }
    context.waitUntil(revalidate(url, cached, context, render));
    return personalResponse(cached, context, "stale");
  },

  async picture(url, waitUntil, load) {
    const stored = await caches.default.match(url);
    if (stored) return stored;
    const picture = await load();
    if (picture.headers.get("Cache-Control")?.startsWith("public"))
      waitUntil(caches.default.put(url, picture.clone()));
    return picture;
  },

  async purge(tags) {
    const isFull = purges.size + tags.length > MAX_PURGED_TAGS;
    if (isFull) purges.clear();
    for (const tag of isFull ? [SHOP_TAG] : tags) purges.set(tag, Date.now());
    const purged = [...memoryCache].filter(([, page]) => isPurged(page)).map(([url]) => url);
    for (const url of purged) memoryCache.delete(url);
    // A restarted isolate no longer knows of the purge.
    await Promise.all(purged.map((url) => caches.default.delete(url)));
    return true;
  },
};

const isFresh = ({ at }: CachedPage) => Date.now() - at <= FRESH_SECONDS * 1000;

/** Tests for a page that was rendered before a purge of one of its tags, or while it took place. */
const isPurged = ({ tags, at }: CachedPage) => tags.some((tag) => (purges.get(tag) ?? 0) >= at);

async function renderPage(url: string, context: RequestContext, render: Render): Promise<Response> {
  const cached = await renderForCache(context, render);
  if (cached instanceof Response) return cached;
  cached.tags.push(url);
  context.waitUntil(store(url, cached));
  keepInMemory(url, cached);
  return personalResponse(cached, context, "miss");
}

const store = (url: string, page: CachedPage): Promise<void> =>
  caches.default.put(url, storedResponse(page, `public, max-age=${STORED_SECONDS}`));

/** Stores a page in memory in place of the oldest one. */
function keepInMemory(url: string, page: CachedPage): void {
  if (page.body.byteLength > MAX_MEMORY_PAGE_BYTES) return;
  memoryCache.delete(url);
  memoryCache.set(url, page);
  const [oldest] = memoryCache.keys();
  if (memoryCache.size > MAX_MEMORY_PAGES && oldest !== undefined) memoryCache.delete(oldest);
}

/**
 * Revalidates a page. The stale one is stored as fresh first, so that a single request renders it; it stays after a failure,
 * and is removed when the page is gone.
 */
async function revalidate(url: string, stale: CachedPage, context: RequestContext, render: Render) {
  await store(url, { ...stale, at: Date.now() });
  const page = await renderPage(url, context, render);
  if (page.status === 200 || page.status >= 500) return;
  // A reader may have just read the page, and is about to keep it in memory.
  await dataCentreCache.purge([url]);
  await caches.default.delete(url);
}
