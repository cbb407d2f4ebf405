import type { RequestContext } from "~/http/request-context.server";
import { publicPages } from "./routes";

/** Seconds that a cached page is fresh; after that it is served while it is revalidated. */
const FRESH_SECONDS = 60;
/** Seconds that the platform stores a page. */
const STORED_SECONDS = 600;
/** Byte offsets of the tokens, so that a response needs neither decoding nor searching. */
const TOKENS_HEADER = "X-Token-Offsets";
const RENDERED_HEADER = "X-Rendered-At";
/** Reports the cache state: miss, hit or stale. */
const STATE_HEADER = "X-Edge-Cache";
/** Longer queries are not cached, since they are unlikely to repeat. */
const MAX_QUERY_LENGTH = 200;
/** Limits of the memory cache, 16 MB in total. */
const MAX_MEMORY_PAGES = 64;
const MAX_MEMORY_PAGE_BYTES = 256 * 1024;

/** Tokens that each response has of its own: the nonce and the key of its forms. */
type Tokens = Pick<RequestContext, "nonce" | "formKey">;
const tokensOf = ({ nonce, formKey }: Tokens) => [nonce, formKey];

/** Page with the tokens that it was rendered with. */
interface CachedPage {
  body: Uint8Array<ArrayBuffer>;
  headers: Headers;
  /** Byte offsets of each token. */
  offsets: number[][];
  /** Render time, epoch milliseconds. */
  at: number;
}

/** Recently served pages, because a look-up at the edge dominates the response time. */
const memoryCache = new Map<string, CachedPage>();

const encoder = new TextEncoder();

type Render = (request: Request) => Promise<Response>;

/**
 * Serves a page that is the same for everyone from the edge (docs/architecture.md, Edge cache).
 *
 * Only a GET without the shop's cookies and without a bearer token is served from the cache; only a 200 without
 * Set-Cookie is stored. Each response gets a nonce of its own; browsers get `no-cache`.
 *
 * @param release id of the build, because pages of another build refer to missing files
 * @param render renders the page with `context.nonce`
 */
export async function withEdgeCache(
  request: Request,
  context: RequestContext,
  release: string,
  render: Render,
): Promise<Response> {
  const page = context.env.EDGE_CACHE === "off" ? null : sharedPage(request, context);
  if (!page) return render(request);
  const url = `${page.origin}/cached/${release}${page.pathname}${page.search}`;
  const inMemory = memoryCache.get(url);
  if (inMemory && isFresh(inMemory)) return serve(inMemory, context, "hit");
  const found = await caches.default.match(url);
  const renderPage = () => render(new Request(page, request));
  if (!found) return cachePage(url, context, await renderPage());
  const cached = await read(found);
  if (isFresh(cached)) {
    cacheInMemory(url, cached);
    return serve(cached, context, "hit");
  }
  context.waitUntil(revalidate(url, cached, context, renderPage));
  return serve(cached, context, "stale");
}

function isFresh({ at }: CachedPage): boolean {
  return Date.now() - at <= FRESH_SECONDS * 1000;
}

/** Builds the URL of a shared page from its path and known parameters; null for a personalised response. */
function sharedPage(request: Request, { cookies, url: requested }: RequestContext): URL | null {
  if (request.method !== "GET" || cookies.any || request.headers.has("Authorization")) return null;
  const parameters = publicPages.find(({ path }) => path.test(requested.pathname))?.parameters;
  if (!parameters) return null;
  const url = new URL(requested);
  if (url.searchParams.has("_data") || url.search.length > MAX_QUERY_LENGTH) return null;
  const known = parameters.flatMap((name) => {
    const value = url.searchParams.get(name);
    return value ? [[name, value]] : [];
  });
  if (url.search) url.search = new URLSearchParams(known).toString();
  return url;
}

async function cachePage(url: string, context: RequestContext, page: Response): Promise<Response> {
  const html = page.headers.get("Content-Type")?.startsWith("text/html") ?? false;
  if (page.status !== 200 || !html || page.headers.has("Set-Cookie")) return page;
  const body = new Uint8Array(await page.arrayBuffer());
  const cached = {
    body,
    headers: new Headers(page.headers),
    offsets: tokensOf(context).map((token) => offsetsOf(token, body)),
    at: Date.now(),
  };
  context.waitUntil(store(url, cached));
  cacheInMemory(url, cached);
  return serve(cached, context, "miss");
}

function store(url: string, { body, offsets, at, ...page }: CachedPage): Promise<void> {
  const headers = new Headers(page.headers);
  headers.set("Cache-Control", `public, max-age=${STORED_SECONDS}`);
  headers.set(TOKENS_HEADER, JSON.stringify(offsets));
  headers.set(RENDERED_HEADER, String(at));
  return caches.default.put(url, new Response(body, { headers }));
}

async function read(stored: Response): Promise<CachedPage> {
  const headers = new Headers(stored.headers);
  const offsets = JSON.parse(headers.get(TOKENS_HEADER) ?? "[]") as number[][];
  const at = Number(headers.get(RENDERED_HEADER));
  for (const name of [TOKENS_HEADER, RENDERED_HEADER, "Age", "CF-Cache-Status"]) headers.delete(name);
  return { body: new Uint8Array(await stored.arrayBuffer()), headers, offsets, at };
}

/** Stores a page in memory in place of the oldest one. */
function cacheInMemory(url: string, page: CachedPage): void {
  if (page.body.byteLength > MAX_MEMORY_PAGE_BYTES) return;
  memoryCache.delete(url);
  memoryCache.set(url, page);
  const [oldest] = memoryCache.keys();
  if (memoryCache.size > MAX_MEMORY_PAGES && oldest !== undefined) memoryCache.delete(oldest);
}

/** Finds the byte offsets of a token in a page. */
function offsetsOf(token: string, page: Uint8Array): number[] {
  const offsets: number[] = [];
  let bytes = 0;
  for (const part of new TextDecoder().decode(page).split(token).slice(0, -1)) {
    bytes += encoder.encode(part).length;
    offsets.push(bytes);
    bytes += token.length;
  }
  return offsets;
}

/**
 * Revalidates a page. The stale one is stored as fresh first, so that a single request renders it; it stays after a failure,
 * and is removed when the page is gone.
 */
async function revalidate(
  url: string,
  stale: CachedPage,
  context: RequestContext,
  render: () => Promise<Response>,
) {
  await store(url, { ...stale, at: Date.now() });
  const page = await render();
  await cachePage(url, context, page);
  if (page.status === 200 || page.status >= 500) return;
  memoryCache.delete(url);
  await caches.default.delete(url);
}

/** Builds the response with tokens of its own; all tokens have the same length. */
function serve(cached: CachedPage, context: Tokens, state: "miss" | "hit" | "stale"): Response {
  const body = cached.body.slice();
  const fresh = tokensOf(context).map((token) => encoder.encode(token));
  for (const [i, token] of fresh.entries())
    for (const offset of cached.offsets[i] ?? []) body.set(token, offset);
  const answer = new Response(body, { headers: cached.headers });
  answer.headers.set("Cache-Control", "no-cache");
  answer.headers.set(STATE_HEADER, state);
  return answer;
}
