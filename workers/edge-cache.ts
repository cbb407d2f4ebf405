import type { RequestContext } from "~/http/request-context.server";
import { publicPages } from "./public-pages";

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
/** How many pages this isolate has at hand itself, and how large each may be at most: 16 MB if all of them are. */
const AT_HAND = 64;
const AT_HAND_BYTES = 256 * 1024;

/** A page with the nonce that it was rendered with. */
interface KeptPage {
  body: Uint8Array<ArrayBuffer>;
  headers: Headers;
  /** Bytes at which the nonce begins. */
  places: number[];
  /** When it was rendered, epoch milliseconds: it is as fresh at hand as it is at the edge. */
  at: number;
}

/** What was served from the edge lately, without a way to the edge: to look there takes longer than all the rest. */
const atHand = new Map<string, KeptPage>();

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
export async function withEdgeCache(
  request: Request,
  context: RequestContext,
  release: string,
  render: Render,
): Promise<Response> {
  const page = context.env.EDGE_CACHE === "off" ? null : sharedPage(request, context);
  if (!page) return render(request);
  const address = `${page.origin}/kept/${release}${page.pathname}${page.search}`;
  const near = atHand.get(address);
  if (near && isFresh(near)) return serve(near, context.nonce, "hit");
  const found = await caches.default.match(address);
  const renderAnew = () => render(new Request(page, request));
  if (!found) return keep(address, context, await renderAnew());
  const kept = await read(found);
  if (isFresh(kept)) {
    lay(address, kept);
    return serve(kept, context.nonce, "hit");
  }
  context.waitUntil(renew(address, kept, context, renderAnew));
  return serve(kept, context.nonce, "stale");
}

function isFresh({ at }: KeptPage): boolean {
  return Date.now() - at <= FRESH_SECONDS * 1000;
}

/** The address of a shared page: its path and known parameters; null when the answer is this reader's own. */
function sharedPage(request: Request, { cookies }: RequestContext): URL | null {
  const url = new URL(request.url);
  const parameters = publicPages.find(({ path }) => path.test(url.pathname))?.parameters;
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

async function keep(address: string, context: RequestContext, page: Response): Promise<Response> {
  const html = page.headers.get("Content-Type")?.startsWith("text/html") ?? false;
  if (page.status !== 200 || !html || page.headers.has("Set-Cookie")) return page;
  const body = new Uint8Array(await page.arrayBuffer());
  const kept = {
    body,
    headers: new Headers(page.headers),
    places: placesOf(context.nonce, body),
    at: Date.now(),
  };
  context.waitUntil(store(address, kept));
  lay(address, kept);
  return serve(kept, context.nonce, "miss");
}

function store(address: string, { body, places, at, ...page }: KeptPage): Promise<void> {
  const headers = new Headers(page.headers);
  headers.set("Cache-Control", `public, max-age=${KEPT_SECONDS}`);
  headers.set(PLACES_HEADER, places.join());
  headers.set(STORED_HEADER, String(at));
  return caches.default.put(address, new Response(body, { headers }));
}

/** Reads back what `store` wrote. */
async function read(stored: Response): Promise<KeptPage> {
  const headers = new Headers(stored.headers);
  const places = (headers.get(PLACES_HEADER) ?? "").split(",").filter(Boolean).map(Number);
  const at = Number(headers.get(STORED_HEADER));
  for (const name of [PLACES_HEADER, STORED_HEADER, "Age", "CF-Cache-Status"]) headers.delete(name);
  return { body: new Uint8Array(await stored.arrayBuffer()), headers, places, at };
}

/** Lays a page where it is at hand; the one that lies there longest makes room. */
function lay(address: string, page: KeptPage): void {
  if (page.body.byteLength > AT_HAND_BYTES) return;
  atHand.delete(address);
  atHand.set(address, page);
  const [eldest] = atHand.keys();
  if (atHand.size > AT_HAND && eldest !== undefined) atHand.delete(eldest);
}

/** The bytes at which the nonce begins, each time it stands in a page. */
function placesOf(nonce: string, page: Uint8Array): number[] {
  const places: number[] = [];
  let bytes = 0;
  for (const part of new TextDecoder().decode(page).split(nonce).slice(0, -1)) {
    bytes += encoder.encode(part).length;
    places.push(bytes);
    bytes += nonce.length;
  }
  return places;
}

/** Renders anew. The stale page is put back as fresh first, so that one reader's request renews it and not everyone's. */
async function renew(
  address: string,
  stale: KeptPage,
  context: RequestContext,
  render: () => Promise<Response>,
) {
  await store(address, { ...stale, at: Date.now() });
  await keep(address, context, await render());
}

/** A kept page with this answer's nonce; every nonce is as long as another. */
function serve(kept: KeptPage, nonce: string, state: "miss" | "hit" | "stale"): Response {
  const body = kept.body.slice();
  const fresh = encoder.encode(nonce);
  for (const place of kept.places) body.set(fresh, place);
  const answer = new Response(body, { headers: kept.headers });
  answer.headers.set("Cache-Control", "no-cache");
  answer.headers.set(STATE_HEADER, state);
  return answer;
}
