import { type Db, openDb } from "~/db/client.server";
import type { D1Meter } from "~/db/metered-d1.server";
import { epochSeconds } from "~/domain/durations";
import { apiKeyOf, type Caller, identifyCaller } from "~/session/caller.server";
import { readCookies, type ShopCookies } from "~/session/cookies.server";
import { AppError } from "./errors";
import { type ShopVars, shopVars } from "./shop-settings.server";

/** Request data and services for operations and loaders, created once per request before routing. */
export interface RequestContext {
  request: Request;
  /** The request's URL, parsed once. */
  url: Readonly<URL>;
  env: Env;
  /** Settings of wrangler.toml; those of the owner are read (`shopSettings`), which operations with access have done. */
  settings: ShopVars;
  db: Db;
  meter: D1Meter;
  /** Returns D1's current bookmark, for the visitor's next request. */
  bookmark: () => string | null;
  caller: Caller;
  cookies: ShopCookies;
  /** True over https: cookies are then Secure and named __Host-. */
  secure: boolean;
  /** Client IP address from CF-Connecting-IP; X-Forwarded-For is not trusted. */
  address: string;
  /** CSP nonce of this response. */
  nonce: string;
  /** Key of the page's forms, by which a form that is submitted twice is recognised. */
  formKey: string;
  /** performance.now() when the request arrived. */
  started: number;
  /** Response headers set by operations, mostly Set-Cookie. */
  headers: Headers;
  /** Tags of what the page shows (app/features/catalogue/page-tags.ts): a change of it takes the page out of the cache. */
  pageTags: Set<string>;
  /** Instant until which the page may be cached, epoch seconds: its words about the opening hours change then; null for none. */
  validUntil: number | null;
  /** Epoch seconds, the same for the whole request. */
  now: number;
  waitUntil: (work: Promise<unknown>) => void;
  /**
   * Reason why the forms of pages store nothing now; their page shows it with what was typed. No AppError: the Worker's
   * class is another one than that of the Remix build.
   */
  refusal: Pick<AppError, "message" | "headers"> | null;
}

declare module "@remix-run/cloudflare" {
  interface AppLoadContext extends RequestContext {
    /** Paths of all routes, such as `/products/:id`. */
    routePaths: string[];
    /** Paths of the routes that are public pages (app/http/page.server.ts). */
    publicPaths: string[];
  }
}

/** Creates a token of a page; all have the same length, since the cache replaces them. */
const pageToken = () => crypto.randomUUID().replaceAll("-", "");

/**
 * Creates the context of one request.
 *
 * @param waitUntil keeps work running after the response
 * @param first what D1 reads first; by default what `firstRead` chooses
 * @throws Error without COOKIE_SECRET: cookies would be signed with a known key
 */
export async function requestContext(
  request: Request,
  env: Env,
  waitUntil: (work: Promise<unknown>) => void,
  first?: "first-primary",
): Promise<RequestContext> {
  if (!env.COOKIE_SECRET) throw new Error("COOKIE_SECRET is not set: wrangler secret put COOKIE_SECRET");
  const url = new URL(request.url);
  const secure = url.protocol === "https:";
  const cookies = await cookiesOf(request, env.COOKIE_SECRET, secure);
  const { db, meter, bookmark } = openDb(env.DB, first ?? firstRead(request, url, cookies));
  const now = epochSeconds();
  return {
    request,
    url,
    env,
    settings: shopVars(env),
    db,
    meter,
    bookmark,
    caller: identifyCaller({ request, url, db, now, sessionToken: cookies.session }),
    cookies,
    secure,
    address: request.headers.get("CF-Connecting-IP") ?? "unknown",
    nonce: pageToken(),
    formKey: pageToken(),
    started: performance.now(),
    headers: new Headers(),
    pageTags: new Set(),
    validUntil: null,
    now,
    waitUntil,
    refusal: null,
  };
}

let noCookies: ShopCookies | undefined;

