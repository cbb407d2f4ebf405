import { type ClientLoaderFunctionArgs, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { READ_RETRIES, withRetries } from "~/http/retries";
import { listen } from "~/ui/listen";
import { pageLoadType } from "~/ui/page-load";

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
  private loading = new Map<string, Promise<unknown>>();
  private listeners = new Set<(key: string) => void>();

  /** Creates a cache. @param now clock, epoch ms */
  constructor(private now: () => number = Date.now) {}

  /**
   * Returns cached data, else what is being loaded, else loads it.
   *
   * @param key of the page
   * @throws what `load` throws when nothing is cached
   */
  async read<T>(key: string, load: () => Promise<T>): Promise<T> {
    const cached = this.find(key);
    if (!cached) {
      // A prefetch that fails, which is not retried, leaves the page to its own load.
      const loading = this.loading.get(key)?.catch(() => null);
      return ((loading && (await loading)) ?? this.load(key, load)) as Promise<T>;
    }
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

  /** Calls `listener` with the key of a renewed page that has changed. @returns unsubscribes */
  onRenewed(listener: (key: string) => void): () => void {
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

  private load<T>(key: string, load: () => Promise<T>): Promise<T> {
    const loading = load()
      .then((data) => this.store(key, data))
      .finally(() => this.loading.delete(key));
    this.loading.set(key, loading);
    return loading;
  }

  private async renew<T>(key: string, load: () => Promise<T>): Promise<void> {
    if (this.loading.has(key)) return;
    try {
      const before = JSON.stringify(this.peek(key));
      if (JSON.stringify(await this.load(key, load)) !== before)
        for (const listener of this.listeners) listener(key);
    } catch {
      // The cached data stays; the next visit tries again.
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

/** The page's HTML may be of an earlier visit: browsers take it from their cache when a reader goes back. */
const isPageOfHistory = () => pageLoadType() === "back_forward";

/**
 * Revalidates the current page when the cache has renewed it, when the connection returns, and when a reader has come back
 * to it by the browser's history.
 */
export function useFreshPages(): void {
  const { revalidate } = useRevalidator();
  useEffect(
    () =>
      pages.onRenewed((key) => {
        if (key === pageKey(location.href)) revalidate();
      }),
    [revalidate],
  );
  useEffect(() => {
    const reconnect = () => {
      pages.expire();
      revalidate();
    };
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && revalidate();
    const ignoreNetwork = listen(window, ["online"], reconnect);
    const ignoreVisits = listen(window, ["pageshow"], comeBack);
    return () => {
      ignoreNetwork();
      ignoreVisits();
    };
  }, [revalidate]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on the page's load
  useEffect(() => {
    // Not before Remix has run the loaders of the document, which answer with its data.
    const timer = isPageOfHistory() ? setTimeout(revalidate) : undefined;
    return () => clearTimeout(timer);
  }, []);
}

/** Time that the pointer or focus rests on a link before it is prefetched, ms. */
const PREFETCH_DELAY_MS = 100;

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
    timer = setTimeout(prefetch, PREFETCH_DELAY_MS);
  };
  return { onPointerEnter: schedule, onFocus: schedule, onPointerLeave: cancel, onBlur: cancel };
}

async function fetchProductData(path: string): Promise<unknown> {
  const response = await fetch(`${path}/data`);
  if (!response.ok) throw response;
  return response.json();
}
