import { type ClientLoaderFunctionArgs, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { READ_RETRIES, withRetries } from "~/http/retries";

const MINUTE = 60_000;
/** Spec 9, query cache: data fresh for 5 minutes and kept for 10. */
const FRESH = 5 * MINUTE;
const KEPT = 10 * MINUTE;
/** Pages kept at most; the longest untouched goes first. */
const MAX_PAGES = 60;

interface KeptPage {
  data: unknown;
  /** When it was loaded, ms. */
  at: number;
}

/**
 * Loader data in the browser: fresh for 5 minutes; from 5 to 10 it is shown at once and renewed behind the
 * reader's back; after that it is forgotten (spec 9).
 */
export class PageCache {
  private pageCache = new Map<string, KeptPage>();
  private renewing = new Set<string>();
  private listeners = new Set<() => void>();

  /** @param now milliseconds; a test's clock */
  constructor(private now: () => number = Date.now) {}

  /**
   * @param key names the page
   * @param load fetches it
   * @returns what is kept, else what `load` brings
   * @throws what `load` throws, unless something is kept
   */
  async read<T>(key: string, load: () => Promise<T>): Promise<T> {
    const kept = this.kept(key);
    if (!kept) return this.keep(key, await load());
    if (this.now() - kept.at >= FRESH) void this.renew(key, load);
    return kept.data as T;
  }

  /** What is kept of a page, without loading it. */
  peek<T>(key: string): T | undefined {
    return this.kept(key)?.data as T | undefined;
  }

  /** From now on everything kept is shown once more and renewed: the connection was away. */
  expire(): void {
    for (const page of this.pageCache.values()) page.at = Math.min(page.at, this.now() - FRESH);
  }

  /** @returns ends the listening; `listener` hears when a renewed page says something new */
  onRenewed(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private kept(key: string): KeptPage | undefined {
    const page = this.pageCache.get(key);
    if (page && this.now() - page.at < KEPT) return page;
    this.pageCache.delete(key);
    return undefined;
  }

  private keep<T>(key: string, data: T): T {
    this.pageCache.delete(key);
    this.pageCache.set(key, { data, at: this.now() });
    const [oldest] = this.pageCache.keys();
    if (this.pageCache.size > MAX_PAGES && oldest !== undefined) this.pageCache.delete(oldest);
    return data;
  }

  private async renew<T>(key: string, load: () => Promise<T>): Promise<void> {
    if (this.renewing.has(key)) return;
    this.renewing.add(key);
    try {
      const before = JSON.stringify(this.peek(key));
      const data = this.keep(key, await load());
      if (JSON.stringify(data) !== before) for (const listener of this.listeners) listener();
    } catch {
      // What is shown stays; the next visit tries again.
    } finally {
      this.renewing.delete(key);
    }
  }
}

/** The catalogue's pages in this tab. */
export const pages = new PageCache();

/** What a catalogue page of the shop is kept under. */
export function pageKey(url: URL | string): string {
  const { pathname, search } = new URL(url, "http://shop.invalid");
  return pathname + search;
}

/** The `clientLoader` of the catalogue's pages (home, shop, product): their data through the cache. */
export function cachedLoader<T = unknown>({ request, serverLoader }: ClientLoaderFunctionArgs): Promise<T> {
  return pages.read(pageKey(request.url), () =>
    withRetries(() => serverLoader<T>() as Promise<T>, READ_RETRIES),
  );
}
/** What came with the document is kept too. */
cachedLoader.hydrate = true as const;

/** Keeps a catalogue page up to date: when the cache has renewed it, and when the connection returns (spec 9). */
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
