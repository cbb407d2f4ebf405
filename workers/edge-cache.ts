import type { RequestContext } from "~/http/request-context.server";

/** Seconds that a kept page is fresh; after that it is served once more while it is renewed. */
const FRESH_SECONDS = 60;
/** Seconds that the platform keeps it at all. */
const KEPT_SECONDS = 600;
const NONCE_HEADER = "X-Kept-Nonce";
const STORED_HEADER = "X-Kept-At";
/** Tells whether an answer came from the edge: miss, hit or stale. */
const STATE_HEADER = "X-Edge-Cache";
/** A longer query is not kept: nobody else will ask it. */
const MAX_QUERY_LENGTH = 200;
/** Pages that are the same for everyone, and the search parameters that change them. */
const SHARED_PAGES: [path: RegExp, parameters: string[]][] = [
  [/^\/$/, []],
  [/^\/shop$/, ["search", "category", "sort", "page"]],
  [/^\/products\/[\w-]{1,64}$/, []],
  [/^\/(?:terms|privacy)$/, []],
];

type Render = (request: Request) => Promise<Response>;

/**
 * Answers a page that is the same for everyone from the edge (architecture: Durability and scale).
 *
 * Only a GET without any of our cookies or a bearer token is answered so; what is kept is a 200 without
 * Set-Cookie. The nonce in it is replaced by this answer's own; the browser itself gets `no-cache`.
 *
 * @param request the request
 * @param context its cookies, nonce and waitUntil
 * @param render renders the page with `context.nonce`
 */
export async function throughEdgeCache(
  request: Request,
  context: RequestContext,
  render: Render,
): Promise<Response> {
  const key = cacheKey(request, context);
  if (!key) return render(request);
  const kept = await caches.default.match(key);
  if (!kept) return keep(key, context, await render(new Request(key.url, request)));
  const stale = Date.now() - Number(kept.headers.get(STORED_HEADER)) > FRESH_SECONDS * 1000;
  if (stale) context.waitUntil(renew(key, kept.clone(), request, context, render));
  return serve(kept, context.nonce, stale ? "stale" : "hit");
}

/** The request that names a shared page: its path and known parameters; null when the answer is this reader's own. */
function cacheKey(request: Request, { cookies }: RequestContext): Request | null {
  const url = new URL(request.url);
  const parameters = SHARED_PAGES.find(([path]) => path.test(url.pathname))?.[1];
  if (request.method !== "GET" || !parameters || cookies.any || request.headers.has("Authorization"))
    return null;
  if (url.searchParams.has("_data") || url.search.length > MAX_QUERY_LENGTH) return null;
  const known = parameters.flatMap((name) => {
    const value = url.searchParams.get(name);
    return value ? [[name, value]] : [];
  });
  url.search = new URLSearchParams(known).toString();
  return new Request(url, { method: "GET" });
}

async function keep(key: Request, context: RequestContext, page: Response): Promise<Response> {
  const html = page.headers.get("Content-Type")?.startsWith("text/html") ?? false;
  if (page.status !== 200 || !html || page.headers.has("Set-Cookie")) return page;
  const body = await page.text();
  context.waitUntil(store(key, body, page.headers, context.nonce, Date.now()));
  const headers = new Headers(page.headers);
  headers.set("Cache-Control", "no-cache");
  headers.set(STATE_HEADER, "miss");
  return new Response(body, { headers });
}

function store(key: Request, body: string, from: Headers, nonce: string, at: number): Promise<void> {
  const headers = new Headers(from);
  headers.set("Cache-Control", `public, max-age=${KEPT_SECONDS}`);
  headers.set(NONCE_HEADER, nonce);
  headers.set(STORED_HEADER, String(at));
  return caches.default.put(key, new Response(body, { headers }));
}

/** Renders anew. The stale page is put back as fresh first, so that one reader's request renews it and not everyone's. */
async function renew(
  key: Request,
  stale: Response,
  request: Request,
  context: RequestContext,
  render: Render,
) {
  await store(key, await stale.text(), stale.headers, stale.headers.get(NONCE_HEADER) ?? "", Date.now());
  await keep(key, context, await render(new Request(key.url, request)));
}

async function serve(kept: Response, nonce: string, state: "hit" | "stale"): Promise<Response> {
  const headers = new Headers(kept.headers);
  const keptNonce = headers.get(NONCE_HEADER) ?? "";
  for (const name of [NONCE_HEADER, STORED_HEADER, "Age", "CF-Cache-Status"]) headers.delete(name);
  headers.set("Cache-Control", "no-cache");
  headers.set(STATE_HEADER, state);
  return new Response((await kept.text()).replaceAll(keptNonce, nonce), { headers });
}
