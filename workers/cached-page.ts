import { SHOP_TAG } from "~/features/catalogue/page-tags";
import type { RequestContext } from "~/http/request-context.server";
import { release } from "./routes";

/** Seconds that a cached page is fresh, unless its words change before (`until`); after that it is served while it is revalidated. */
export const FRESH_SECONDS = 60;

export type Render = () => Promise<Response>;

/** Cache of what is the same for everyone (docs/architecture.md, Shared cache). */
export interface SharedCache {
  /**
   * Serves a page, with tokens of its own.
   *
   * @param url of the page with its known parameters
   * @param render renders that URL with the tokens of `context`
   */
  page(url: URL, context: RequestContext, render: Render): Promise<Response>;
  /** Serves a picture. @param load reads or resizes it */
  picture(url: URL, waitUntil: RequestContext["waitUntil"], load: Render): Promise<Response>;
  /** Removes the pages with one of the tags. @returns false when it has failed */
  purge(tags: string[]): Promise<boolean>;
}

/** Byte offsets of the tokens, so that a response needs neither decoding nor searching. */
const TOKENS_HEADER = "X-Token-Offsets";
const RENDERED_HEADER = "X-Rendered-At";
const UNTIL_HEADER = "X-Valid-Until";
/** Build that rendered a page: its files are missing in another one. */
const RELEASE_HEADER = "X-Release";
const TAGS_HEADER = "Cache-Tag";
/** Reports the cache's state: miss, hit or stale. */
const STATE_HEADER = "X-Edge-Cache";
/** Headers of the cache alone, which a reader's response does not have. */
const OWN_HEADERS = [
  ...[TOKENS_HEADER, RENDERED_HEADER, UNTIL_HEADER, RELEASE_HEADER, TAGS_HEADER],
  ...["Age", "CF-Cache-Status"],
];

/** Tokens that each response has of its own: the nonce and the key of its forms. */
type Tokens = Pick<RequestContext, "nonce" | "formKey">;
const tokensOf = ({ nonce, formKey }: Tokens) => [nonce, formKey];

/** Page that is the same for everyone, with the tokens that it was rendered with. */
export interface CachedPage {
  body: Uint8Array<ArrayBuffer>;
  headers: Headers;
  /** Byte offsets of each token. */
  offsets: number[][];
  /** Tags of what it shows (app/features/catalogue/page-tags.ts). */
  tags: string[];
  /** Time when its rendering began, epoch milliseconds. */
  at: number;
  /** Time after which nobody may read it: its words about the opening hours change; epoch milliseconds, Infinity for none. */
  until: number;
}

const encoder = new TextEncoder();

/**
 * Renders a page for a cache.
 *
 * @returns the response itself when it is not stored: anything but a 200 of HTML without Set-Cookie
 */
export async function renderForCache(
  context: RequestContext,
  render: () => Promise<Response>,
): Promise<CachedPage | Response> {
  const at = Date.now();
  const page = await render();
  const html = page.headers.get("Content-Type")?.startsWith("text/html") ?? false;
  if (page.status !== 200 || !html || page.headers.has("Set-Cookie")) return page;
  const body = new Uint8Array(await page.arrayBuffer());
  return {
    body,
    headers: new Headers(page.headers),
    offsets: tokensOf(context).map((token) => offsetsOf(token, body)),
    tags: [SHOP_TAG, ...context.pageTags],
    at,
    until: context.validUntil === null ? Number.POSITIVE_INFINITY : context.validUntil * 1000,
  };
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

/** Builds the response that a cache stores. @param caching its `Cache-Control` */
export function storedResponse(
  { body, offsets, tags, at, until, ...page }: CachedPage,
  caching: string,
): Response {
  const headers = new Headers(page.headers);
  headers.set("Cache-Control", caching);
  headers.set(TOKENS_HEADER, JSON.stringify(offsets));
  headers.set(RENDERED_HEADER, String(at));
  headers.set(UNTIL_HEADER, String(until));
  headers.set(RELEASE_HEADER, release);
  headers.set(TAGS_HEADER, tags.join(","));
  return new Response(body, { headers });
}

/** Reads the response of a cache. @returns null for one that `storedResponse` of this build has not built */
export async function readStored(stored: Response): Promise<CachedPage | null> {
  const offsets = stored.headers.get(TOKENS_HEADER);
  if (offsets === null || stored.headers.get(RELEASE_HEADER) !== release) {
    await stored.body?.cancel();
    return null;
  }
  // A cache that serves longer than it was asked to must not tell yesterday's hours.
  if (Date.now() >= Number(stored.headers.get(UNTIL_HEADER))) {
    await stored.body?.cancel();
    return null;
  }
  const headers = new Headers(stored.headers);
  for (const name of OWN_HEADERS) headers.delete(name);
  return {
    body: new Uint8Array(await stored.arrayBuffer()),
    headers,
    offsets: JSON.parse(offsets) as number[][],
    tags: (stored.headers.get(TAGS_HEADER) ?? "").split(","),
    at: Number(stored.headers.get(RENDERED_HEADER)),
    until: Number(stored.headers.get(UNTIL_HEADER)),
  };
}

/** Builds a reader's response, with tokens of its own; all tokens have the same length. Browsers get `no-cache`. */
export function personalResponse(cached: CachedPage, context: Tokens, state: string): Response {
  const body = cached.body.slice();
  const fresh = tokensOf(context).map((token) => encoder.encode(token));
  for (const [i, token] of fresh.entries())
    for (const offset of cached.offsets[i] ?? []) body.set(token, offset);
  const answer = new Response(body, { headers: cached.headers });
  answer.headers.set("Cache-Control", "no-cache");
  answer.headers.set(STATE_HEADER, state);
  return answer;
}
