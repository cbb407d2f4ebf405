import { type ClientLoaderFunctionArgs, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { READ_RETRIES, withRetries } from "~/http/retries";

const MINUTE = 60_000;
/** Age up to which data is fresh, and up to which it is cached, ms. */
const FRESH_MS = 5 * MINUTE;
const CACHED_MS = 10 * MINUTE;
/** Maximum number of cached pages; the least recently written is evicted. */
const MAX_PAGES = 60;

interface CachedPage {
  data: unknown;
  /** Load time, epoch ms. */
  loadedAt: number;
}

/** Cache of loader data: fresh for 5 minutes, then displayed while it is renewed, discarded after 10. */
export class PageCache {
  private pageCache = new Map<string, CachedPage>();
  private renewing = new Set<string>();
  private listeners = new Set<() => void>();

  /** Creates a cache. @param now clock, epoch ms */
  constructor(private now: () => number = Date.now) {}

  /**
   * Returns cached data, else loads it.
   *
   * @param key of the page
   * @throws what `load` throws when nothing is cached
   */
  async read<T>(key: string, load: () => Promise<T>): Promise<T> {
    const cached = this.find(key);
    if (!cached) return this.store(key, await load());
    if (this.now() - cached.loadedAt >= FRESH_MS) void this.renew(key, load);
    return cached.data as T;
  }

  peek<T>(key: string): T | undefined {
    return this.find(key)?.data as T | undefined;
  }

  /** Marks everything as stale, after the connection was lost. */
  expire(): void {
    for (const page of this.pageCache.values())
      page.loadedAt = Math.min(page.loadedAt, this.now() - FRESH_MS);
  }

  /** Calls `listener` when a renewed page has changed. @returns unsubscribes */
  onRenewed(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private find(key: string): CachedPage | undefined {
    const page = this.pageCache.get(key);
    if (page && this.now() - page.loadedAt < CACHED_MS) return page;
    this.pageCache.delete(key);
    return undefined;
  }

  private store<T>(key: string, data: T): T {
    this.pageCache.delete(key);
    this.pageCache.set(key, { data, loadedAt: this.now() });
    const [oldest] = this.pageCache.keys();
    if (this.pageCache.size > MAX_PAGES && oldest !== undefined) this.pageCache.delete(oldest);
    return data;
  }

  private async renew<T>(key: string, load: () => Promise<T>): Promise<void> {
    if (this.renewing.has(key)) return;
    this.renewing.add(key);
    try {
      const before = JSON.stringify(this.peek(key));
      const data = this.store(key, await load());
      if (JSON.stringify(data) !== before) for (const listener of this.listeners) listener();
    } catch {
      // The cached data stays; the next visit tries again.
    } finally {
      this.renewing.delete(key);
    }
  }
}

/** Cached catalogue pages of this tab. */
export const pages = new PageCache();

export function pageKey(url: URL | string): string {
  const { pathname, search } = new URL(url, "http://shop.invalid");
  return pathname + search;
}

/** `clientLoader` of the catalogue pages (home, shop, product), through the cache. */
export function cachedLoader<T = unknown>({ request, serverLoader }: ClientLoaderFunctionArgs): Promise<T> {
  return pages.read(pageKey(request.url), () =>
    withRetries(() => serverLoader<T>() as Promise<T>, READ_RETRIES),
  );
}
/** Also caches the data of the server-rendered document. */
cachedLoader.hydrate = true as const;

/** Revalidates the current page when the cache has renewed it and when the connection returns. */
export function useFreshPages(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => pages.onRenewed(revalidate), [revalidate]);
  useEffect(() => {
    const reconnect = () => {
      pages.expire();
      revalidate();
    };
    window.addEventListener("online", reconnect);
    return () => window.removeEventListener("online", reconnect);
  }, [revalidate]);
}

/** Time that the pointer or focus rests on a link before it is prefetched, ms. */
const PREFETCH_DELAY = 100;

let timer: ReturnType<typeof setTimeout> | undefined;

const cancel = () => clearTimeout(timer);

/**
 * Prefetches a product's data while the pointer or focus rests on its link. Remix prefetches the page's code, but not the
 * data of routes with a client loader.
 *
 * @param path of the product page
 * @returns handlers for the link
 */
export function prefetchHandlers(path: string) {
  if (import.meta.env.SSR) return {};
  const schedule = () => {
    cancel();
    const prefetch = () => void pages.read(pageKey(path), () => fetchProductData(path)).catch(() => null);
    timer = setTimeout(prefetch, PREFETCH_DELAY);
  };
  return { onPointerEnter: schedule, onFocus: schedule, onPointerLeave: cancel, onBlur: cancel };
}

async function fetchProductData(path: string): Promise<unknown> {
  const response = await fetch(`${path}/data`);
  if (!response.ok) throw response;
  return response.json();
}
