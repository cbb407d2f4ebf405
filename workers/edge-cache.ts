import type { RequestContext } from "~/http/request-context.server";

/** Seconds that a kept page is fresh; after that it is served once more while it is renewed. */
const FRESH_SECONDS = 60;
/** Seconds that the platform keeps it at all. */
const KEPT_SECONDS = 600;
/** Where in the body's bytes the nonce stands, so that an answer needs neither decoding nor searching. */
const PLACES_HEADER = "X-Kept-Nonce-At";
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

const encoder = new TextEncoder();

type Render = (request: Request) => Promise<Response>;

/**
 * Answers a page that is the same for everyone from the edge (architecture: Durability and scale).
 *
 * Only a GET without any of our cookies or a bearer token is answered so; what is kept is a 200 without
 * Set-Cookie. The nonce in it is replaced by this answer's own; the browser itself gets `no-cache`.
 *
 * @param request the request
 * @param context its cookies, nonce and waitUntil
 * @param release names the build: a page of another one asks for files that are no more
 * @param render renders the page with `context.nonce`
 */
export async function throughEdgeCache(
  request: Request,
  context: RequestContext,
  release: string,
  render: Render,
): Promise<Response> {
  const page = sharedPage(request, context);
  if (!page) return render(request);
  const key = new Request(`${page.origin}/kept/${release}${page.pathname}${page.search}`);
  const renderAnew = () => render(new Request(page, request));
  const kept = await caches.default.match(key);
  if (!kept) return keep(key, context, await renderAnew());
  const stale = Date.now() - Number(kept.headers.get(STORED_HEADER)) > FRESH_SECONDS * 1000;
  if (stale) context.waitUntil(renew(key, kept.clone(), context, renderAnew));
  return serve(kept, context.nonce, stale ? "stale" : "hit");
}

/** The address of a shared page: its path and known parameters; null when the answer is this reader's own. */
function sharedPage(request: Request, { cookies }: RequestContext): URL | null {
  const url = new URL(request.url);
  const parameters = SHARED_PAGES.find(([path]) => path.test(url.pathname))?.[1];
  if (request.method !== "GET" || !parameters || cookies.any || request.headers.has("Authorization"))
    return null;
  if (url.searchParams.has("_data") || url.search.length > MAX_QUERY_LENGTH) return null;
  const known = parameters.flatMap((name) => {
    const value = url.searchParams.get(name);
    return value ? [[name, value]] : [];
  });
  if (url.search) url.search = new URLSearchParams(known).toString();
  return url;
}

async function keep(key: Request, context: RequestContext, page: Response): Promise<Response> {
  const html = page.headers.get("Content-Type")?.startsWith("text/html") ?? false;
  if (page.status !== 200 || !html || page.headers.has("Set-Cookie")) return page;
  const body = await page.arrayBuffer();
  context.waitUntil(store(key, body, page.headers, placesOf(context.nonce, body)));
  const headers = new Headers(page.headers);
  headers.set("Cache-Control", "no-cache");
  headers.set(STATE_HEADER, "miss");
  return new Response(body, { headers });
}

function store(key: Request, body: ArrayBuffer, from: Headers, places: number[]): Promise<void> {
  const headers = new Headers(from);
  headers.set("Cache-Control", `public, max-age=${KEPT_SECONDS}`);
  headers.set(PLACES_HEADER, places.join());
  headers.set(STORED_HEADER, String(Date.now()));
  return caches.default.put(key, new Response(body, { headers }));
}

/** The bytes at which the nonce begins, each time it stands in a page. */
function placesOf(nonce: string, page: ArrayBuffer): number[] {
  const places: number[] = [];
  let bytes = 0;
  for (const part of new TextDecoder().decode(page).split(nonce).slice(0, -1)) {
    bytes += encoder.encode(part).length;
    places.push(bytes);
    bytes += nonce.length;
  }
  return places;
}

/** Reads back what `store` wrote; every nonce is as long as another. */
function keptPlaces(headers: Headers): number[] {
  return (headers.get(PLACES_HEADER) ?? "").split(",").filter(Boolean).map(Number);
}

/** Renders anew. The stale page is put back as fresh first, so that one reader's request renews it and not everyone's. */
async function renew(
  key: Request,
  stale: Response,
  context: RequestContext,
  render: () => Promise<Response>,
) {
  await store(key, await stale.arrayBuffer(), stale.headers, keptPlaces(stale.headers));
  await keep(key, context, await render());
}

async function serve(kept: Response, nonce: string, state: "hit" | "stale"): Promise<Response> {
  const headers = new Headers(kept.headers);
  const places = keptPlaces(headers);
  for (const name of [PLACES_HEADER, STORED_HEADER, "Age", "CF-Cache-Status"]) headers.delete(name);
  headers.set("Cache-Control", "no-cache");
  headers.set(STATE_HEADER, state);
  const body = new Uint8Array(await kept.arrayBuffer());
  const fresh = encoder.encode(nonce);
  for (const place of places) body.set(fresh, place);
  return new Response(body, { headers });
}