/** Reads the shop's cookies; those of requests without any, which most pages are asked for by, once. */
async function cookiesOf(request: Request, secret: string, secure: boolean): Promise<ShopCookies> {
  if (request.headers.has("Cookie")) return readCookies(request, secret, secure);
  noCookies ??= await readCookies(request, secret, secure);
  return noCookies;
}

/**
 * Chooses what a request reads first: what was written last where it writes, names an account or key, whose rights may
 * have been withdrawn, opens a mailed link, or reads what a room or a seller has written for this visitor; else the nearest
 * replica with the browser's last write.
 */
function firstRead(request: Request, { pathname, searchParams }: URL, cookies: ShopCookies): string | null {
  const isIdentified = cookies.session !== null || request.headers.has("Authorization");
  const isOfChat = CHATS.test(pathname) && (cookies.chats.length > 0 || searchParams.has("key"));
  const isFresh = MAILED.test(pathname) || isOfChat;
  return isIdentified || isFresh || !isSafe(request) ? "first-primary" : cookies.bookmark;
}

/** Paths of what others write for one visitor, also of mailed links: the visitor's bookmark is not that of these writes. */
const MAILED = /^\/(?:receipts|resetPassword|account|unsubscribe)\b/i;
const CHATS = /^\/(?:api\/)?chat\b/i;

/** Rejects a write. @throws AppError unavailable (503) while the forms of pages store nothing */
export function requireWritable({ refusal }: RequestContext): void {
  if (refusal) throw new AppError("unavailable", refusal.message, { headers: refusal.headers });
}

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/** Tests for a method that changes nothing. */
export const isSafe = ({ method }: Request) => SAFE_METHODS.has(method);

/**
 * Rejects an unsafe method that a browser sends from another site. `Sec-Fetch-Site` decides where it is present,
 * otherwise `Origin` must be the shop's own; a call with neither and without a cookie (a script with a bearer token)
 * passes, and so does a call with an API key, for which no cookie identifies the caller. Sign-in and sign-up are checked
 * too.
 *
 * @throws AppError forbidden (403)
 */
export function rejectCrossSite({ request, url, settings }: RequestContext): void {
  if (isSafe(request) || apiKeyOf(request, url) !== null || isOwn(request, settings.url)) return;
  throw new AppError("forbidden", "This request came from another site.");
}

function isOwn(request: Request, shopUrl: string): boolean {
  const site = request.headers.get("Sec-Fetch-Site");
  if (site !== null) return site === "same-origin" || site === "none";
  const origin = request.headers.get("Origin");
  if (origin !== null) return isOwnOrigin(origin, request, shopUrl);
  return request.headers.get("Cookie") === null;
}

/**
 * Tests an `Origin` against SHOP_URL, which holds behind a proxy too, and against the request's own URL, which a page of
 * another site cannot make a browser send.
 */
export function isOwnOrigin(origin: string, request: Request, shopUrl: string): boolean {
  return (
    origin === new URL(request.url).origin || (URL.canParse(shopUrl) && origin === new URL(shopUrl).origin)
  );
}

/**
 * Prepares a request for Remix, whose own origin check knows neither `Sec-Fetch-Site` nor that `X-Forwarded-Host` is not
 * to be trusted. `rejectCrossSite` has passed before.
 */
export function asSameOrigin(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("X-Forwarded-Host");
  if (headers.has("Origin")) headers.set("Origin", new URL(request.url).origin);
  headers.set("Host", new URL(request.url).host);
  return new Request(request, { headers });
}

const KNOWN_METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];

/** Rejects a method that no route handles, before routing. @throws AppError methodNotAllowed (405) */
export function rejectUnknownMethod({ method }: Request): void {
  if (KNOWN_METHODS.includes(method)) return;
  throw new AppError("methodNotAllowed", "Method not allowed", {
    headers: { Allow: KNOWN_METHODS.join(", ") },
  });
}
